import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { firstReleaseUserId, startUpgradedServer } from '../../testing/first-release.ts';
import { insertRow } from '../../testing/rows.ts';
import { engines } from '../../testing/server.ts';

const at = '2026-06-01T09:00:00.000Z';

test.each(engines)('removed photos, outcomes and answers get columns of their own, on %s', async (engine) => {
  const by = firstReleaseUserId('huw');
  await using server = await startUpgradedServer(engine, '054', async (db) => {
    const audit = (await db.selectFrom('audits').select('id').limit(1).executeTakeFirstOrThrow()).id;
    for (const verified of ['works', 'doesNotWork', 'doesNotApply', 'inOrder', 'needsWork', null])
      await sql`insert into audit_notes (id, audit_id, words, media_files, created_at, created_by, created_by_name, verified)
        values (${`note ${verified}`}, ${audit}, '', '[]', ${at}, ${by}, 'huw', ${verified})`.execute(db);
    const places = { park: 'Kingsley', retired_at: null, label: null, joined_into: null };
    await insertRow(db, 'places', { ...places, id: 'pool', name: 'Pool', name_key: 'pool' });
    for (const [id, media_files] of [
      ['no photo', '[]'],
      ['photo', '[{"path":"a"}]'],
      ['removed', '[ ]'],
    ] as const) {
      const message = {
        ...{ id, media_files, form_id: id, receipt_hash: id, group_id: id, place_id: 'pool', park: 'Kingsley' },
        ...{ words: '', name: '', contact: '', language: 'en', created_at: at, reason: '', answer: '' },
        ...{ priority: 2, rank: 1, is_listed: 1, sent_count: 1, bytes: 1, is_junk: 0 },
      };
      // The column that the migration adds is missing.
      await db
        .insertInto('guest_messages')
        .values(message as never)
        .execute();
    }
  });
  const notes = server.db.selectFrom('audit_notes').select(['id', 'outcome', 'answer']).where('id', 'like', 'note %');
  expect(await notes.orderBy('id').execute()).toEqual([
    { id: 'note doesNotApply', outcome: null, answer: 'doesNotApply' },
    { id: 'note doesNotWork', outcome: 'doesNotWork', answer: null },
    { id: 'note inOrder', outcome: null, answer: 'inOrder' },
    { id: 'note needsWork', outcome: null, answer: 'needsWork' },
    { id: 'note null', outcome: null, answer: null },
    { id: 'note works', outcome: 'works', answer: null },
  ]);
  const messages = server.db.selectFrom('guest_messages').select(['id', 'media_files', 'photo_removed']);
  expect(await messages.orderBy('id').execute()).toEqual([
    { id: 'no photo', media_files: '[]', photo_removed: 0 },
    { id: 'photo', media_files: '[{"path":"a"}]', photo_removed: 0 },
    { id: 'removed', media_files: '[]', photo_removed: 1 },
  ]);
});

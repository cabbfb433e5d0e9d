import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { firstReleaseUserId, startUpgradedServer } from '../../testing/first-release.ts';
import { engines } from '../../testing/server.ts';

const at = '2026-06-01T09:00:00.000Z';
const later = '2026-06-02T09:00:00.000Z';

test.each(engines)('the follow-up of an audit is found by its time, unless two fit, on %s', async (engine) => {
  const by = firstReleaseUserId('huw');
  await using server = await startUpgradedServer(engine, '053', async (db) => {
    const folder = (await db.selectFrom('folders').select('id').limit(1).executeTakeFirstOrThrow()).id;
    const addAudit = (id: string, createdAt: string, source: string | null = null) =>
      sql`insert into audits (id, folder_id, title, is_urgent, completed, data, version, created_at, created_by, due, source_thing, source_id)
        values (${id}, ${folder}, ${id}, 0, 0, '{}', 1, ${createdAt}, ${by}, '', ${source && 'audit'}, ${source})`.execute(
        db,
      );
    const addNote = (audit: string, verified: string) =>
      sql`insert into audit_notes (id, audit_id, words, media_files, created_at, created_by, created_by_name, verified)
        values (${`note on ${audit}`}, ${audit}, '', '[]', ${later}, ${by}, 'huw', ${verified})`.execute(db);
    for (const [id, verified] of [
      ['failed', 'doesNotWork'],
      ['needs work', 'needsWork'],
      ['works', 'works'],
      ['unclear', 'doesNotWork'],
    ] as const) {
      await addAudit(id, at);
      await addNote(id, verified);
      await addAudit(`after ${id}`, later, id);
      await addAudit(`by hand, after ${id}`, '2026-06-03T09:00:00.000Z', id);
    }
    await addAudit('also after unclear', later, 'unclear');
  });
  const rows = server.db.selectFrom('audits').select(['id', 'follow_up_of']).where('follow_up_of', 'is not', null);
  expect(await rows.orderBy('id').execute()).toEqual([
    { id: 'after failed', follow_up_of: 'failed' },
    { id: 'after needs work', follow_up_of: 'needs work' },
  ]);
});

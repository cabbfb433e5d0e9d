import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { firstReleaseUserId, startUpgradedServer } from '../../testing/first-release.ts';
import { engines } from '../../testing/server.ts';

test.each(engines)(
  'audits of earlier versions are found by their texts and notes, newest first, on %s',
  async (engine) => {
    const by = firstReleaseUserId('huw');
    let folder = '';
    await using server = await startUpgradedServer(engine, '056', async (db) => {
      folder = (await db.selectFrom('folders').select('id').limit(1).executeTakeFirstOrThrow()).id;
      // More than one page; the second half was created before the first.
      for (let at = 0; at < 300; at += 1) {
        const data = JSON.stringify({
          location: 'Tŷ Glas',
          assignee: 'Bob',
          description: `Number ${at}`,
          media_files: [],
        });
        const day = at < 150 ? '2026-06-02' : '2026-06-01';
        await sql`insert into audits (id, folder_id, title, is_urgent, completed, data, version, created_at, created_by, due)
        values (${`old ${at}`}, ${folder}, ${`Zinc ${at}`}, 0, 1, ${at === 7 ? '{' : data}, 1,
          ${`${day}T09:00:00.${String(at).padStart(3, '0')}Z`}, ${by}, '')`.execute(db);
      }
      await sql`insert into audit_notes (id, audit_id, words, media_files, created_at, created_by, created_by_name)
      values ('note', 'old 8', 'Brackets ordered', '[]', '2026-06-03T09:00:00.000Z', ${by}, 'huw')`.execute(db);
    });
    const admin = await server.as('Admin');
    const find = async (q: string, limit = 200) =>
      (await admin(api.listOpenAudits, { query: { state: 'all', q, limit } })).map(({ title }) => title);
    expect(await find('zinc', 3)).toEqual(['Zinc 149', 'Zinc 148', 'Zinc 147']);
    expect(await find('zinc', 200)).toHaveLength(200);
    expect(await find('ty glas 212')).toEqual(['Zinc 212']);
    expect(await find('brackets zinc')).toEqual(['Zinc 8']);
    expect(await find('bob')).toEqual([]);
    const body = { folder_id: folder, title: 'Zinc, new' };
    await admin(api.createAudit, { body });
    expect(await find('zinc', 1)).toEqual(['Zinc, new']);
  },
);

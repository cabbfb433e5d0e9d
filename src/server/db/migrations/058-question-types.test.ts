import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { firstReleaseRows, startUpgradedServer } from '../../testing/first-release.ts';
import { engines } from '../../testing/server.ts';
import type { migrate } from '../migrate.ts';

test.each(engines)('checklists and submissions of earlier versions are as they were, on %s', async (engine) => {
  const read = (db: Parameters<typeof migrate>[0]) =>
    Promise.all(
      ['checklist_versions', 'submissions'].map(
        async (table) => (await sql<object>`select * from ${sql.table(table)} order by 1, 2`.execute(db)).rows,
      ),
    );
  let before: object[][] = [];
  await using server = await startUpgradedServer(engine, '057', async (db) => {
    before = await read(db);
  });
  const [versions = [], submissions = []] = before;
  expect(submissions).toHaveLength(firstReleaseRows('submissions').length);
  expect(await read(server.db)).toEqual([
    versions.map((row) => ({ ...row, notes: 'failing' })),
    submissions.map((row) => ({ ...row, notes: null })),
  ]);
  expect(await server.db.selectFrom('submission_people').selectAll().execute()).toEqual([]);
  const admin = await server.as('Admin');
  for (const submission of await admin(api.listSubmissions, { query: {} }))
    for (const member of ['notes', 'people']) expect(submission).not.toHaveProperty(member);
  for (const checklist of await admin(api.listChecklists)) expect(checklist).not.toHaveProperty('notes');
});

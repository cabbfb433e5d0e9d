import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { engines } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';
import { everyRow } from './every-row.ts';
import { prepare } from './prepared.ts';
import type { Database } from './schema.ts';

describe.each(engines)('statements that change rows, on %s', (engine) => {
  const { server } = createTestServer(engine);
  const set = { event: '' };
  const deleteAll = prepare((db) => db.deleteFrom('deliveries'));

  test.each<[string, boolean, (db: Database) => Promise<unknown>]>([
    ['an update without a condition', false, (db) => db.updateTable('deliveries').set(set).execute()],
    ['a delete without a condition', false, (db) => db.deleteFrom('deliveries').execute()],
    ['one that is prepared', false, (db) => deleteAll(db, {})],
    ['one in a transaction', false, (db) => db.transaction().execute((inner) => deleteAll(inner, {}))],
    ['a written update', false, (db) => sql`update ${sql.table('deliveries')} set event = ''`.execute(db)],
    ['a written delete', false, (db) => sql` DELETE from deliveries`.execute(db)],
    ['a delete with a condition', true, (db) => db.deleteFrom('deliveries').where('id', '=', '').execute()],
    ['a written one with a condition', true, (db) => sql`delete from deliveries where id = ''`.execute(db)],
    ['a delete that is meant for all rows', true, (db) => db.deleteFrom('deliveries').where(everyRow).execute()],
  ])('%s is allowed: %s', async (_, isAllowed, run) => {
    const outcome = await run(server.running.db).then(
      () => true,
      (error: Error) => !error.message.startsWith('An update or delete needs a condition'),
    );
    expect(outcome).toBe(isAllowed);
  });
});

import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startUpgradedServer } from '../../testing/first-release.ts';
import { readRows } from '../../testing/rows.ts';
import { engines } from '../../testing/server.ts';

test.each(engines)('packs of an earlier version on %s belong to the park of their creator', async (engine) => {
  await using server = await startUpgradedServer(engine, '023', async (db) => {
    for (const [id, park] of [
      ['u1', 'Mounds'],
      ['u2', ''],
    ]) {
      await sql`insert into users (id, username, username_key, password_hash, must_change_password, role, park, created_at, full_name, email) values (${id}, ${id}, ${id}, 'x', 0, 'Admin', ${park}, '2026-01-01', '', '')`.execute(
        db,
      );
      await sql`insert into packs (id, recipient, purpose, without_names, state, done, total, attempts, has_file, created_at, created_by, created_by_name) values (${id}, 'HSE', 'Visit', 0, 'ready', 1, 1, 1, 1, '2026-01-01', ${id}, ${id})`.execute(
        db,
      );
    }
  });
  expect((await readRows(server.db, 'packs', {}, 'id')).map(({ id, parks }) => [id, parks])).toEqual([
    ['u1', '["Mounds"]'],
    ['u2', 'null'],
  ]);
});

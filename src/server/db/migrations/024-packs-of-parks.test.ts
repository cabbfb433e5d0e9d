import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { parseConfig } from '../../config.ts';
import { createTestFolder } from '../../testing/folder.ts';
import { createDatabase, engines } from '../../testing/server.ts';
import { testSettings } from '../../testing/settings.ts';
import { connect } from '../connect.ts';
import { migrate, migrations } from '../migrate.ts';

test.each(engines)('packs of an earlier version on %s belong to the park of their creator', async (engine) => {
  const folder = createTestFolder(onTestFinished);
  const database = engine === 'postgres' ? await createDatabase({ isMigrated: false }) : undefined;
  const db = await connect(parseConfig({ ...testSettings, DATA_DIR: folder, DATABASE_URL: database?.url ?? '' }));
  try {
    await migrate(db, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '024')));
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
    await migrate(db);
    const packs = await db.selectFrom('packs').select(['id', 'parks']).orderBy('id').execute();
    expect(packs).toEqual([
      { id: 'u1', parks: '["Mounds"]' },
      { id: 'u2', parks: 'null' },
    ]);
  } finally {
    await db.destroy();
    await database?.drop();
  }
});

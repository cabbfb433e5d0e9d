import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { parseConfig } from '../config.ts';
import { createDatabase, engines } from '../testing/server.ts';
import { testSettings } from '../testing/settings.ts';
import { connect } from './connect.ts';
import { assertNumbered, listAppliedMigrations, migrate } from './migrate.ts';

test.runIf(engines.includes('postgres'))('an instance that waits for another one migrates nothing twice', async () => {
  const database = await createDatabase();
  const config = parseConfig({ ...testSettings, DATABASE_URL: database.url });
  const [first, second] = [await connect(config), await connect(config)];
  try {
    const hasWaiter = async () => {
      const waiting = sql`select 1 from pg_stat_activity where wait_event = 'advisory' and datname = ${database.name}`;
      expect((await waiting.execute(second)).rows).toHaveLength(1);
    };
    let waiter: Promise<void> | undefined;
    const migrations = {
      '001-initial': {
        async up(db: typeof first) {
          await sql`create table once (id integer)`.execute(db);
          waiter = migrate(second, migrations);
          await vi.waitFor(hasWaiter);
        },
      },
    };
    await migrate(first, migrations);
    await waiter;
    expect(await listAppliedMigrations(second)).toEqual(['001-initial']);
  } finally {
    await Promise.all([first.destroy(), second.destroy()]);
    await database.drop();
  }
});

test('migrations with a missing number, or one used twice, are rejected', () => {
  assertNumbered(['001-a', '002-b']);
  for (const names of [
    ['001-a', '003-c'],
    ['001-a', '001-b'],
  ])
    expect(() => assertNumbered(names)).toThrow(`but ${names[1]} is number 2`);
});

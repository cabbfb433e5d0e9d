import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, engines } from '../testing/server.ts';
import { connect } from './connect.ts';
import { searchInTurn } from './postgres-searches.ts';
import type { Database } from './schema.ts';
import { createSearchRunner } from './search-thread.ts';

describe.runIf(engines.includes('postgres'))('searches on PostgreSQL', () => {
  let ownDatabase: Awaited<ReturnType<typeof createDatabase>>;
  let db: Database;
  beforeAll(async () => {
    ownDatabase = await createDatabase();
    db = await connect({ databaseUrl: ownDatabase.url, dataDir: '' });
  });
  afterAll(async () => {
    await db.destroy();
    await ownDatabase.drop();
  });

  const signal = new AbortController().signal;
  const filtered = { isFiltered: true };
  const readSettings = async (db: Database) =>
    (
      await sql<{
        workers: string;
        timeout: string;
      }>`select current_setting('max_parallel_workers_per_gather') as workers,
        current_setting('statement_timeout') as timeout`.execute(db)
    ).rows[0];

  test('a search on PostgreSQL uses one process and has a time limit, which later queries do not have', async () => {
    const before = await readSettings(db);
    expect(await searchInTurn(db, signal, readSettings)).toEqual({ workers: '0', timeout: '15s' });
    expect(await readSettings(db)).toEqual(before);
  });

  test('searches on PostgreSQL run one at a time, also after one has failed', async () => {
    const { promise: hold, resolve: release } = Promise.withResolvers<void>();
    let isReleased = false;
    const first = searchInTurn(db, signal, async () => {
      await hold;
      isReleased = true;
      throw new Error('failed');
    });
    const second = searchInTurn(db, signal, async () => isReleased);
    // Another query, such as a list, does not wait for the searches.
    expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
    release();
    await expect(first).rejects.toThrow('failed');
    expect(await second).toBe(true);
  });

  test('lists and counts of a search take turns, and a list without one does not wait', async () => {
    const { promise: hold, resolve: release } = Promise.withResolvers<void>();
    const search = createSearchRunner(db, undefined, () => signal);
    const done: string[] = [];
    const first = search('pool', () => hold.then(() => done.push('first')));
    const others = [
      search('step', async () => done.push('second')),
      search('', async () => done.push('third'), filtered),
    ];
    await search('', async () => done.push('list'));
    release();
    await Promise.all([first, ...others]);
    expect(done).toEqual(['list', 'first', 'second', 'third']);
  });

  test('a search whose request has ended does not run', async () => {
    let hasRun = false;
    const search = searchInTurn(db, AbortSignal.abort(), async () => {
      hasRun = true;
    });
    await expect(search).rejects.toThrow();
    expect(hasRun).toBe(false);
  });

  test('a search gets a 503 if it takes too long or too many others wait', async () => {
    const longSearch = searchInTurn(db, signal, async (db) => {
      await sql`set local statement_timeout = 1`.execute(db);
      await sql`select pg_sleep(60)`.execute(db);
    });
    await expect(longSearch).rejects.toMatchObject({
      status: 503,
      message: 'This search takes too long. Please add a word.',
    });
    const manySearches = Array.from({ length: 60 }, () => searchInTurn(db, signal, async () => 1));
    const results = await Promise.allSettled(manySearches);
    const rejected = results.filter(({ status }) => status === 'rejected');
    expect(rejected.length).toBe(10);
    expect(rejected[0]).toMatchObject({ reason: { status: 503, details: { retryAfter: 2 } } });
  });
});

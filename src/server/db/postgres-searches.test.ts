import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, engines } from '../testing/server.ts';
import { connect } from './connect.ts';
import { searchInTurn } from './postgres-searches.ts';
import type { Database } from './schema.ts';
import { createSearchRunner } from './search-runner.ts';

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
    expect(await searchInTurn(db, { signal }, readSettings)).toEqual({ workers: '0', timeout: '15s' });
    expect(await readSettings(db)).toEqual(before);
  });

  test('searches on PostgreSQL run one at a time, also after one has failed', async () => {
    const { promise: hold, resolve: release } = Promise.withResolvers<void>();
    let isReleased = false;
    const first = searchInTurn(db, { signal }, async () => {
      await hold;
      isReleased = true;
      throw new Error('failed');
    });
    const second = searchInTurn(db, { signal }, async () => isReleased);
    // Another query, such as a list, does not wait for the searches.
    expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
    release();
    await expect(first).rejects.toThrow('failed');
    expect(await second).toBe(true);
  });

  test('lists and counts of a search take turns, and a list without words does not wait', async () => {
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

  test('searches whose requests have ended do not run, and leave their places to others', async () => {
    const { promise: hold, resolve: release } = Promise.withResolvers<void>();
    const controller = new AbortController();
    let runs = 0;
    const work = async () => (runs += 1);
    const first = searchInTurn(db, { signal }, () => hold);
    const all = Array.from({ length: 50 }, () => searchInTurn(db, { signal: controller.signal }, work));
    await expect(searchInTurn(db, { signal }, work)).rejects.toMatchObject({ status: 503, details: { retryAfter: 2 } });
    const results = Promise.allSettled(all);
    controller.abort();
    await expect(searchInTurn(db, { signal: controller.signal }, work)).rejects.toThrow();
    expect((await results).filter(({ status }) => status === 'rejected')).toHaveLength(50);
    const last = searchInTurn(db, { signal }, work);
    release();
    await first;
    expect(await last).toBe(1);
  });

  test('a search that takes too long asks for more letters, or for another word', async () => {
    const search = createSearchRunner(db, undefined, () => signal);
    const sleep = (db: Database) => sql`select pg_sleep(60)`.execute(db);
    await expect(search('zz q', sleep)).rejects.toMatchObject({ status: 400, details: { code: 'SHORT_SEARCH' } });
    const wait = async (db: Database) => {
      await sql`set local statement_timeout = 1`.execute(db);
      await sleep(db);
    };
    await expect(search('pool', wait)).rejects.toMatchObject({
      status: 422,
      message: 'This search takes too long. Please add a word.',
    });
  });

  test('a search cannot write', async () => {
    await expect(searchInTurn(db, { signal }, (db) => sql`create table x (y int)`.execute(db))).rejects.toThrow(
      /read-only transaction/,
    );
  });
});

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, engines } from '../testing/server.ts';
import { connect } from './connect.ts';
import { countInTurn } from './postgres-counts.ts';
import type { Database } from './schema.ts';

describe.runIf(engines.includes('postgres'))('counts on PostgreSQL', () => {
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
  const readSettings = async (db: Database) =>
    (
      await sql<{
        workers: string;
        timeout: string;
      }>`select current_setting('max_parallel_workers_per_gather') as workers,
        current_setting('statement_timeout') as timeout`.execute(db)
    ).rows[0];

  test('a search count on PostgreSQL uses one process and has a time limit, which later queries do not have', async () => {
    const before = await readSettings(db);
    expect(await countInTurn(db, signal, readSettings)).toEqual({ workers: '0', timeout: '15s' });
    expect(await readSettings(db)).toEqual(before);
  });

  test('search counts on PostgreSQL run one at a time, also after one has failed', async () => {
    const { promise: hold, resolve: release } = Promise.withResolvers<void>();
    let isReleased = false;
    const first = countInTurn(db, signal, async () => {
      await hold;
      isReleased = true;
      throw new Error('failed');
    });
    const second = countInTurn(db, signal, async () => isReleased);
    // Another query, such as a list, does not wait for the counts.
    expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
    release();
    await expect(first).rejects.toThrow('failed');
    expect(await second).toBe(true);
  });

  test('a search count whose request has ended does not run', async () => {
    let hasRun = false;
    const count = countInTurn(db, AbortSignal.abort(), async () => {
      hasRun = true;
    });
    await expect(count).rejects.toThrow();
    expect(hasRun).toBe(false);
  });

  test('a search count gets a 503 if it takes too long or too many others wait', async () => {
    const longCount = countInTurn(db, signal, async (db) => {
      await sql`set local statement_timeout = 1`.execute(db);
      await sql`select pg_sleep(60)`.execute(db);
    });
    await expect(longCount).rejects.toMatchObject({
      status: 503,
      message: 'This search takes too long. Please add a word.',
    });
    const manyCounts = Array.from({ length: 60 }, () => countInTurn(db, signal, async () => 1));
    const results = await Promise.allSettled(manyCounts);
    const rejectedCounts = results.filter((count) => count.status === 'rejected');
    expect(rejectedCounts.length).toBe(10);
    expect(rejectedCounts[0]).toMatchObject({ reason: { status: 503, details: { retryAfter: 2 } } });
  });
});

import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestFolder } from '../testing/folder.ts';
import { openReader, QueryTimeoutError, type Reader } from './reader.ts';
import type { Database } from './schema.ts';
import { createSearchRunner } from './search-runner.ts';

const folder = createTestFolder();
let file: Sqlite.Database;
let reader: Reader;

beforeAll(() => {
  file = new Sqlite(join(folder, 'a.sqlite'));
  file.pragma('journal_mode = wal');
  file.exec('create table things (name text); insert into things values (1)');
  reader = openReader(join(folder, 'a.sqlite'));
});
afterAll(async () => {
  await reader.close();
  file.close();
});

const endlessQuery =
  'with recursive n (i) as (select 1 union all select i + 1 from n) select count(*) from n where should_continue(i)';
const count = () => reader.run('select count(*) as count from things', []);

test("the reader's thread sees the latest commit and cannot write", async () => {
  file.exec('insert into things values (2)');
  expect(await count()).toEqual([{ count: 2 }]);
  await expect(reader.run('delete from things', [])).rejects.toThrow();
  expect(await count()).toEqual([{ count: 2 }]);
});

test('a query over its time limit is stopped, and the next one runs', async () => {
  await expect(reader.run(endlessQuery, [], { limitMs: 50 })).rejects.toThrow(QueryTimeoutError);
  expect(await count()).toEqual([{ count: 2 }]);
});

test('a query whose request ends is stopped, whether it is running or waiting', async () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const runningQuery = reader.run(endlessQuery, [], { signal: first.signal });
  const waiting = reader.run(endlessQuery, [], { signal: second.signal });
  const after = count();
  const secondRejection = expect(waiting).rejects.toThrow('cancelled');
  second.abort();
  await secondRejection;
  const rejection = expect(runningQuery).rejects.toThrow('cancelled');
  first.abort();
  await rejection;
  expect(await after).toEqual([{ count: 2 }]);
});

test('a query whose request has already ended does not run', async () => {
  await expect(reader.run(endlessQuery, [], { signal: AbortSignal.abort() })).rejects.toThrow('cancelled');
  expect(await count()).toEqual([{ count: 2 }]);
});

test('a query beyond 50 waiting ones is rejected with 503', async () => {
  const controller = new AbortController();
  const all = Array.from({ length: 51 }, () =>
    reader.run(endlessQuery, [], { signal: controller.signal }).catch(() => 'ended'),
  );
  expect(() => reader.run(endlessQuery, [])).toThrow('Many people are searching');
  controller.abort();
  expect(await Promise.all(all)).toEqual(all.map(() => 'ended'));
});

const addAWord = { status: 422, message: 'This search takes too long. Please add a word.' };

test('a search that takes too long asks for more letters, or for another word', async () => {
  const slowReader: Reader = { run: () => Promise.reject(new QueryTimeoutError()), close: async () => {} };
  const search = createSearchRunner({} as Database, slowReader, () => new AbortController().signal);
  const work = (db: Database) => db.selectFrom('reports').select('id').execute();
  await expect(search('zz q', work)).rejects.toMatchObject({
    status: 400,
    message: 'Enter at least three letters or a park',
  });
  await expect(search('zz pool', work)).rejects.toMatchObject(addAWord);
});

test("a query with filters but no words runs in the reader's thread, and asks for a word if it takes too long", async () => {
  const slowReader: Reader = { run: () => Promise.reject(new QueryTimeoutError()), close: async () => {} };
  const search = createSearchRunner({} as Database, slowReader, () => new AbortController().signal);
  const work = (db: Database) => db.selectFrom('reports').select('id').execute();
  await expect(search('', work, { isFiltered: true })).rejects.toMatchObject(addAWord);
});

test('messages that node --watch sends are not treated as query results', async () => {
  process.env.WATCH_REPORT_DEPENDENCIES = '1';
  const openedReader = openReader(join(folder, 'a.sqlite'));
  try {
    expect(await openedReader.run('select 7 as seven', [])).toEqual([{ seven: 7 }]);
    expect(await openedReader.run('select 8 as eight', [])).toEqual([{ eight: 8 }]);
  } finally {
    delete process.env.WATCH_REPORT_DEPENDENCIES;
    await openedReader.close();
  }
});

test("a search whose request has ended rejects with 503 instead of the query's error", async () => {
  const cancelledReader: Reader = { run: () => Promise.reject(new Error('cancelled')), close: async () => {} };
  const search = createSearchRunner({} as Database, cancelledReader, () => AbortSignal.abort());
  const work = (db: Database) => db.selectFrom('users').select('id').execute();
  await expect(search('pool', work)).rejects.toMatchObject({ status: 503 });
});

import { openSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createTestFolder } from '../testing/folder.ts';
import { toDamageError } from './connect.ts';
import { canCheckInParallel, startParallelCheck } from './integrity.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = createTestFolder(onTestFinished);
  path = join(folder, 'a.sqlite');
});

test('only a large database, after a clean shutdown, can be checked while the server already runs', () => {
  expect(canCheckInParallel(path)).toBe(false);
  writeFileSync(path, '');
  expect(canCheckInParallel(path)).toBe(false);
  truncateSync(path, 65 * 1024 * 1024);
  expect(canCheckInParallel(path)).toBe(true);
  writeFileSync(`${path}-wal`, '');
  expect(canCheckInParallel(path)).toBe(false);
});

test('the parallel integrity check reports damage, and nothing for an intact database or after it was stopped', async () => {
  const file = new Sqlite(path);
  file.pragma('journal_mode = wal');
  file.exec('create table things (name text); create index by_name on things (name)');
  const insert = file.prepare('insert into things values (?)');
  for (let index = 0; index < 5000; index++) insert.run(`thing ${index}`);
  file.close();
  expect(await startParallelCheck(path).problem).toBeUndefined();
  const bytes = openSync(path, 'r+');
  for (let page = 3; page < 20; page++) writeSync(bytes, Buffer.alloc(2000, 0x5a), 0, 2000, page * 4096);
  const check = startParallelCheck(path);
  expect(await check.problem).toMatch(/\w/);
  await check.end();
  const checkResult = startParallelCheck(path);
  await checkResult.end();
  expect(await checkResult.problem).toBeUndefined();
});

test('an error that damage of the file has caused says what to do, and what was being done', () => {
  writeFileSync(path, Buffer.alloc(8192, 0x5a));
  const file = new Sqlite(path);
  let cause: unknown;
  try {
    file.exec('create table things (name text)');
  } catch (error) {
    cause = error;
  }
  file.close();
  const error = new Error('The migration 044-x failed', { cause });
  expect(toDamageError(error)).toMatchObject({
    message: 'The database is damaged (The migration 044-x failed). Restore the last backup: docs/operating.md.',
    cause: error,
  });
  const other = new Error('Another reason', { cause: new Error('of another kind') });
  expect(toDamageError(other)).toBe(other);
});

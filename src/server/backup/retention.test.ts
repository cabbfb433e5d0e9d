import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createTestFolder } from '../testing/folder.ts';
import { runProgram } from '../testing/process.ts';
import { startTestServer } from '../testing/server.ts';
import { createBackup } from './create-backup.ts';
import { createBackupName, listExpiredBackups } from './retention.ts';

const day = 24 * 60 * 60 * 1000;
const listNightsUntil = (last: string, count: number) =>
  Array.from({ length: count }, (_, index) => new Date(Date.parse(last) - (count - 1 - index) * day));
const getDay = (name: string) => name.slice('park-reports-'.length, 'park-reports-2026-11-21'.length);

test('a year of nightly backups leaves one for each of 7 days, 4 weeks and 12 months', () => {
  const nightlyNames = listNightsUntil('2026-11-21T02:00:00Z', 400).map(createBackupName);
  let keptBackups: string[] = [];
  for (const night of nightlyNames) {
    keptBackups.push(night);
    const expiredNames = new Set(listExpiredBackups(keptBackups));
    expect(expiredNames.has(night)).toBe(false);
    keptBackups = keptBackups.filter((name) => !expiredNames.has(name));
    expect(keptBackups.length).toBeLessThanOrEqual(7 + 4 + 12);
  }
  expect(keptBackups.map(getDay)).toEqual(
    [
      ...['2025-12-31', '2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31', '2026-06-30'],
      ...['2026-07-31', '2026-08-31', '2026-09-30', '2026-10-31', '2026-11-01', '2026-11-08'],
      ...['2026-11-15', '2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20', '2026-11-21'],
    ].sort(),
  );
  const expiredOnce = new Set(listExpiredBackups(nightlyNames.toReversed()));
  expect(nightlyNames.filter((name) => !expiredOnce.has(name))).toEqual(keptBackups);
});

test('the newest backup of a day is kept, and folders with other names are ignored', () => {
  const [morning, evening] = ['park-reports-2026-11-20T06-00-00Z', 'park-reports-2026-11-20T18-00-00Z'];
  const longAgo = listNightsUntil('2024-05-08T02:00:00Z', 7).map(createBackupName);
  const others = ['park-reports-2024-01-01T00-00-00Z.partial', 'my-park-reports', 'park-reports-2024-99-99T00-00-00Z'];
  expect(listExpiredBackups([morning, evening, ...longAgo, ...others])).toEqual([morning, longAgo[0]]);
});

test('two backups in one second have different names', async () => {
  const into = createTestFolder(onTestFinished);
  await using server = await startTestServer('sqlite');
  const now = new Date('2026-11-21T02:00:59.900Z');
  for (let count = 0; count < 2; count++) await createBackup(server.config, into, { now });
  expect(readdirSync(into)).toEqual(['park-reports-2026-11-21T02-00-59Z', 'park-reports-2026-11-21T02-01-00Z']);
});

test('a backup with --keep deletes only expired backups of this program', async () => {
  const into = createTestFolder(onTestFinished);
  await using server = await startTestServer('sqlite');
  const { folder: backupFolder } = await createBackup(server.config, join(into, 'elsewhere'));
  const nightlyNames = listNightsUntil('2020-03-31T02:00:00Z', 9).map(createBackupName);
  for (const night of nightlyNames) cpSync(backupFolder, join(into, night), { recursive: true });
  // Similar names from the same days: a user's own folder, an incomplete backup, a file.
  mkdirSync(join(into, 'park-reports-2020-03-23T09-00-00Z'));
  writeFileSync(join(into, 'park-reports-2020-03-23T09-00-00Z', 'notes.txt'), 'mine');
  mkdirSync(join(into, 'park-reports-2020-03-23T02-00-01Z.partial'));
  writeFileSync(join(into, 'park-reports-2020-03-23T10-00-00Z'), 'mine');
  const { code, output } = await runProgram([join(import.meta.dirname, '../cli/backup.ts'), into, '--keep'], {
    DATA_DIR: server.folder,
  });
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining(nightlyNames[0] ?? '') });
  const remainingNames = readdirSync(into);
  expect(
    remainingNames.filter((name) => name.startsWith('park-reports-2020') && name.endsWith('02-00-00Z')).map(getDay),
  ).toEqual(['2020-03-26', '2020-03-27', '2020-03-28', '2020-03-29', '2020-03-30', '2020-03-31']);
  for (const other of ['T09-00-00Z', 'T02-00-01Z.partial', 'T10-00-00Z'])
    expect(remainingNames).toContain(`park-reports-2020-03-23${other}`);
  expect(remainingNames.filter((name) => name.startsWith('park-reports-20') && !name.includes('2020'))).toHaveLength(1);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { api } from '#shared/api.ts';
import { createBackup } from '../backup/create-backup.ts';
import { serverActor } from '../db/activity-log.ts';
import { connectReadOnly, getSqlitePath } from '../db/connect.ts';
import { mergeSearchIndexes } from '../db/search.ts';
import { writeTransaction } from '../db/write-transaction.ts';
import { newAudit, newFolder, newReport } from '../testing/factories.ts';
import { createTestFolder } from '../testing/folder.ts';
import { runMaintenance } from '../testing/maintenance.ts';
import { insertRow } from '../testing/rows.ts';
import { startTestServer } from '../testing/server.ts';
import { destroy } from './destroy.ts';
import { addToLedger } from './ledger.ts';

// PostgreSQL frees the space of deleted rows itself, some time later: docs/privacy.md.
test('destroyed texts and erased names are in no byte of the SQLite file, its log or a new backup', async () => {
  let now = Date.parse('2026-06-01T09:00:00Z');
  await using server = await startTestServer('sqlite', { RATE_SCALE: '100' }, () => now);
  const folder = createTestFolder(onTestFinished);
  let admin = await server.as('Admin');
  const submitted = await admin(api.submitAccident, {
    body: await newReport(admin, { age: 40, details: `Zebedee fell. ${'Quillfeather '.repeat(300)}` }),
  });
  const row = await server.db.selectFrom('reports').selectAll().executeTakeFirstOrThrow();
  const search_text = 'zebedee fell. quillfeather';
  // Enough rows to divide pages of the table and its indexes.
  for (let index = 1; index <= 300; index += 1) {
    const texts = { details: `Zebedee fell ${index}. Quillfeather`, location: 'Quillfeather Way', search_text };
    const copy = {
      ...row,
      ...texts,
      id: `copy-${index}`,
      number: `ACC-2027-${index}`,
      position: row.position - index,
    };
    await insertRow(server.db, 'reports', { ...copy, signature: null, affectedUserSignature: null });
  }
  const folderId = await newFolder(admin);
  const description = `${'Nothing. '.repeat(400)}Kingfisher`;
  const { id } = await admin(api.createAudit, { body: newAudit(folderId, { description }) });
  const request = { name: 'Kingfisher', spellings: [], number: '', receivedOn: '2026-01-31' };
  const params = { id: (await admin(api.createAccessRequest, { body: request })).id };
  const countBytes = (file: string, word: string) =>
    readFileSync(file).toString('latin1').toLowerCase().split(word).length - 1;
  const file = getSqlitePath(server.folder);
  const files = [file, `${file}-wal`];
  const count = (word: string, paths = files) => paths.reduce((sum, path) => sum + countBytes(path, word), 0);
  expect(count('quillfeather')).toBeGreaterThan(500);

  now = Date.parse('2040-06-01T09:00:00Z');
  admin = await server.createSession(admin.id, admin.username);
  await admin(api.blankNames, { params, body: { ids: [`audit:${id}`], count: 1, reason: 'asked' } });
  // Only the access request still has the name: in its row, and nowhere else.
  expect(count('kingfisher')).toBe(1);
  for (let left = true; left; ) {
    const { rows, hash } = await admin(api.listRetention);
    const ids = rows
      .filter(({ thing }) => thing === 'report')
      .map(({ id }) => id)
      .slice(0, 100);
    if (ids.length > 0) await admin(api.runRetention, { body: { hash, ids, count: ids.length } });
    left = ids.length > 0;
  }
  expect(await server.db.selectFrom('reports').select('id').where('id', '=', submitted.id).execute()).toEqual([]);
  expect(count('quillfeather')).toBe(0);
  const backup = await createBackup(server.config, folder, { now: new Date(now) });
  expect(count('quillfeather', [join(backup.folder, 'database.sqlite')])).toBe(0);
});

/** Characters with different first bytes: an index does not store what two terms have in common. */
const word = '中靐漢';

async function startWithReport() {
  const server = await startTestServer('sqlite', { RATE_SCALE: '100' });
  const admin = await server.as('Admin');
  const { id } = await admin(api.submitAccident, { body: await newReport(admin, { location: word }) });
  // In one part of the index with another report, so that it is not dropped as a whole.
  await admin(api.submitAccident, { body: await newReport(admin) });
  await mergeSearchIndexes(server.db, { isWhole: true });
  const file = getSqlitePath(server.folder);
  const bytes = Buffer.from(word);
  const count = (path: string) => {
    const content = readFileSync(path);
    let found = 0;
    for (let at = content.indexOf(bytes); at >= 0; at = content.indexOf(bytes, at + 1)) found += 1;
    return found;
  };
  const destroyReport = () =>
    writeTransaction(server.db, serverActor, new Date(), (db) =>
      destroy(db, { id, thing: 'report', class: '', until: '' }, new Date()),
    );
  expect(count(file) + count(`${file}-wal`)).toBeGreaterThan(0);
  return { server, id, destroyReport, countTraces: () => count(file) + count(`${file}-wal`) };
}

test('a start removes the traces of a record that was destroyed right before a crash', async () => {
  const { server, destroyReport, countTraces } = await startWithReport();
  try {
    await destroyReport();
    expect(countTraces()).toBeGreaterThan(0);
    await server.restart();
    expect(countTraces()).toBe(0);
  } finally {
    await server.stop();
  }
});

test('the hourly maintenance removes traces that stayed while the database was being read', async () => {
  const { server, destroyReport, countTraces } = await startWithReport();
  const reader = await connectReadOnly(server.config);
  try {
    await reader.transaction().execute(async (reader) => {
      await reader.selectFrom('reports').select('id').execute();
      await destroyReport();
      await runMaintenance(server, () => new Date());
      expect(countTraces()).toBeGreaterThan(0);
    });
    await runMaintenance(server, () => new Date());
    expect(countTraces()).toBe(0);
  } finally {
    await reader.destroy();
    await server.stop();
  }
});

test('a record that is destroyed again after a restore leaves no traces', async () => {
  const { server, id, countTraces } = await startWithReport();
  try {
    // A restored database has the record, and the ledger says that it was destroyed.
    const entry = {
      id,
      thing: 'report',
      class: '',
      until: '',
      files: 0,
      hash: '',
      destroyed_at: '2026-01-01T00:00:00Z',
    };
    await addToLedger(server.config.retention.ledger, [entry]);
    await server.restart();
    expect(await server.db.selectFrom('reports').select('id').where('id', '=', id).execute()).toEqual([]);
    expect(countTraces()).toBe(0);
  } finally {
    await server.stop();
  }
});

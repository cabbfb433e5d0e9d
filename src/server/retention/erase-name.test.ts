import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import type { ErasureOutcome } from '#shared/people/name-erasure.ts';
import { verifyLog } from '../activity/verify.ts';
import { createBackup } from '../backup/create-backup.ts';
import { restoreBackup } from '../backup/restore.ts';
import type { Database } from '../db/schema.ts';
import { listBackedUpTables } from '../db/tables.ts';
import { openFileStore } from '../files/open-store.ts';
import { newAudit, newFolder, newReport } from '../testing/factories.ts';
import { createTestFolder } from '../testing/folder.ts';
import { startRetentionTest } from '../testing/retention-server.ts';
import { changeRows, insertRow } from '../testing/rows.ts';
import { engines } from '../testing/server.ts';
import { connectTo, createStorage } from '../testing/storage.ts';
import { setUp } from '../testing/test-server.ts';
import { readLedger } from './ledger.ts';
import { replayLedger } from './replay.ts';

const name = 'Eluned Prydderch';
const number = '07700900555';
const erasedText = 'erased 01/06/2040';
/** Matches any part of the name, and the number in any form. */
const namePattern = /eluned|prydderch|07700[ -]?900[ -]?555/i;

describe.each(engines)('erasing names inside records that are kept, on %s', (engine) => {
  const folder = createTestFolder();
  const { server, admin, clock, setDay } = setUp(() => startRetentionTest(engine));

  const request = async () => {
    const body = { name, spellings: ['Lyn Prydderch'], number, receivedOn: '2026-01-31' };
    return { id: (await admin(api.createAccessRequest, { body })).id };
  };
  const eraseRecords = async (params: { id: string }, ids: string[], client = admin): Promise<ErasureOutcome> =>
    client(api.blankNames, { params, body: { ids, count: ids.length, reason: 'asked' } });
  /** Returns the tables that still contain the name, except the given ones. */
  const listTraces = async (db: Database, except: string[] = []) => {
    const tablesWithName: string[] = [];
    for (const table of await listBackedUpTables(db)) {
      if (except.includes(table)) continue;
      const rows = await db
        .selectFrom(table as 'reports')
        .selectAll()
        .execute();
      if (namePattern.test(JSON.stringify(rows))) tablesWithName.push(table);
    }
    return tablesWithName.sort();
  };

  async function createRecords() {
    const body = await newReport(admin, {
      ...{ name, age: 40, contactNumber: number, reporter: 'Huw Parry' },
      details: 'ELUNED\n  Prydderch fell. Call 07700 900-555.',
      location: 'Plot of Éluned Prydderch',
    });
    body.mediaFiles = body.mediaFiles.map((file) => ({ ...file, name: `${name}.jpg` }));
    const report = (await admin(api.submitAccident, { body })).id;
    // Open a photo, because its log entry contains the name of its file.
    const [photo] = (await admin(api.getReport, { params: { id: report } })).mediaFiles;
    await changeRows(server.db, 'uploads', { path: photo?.path ?? '' }, { label: `${name}.jpg` });
    expect((await admin.fetch(photo?.path ?? '')).status).toBe(200);
    expect(JSON.stringify(await admin(api.listActivity))).toContain(`${name}.jpg`);
    const params = { id: report };
    const particulars = { witnesses: `The cook and ${name}` };
    await admin(api.saveAssessment, { params, body: { version: 0, answers: {}, people: [{}], particulars } });
    const decision = { version: 1, decision: 'reportable' as const, reason: 'To be sure' };
    // Send the decision with a key, because its stored reply contains the particulars of the
    // person.
    await admin(api.decideAssessment, { params, key: crypto.randomUUID(), body: decision });
    const notice = { duties: [], how: 'telephone' as const, on: '2026-06-01', note: `${name} was told` };
    await admin(api.addRiddorNotice, { params, body: notice });
    const sections = [{ title: 'Who?', type: 'text' as const, required: false }];
    const { id: checklistId } = await admin(api.createChecklist, { body: { title: 'Round', sections } });
    await admin(api.submitChecklist, { body: { checklistId, data: { '0': 'Done with Lyn Prydderch' } } });
    const submission = await server.db.selectFrom('submissions').select('id').executeTakeFirstOrThrow();
    const folderId = await newFolder(admin, { name: `Hut of ${name}`, description: `For ${name}` });
    // Create a reviewer, who is notified of urgent audits with their titles.
    await server.as('Health & Safety Manager');
    const texts = { title: `Ask ${name}`, assignee: name, description: `${name} knows` };
    const audit = (await admin(api.createAudit, { body: newAudit(folderId, { ...texts, is_urgent: true }) })).id;
    await admin(api.addAuditNote, { params: { id: audit }, body: { text: `${name} has the key` } });
    const source = { thing: 'audit' as const, id: audit, photos: [] };
    const next = (await admin(api.createAudit, { body: newAudit(folderId, { source }) })).id;
    const change = { params: { id: audit }, body: { data: { location: `Near ${name}` } } };
    await admin(api.updateAudit, change);
    expect((await admin(api.getAudit, { params: { id: next } })).data.source?.label).toContain(name);
    const hold = { thing: 'person' as const, thing_id: name, reason: `A claim of ${name}`, reviewOn: '2099-01-01' };
    const holdId = (await admin(api.setHold, { body: hold })).id;
    return { report, submission: submission.id, folderId, audit, next, holdId };
  }

  test('a name is kept while the law or a hold requires it, and is then erased in every kept record', async () => {
    const made = await createRecords();
    const params = await request();
    const ids = [
      ...[`report:${made.report}`, `submission:${made.submission}`, `audit:${made.audit}`, `folder:${made.folderId}`],
      `hold:${made.holdId}`,
    ];
    const outcomeWithHold = await eraseRecords(params, ids);
    expect(outcomeWithHold.blanked).toEqual([]);
    expect(new Set(outcomeWithHold.skipped.map(({ reason }) => reason))).toEqual(
      new Set(['A hold keeps it: see Holds']),
    );
    await admin(api.liftHold, { params: { id: made.holdId } });
    const tooEarly = await eraseRecords(params, [
      `report:${made.report}`,
      'activity:all',
      `accessRequest:${params.id}`,
    ]);
    expect(tooEarly.skipped.map(({ reason }) => reason)).toEqual([
      'Kept by law until 01/06/2032',
      'The activity log is evidence and is never changed',
      'An access request is destroyed whole when its period has ended',
    ]);
    const months = () => admin(api.listReportMonths, { query: { reportType: 'accident' } });
    const countsByMonth = await months();
    const { folder: backup } = await createBackup(server.config, folder, { now: clock() });
    await setDay('2040-06-01');

    await expect(admin(api.blankNames, { params, body: { ids, count: 1, reason: 'asked' } })).rejects.toMatchObject({
      status: 400,
    });
    const parkAdmin = await server.as('Admin', 'Lido Beach');
    await expect(eraseRecords(params, ids, parkAdmin)).rejects.toMatchObject({ status: 403 });
    const listedRows = { [made.audit]: { label: `Ask ${name}`, hash: '' } };
    await insertRow(server.db, 'retention_lists', {
      hash: 'monthly',
      made_at: clock().toISOString(),
      is_monthly: 1,
      rows: JSON.stringify(listedRows),
    });
    const outcome = await eraseRecords(params, ids);
    expect(outcome).toEqual({ blanked: ids, skipped: [] });
    expect((await eraseRecords(params, ids)).blanked).toEqual([]);

    const report = await admin(api.getReport, { params: { id: made.report } });
    expect(report).toMatchObject({
      ...{
        name: erasedText,
        contactNumber: erasedText,
        reporter: 'Huw Parry',
        location: `Plot of ${erasedText}`,
        age: 40,
      },
      ...{ details: `${erasedText} fell. Call ${erasedText}.`, affectedUserSignature: null },
      signature: expect.objectContaining({ storageType: 'server' }),
    });
    expect((await admin.fetch(api.getReportPdf.path.replace('{id}', made.report))).status).toBe(200);
    const assessment = await admin(api.getAssessment, { params: { id: made.report } });
    expect(JSON.stringify(assessment)).toContain(`The cook and ${erasedText}`);
    const audit = await admin(api.getAudit, { params: { id: made.audit } });
    expect(audit).toMatchObject({
      title: `Ask ${erasedText}`,
      data: { assignee: erasedText, location: `Near ${erasedText}` },
    });
    expect(await months()).toEqual(countsByMonth);

    // The name is left only in the access request itself and in the log, whose rows never change.
    expect(await listTraces(server.db, ['access_requests', 'activity'])).toEqual([]);
    expect((await verifyLog(server.db)).badRow).toBeUndefined();
    const search = async (q: string) => (await admin(api.listReports, { query: { q } })).length;
    expect([await search('eluned'), await search('prydderch'), await search(number)]).toEqual([0, 0, 0]);
    expect(await search(erasedText)).toBe(1);
    expect(await admin(api.listSubmissions, { query: { q: 'prydderch' } })).toEqual([]);
    const activity = await admin(api.listActivity, { query: { limit: 200 } });
    expect(JSON.stringify(activity)).not.toMatch(namePattern);
    expect(await admin(api.listActivity, { query: { q: 'prydderch' } })).toEqual([]);
    const line = activity.find(({ thing_id, action }) => thing_id === made.report && action === 'blanked a name in');
    expect(line).toMatchObject({
      actor: admin.username,
      changes: {
        fields: expect.arrayContaining(['name', 'details', 'version 1 particulars witnesses']),
        ...{ why: 'asked', request: params.id, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      },
    });
    expect(await admin(api.listActivity, { query: { q: 'blanked a name', thing: 'audit' } })).toHaveLength(1);
    for (const format of ['csv', 'xlsx'] as const) {
      const query = new URLSearchParams({ format });
      const response = await admin.fetch(`${api.exportReports.path}?${query}`);
      expect(await response.text()).not.toMatch(namePattern);
    }
    const { hits } = await admin(api.getAccessRequest, { params });
    expect(hits).toEqual([]);
    const files = readdirSync(join(server.folder, 'uploads'), { recursive: true, withFileTypes: true });
    expect(files.filter((entry) => entry.isFile())).toHaveLength(2);

    // The next backup copies the erasure ledger beside the older backups.
    await createBackup(server.config, folder, { now: clock() });
    expect(readFileSync(join(folder, 'destroyed.jsonl'), 'utf8')).not.toMatch(namePattern);
    const storage = await createStorage(engine);
    const ledger = join(storage.dataDir, 'destroyed.jsonl');
    const config = { ...server.config, ...storage, retention: { ...server.config.retention, ledger } };
    await restoreBackup(config, backup);
    const db = await connectTo(config);
    expect(await listTraces(db)).toContain('reports');
    const services = { db, config, files: await openFileStore(config), clock };
    // Two instances that start at once.
    const [first, second] = await Promise.all([replayLedger(services), replayLedger(services)]);
    expect(first + second).toBe(ids.length);
    expect(await listTraces(db, ['access_requests', 'activity'])).toEqual([]);
    const restored = await db.selectFrom('reports').selectAll().executeTakeFirstOrThrow();
    expect(restored.details).toBe(report.details);
    expect((await verifyLog(db)).badRow).toBeUndefined();
    expect(await replayLedger(services)).toBe(0);
    expect(await readLedger(ledger)).toHaveLength(ids.length);
  });

  test('a name in the reason of a hold is kept until the hold is lifted', async () => {
    const hold = { thing: 'park' as const, thing_id: 'Mounds', reason: `A claim of ${name}`, reviewOn: '2099-01-01' };
    const { id } = await admin(api.setHold, { body: hold });
    const params = await request();
    const { skipped } = await eraseRecords(params, [`hold:${id}`]);
    expect(skipped.map(({ reason }) => reason)).toEqual(['The hold is in force: lift it first']);
    await admin(api.liftHold, { params: { id } });
    expect((await eraseRecords(params, [`hold:${id}`])).blanked).toEqual([`hold:${id}`]);
  });

  test("erasing a name in a report also erases the report's fingerprint", async () => {
    await setDay('2026-06-01');
    const { id } = await admin(api.submitAccident, { body: await newReport(admin, { name, age: 40 }) });
    const params = await request();
    const readFingerprint = async () =>
      (await server.db.selectFrom('reports').select('fingerprint').where('id', '=', id).executeTakeFirstOrThrow())
        .fingerprint;
    expect(await readFingerprint()).toMatch(/^\w{64}$/);
    await setDay('2040-06-01');
    expect((await eraseRecords(params, [`report:${id}`])).blanked).toEqual([`report:${id}`]);
    expect(await readFingerprint()).toBe('');
  });
});

// Data of the first release is complete, readable and restorable in this version.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { verifyLog } from '../activity/verify.ts';
import { isMigrated } from '../db/migrate.ts';
import { firstReleaseRows, firstReleaseUserId, startOnFirstRelease } from './first-release.ts';
import { engines, type TestClient, type TestServer } from './server.ts';

describe.each(engines)('data of the first release on %s', (engine) => {
  let server: TestServer;
  let admin: TestClient;
  beforeAll(async () => {
    server = await startOnFirstRelease(engine);
    admin = await server.signIn('admin');
  });
  afterAll(() => server?.stop());

  const undeletedRows = (table: string) => firstReleaseRows(table).filter((row) => row.deletion_id === null);

  test('a database of the first release is migrated at start, and its users can still sign in', async () => {
    expect(await isMigrated(server.db)).toBe(true);
    const sian = await server.signIn('sian');
    expect((await sian(api.getSession)).user).toMatchObject({ id: firstReleaseUserId('sian'), park: 'Lido Beach' });
  });

  test('every report of the first release is listed unchanged and can be printed', async () => {
    const reports = await admin(api.listReports);
    expect(reports).toHaveLength(undeletedRows('reports').length);
    const unchangedFields = ['number', 'name', 'age', 'date', 'time', 'details', 'created_at'] as const;
    for (const row of undeletedRows('reports')) {
      const report = reports.find(({ id }) => id === row.id);
      expect(report?.affectedUserSignedBy).toBeNull();
      expect(report).toMatchObject(Object.fromEntries(unchangedFields.map((field) => [field, row[field]])));
      const pdf = await admin(api.getReportPdf, { params: { id: String(row.id) } });
      expect(Buffer.from(pdf).subarray(0, 5).toString()).toBe('%PDF-');
    }
    expect(await admin(api.listReports, { query: { q: 'wet step' } })).not.toEqual([]);
  });

  test('the photos of the first release are served', async () => {
    const [report] = await admin(api.listReports, { query: { q: 'ACC-2026-0001' } });
    for (const { path, size } of report?.mediaFiles ?? []) {
      const response = await admin.fetch(path);
      expect((await response.arrayBuffer()).byteLength).toBe(size);
    }
    expect(report?.mediaFiles).toHaveLength(2);
  });

  test('every checklist, submission, folder and audit of the first release is listed', async () => {
    expect(await admin(api.listChecklists)).toHaveLength(undeletedRows('checklists').length);
    const submissions = await admin(api.listSubmissions);
    expect(submissions.map(({ number }) => number).toSorted()).toEqual(
      undeletedRows('submissions').map(({ number }) => number),
    );
    const folders = await admin(api.listFolders);
    expect(folders).toHaveLength(undeletedRows('folders').length);
    const audits = await Promise.all(folders.map(({ id }) => admin(api.listAudits, { params: { folderId: id } })));
    expect(
      audits
        .flat()
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(
      undeletedRows('audits')
        .map(({ id }) => id)
        .toSorted(),
    );
  });

  test('the activity log of the first release stays valid', async () => {
    expect((await verifyLog(server.db)).badRow).toBeUndefined();
  });

  test('items deleted in the first release can be restored', async () => {
    const deleted = await admin(api.listDeleted);
    expect(deleted.map(({ thing }) => thing)).toEqual(
      expect.arrayContaining(['report', 'submission', 'folder', 'audit']),
    );
    for (const { id } of deleted) await admin(api.restoreDeleted, { params: { id } });
    expect(await admin(api.listDeleted)).toEqual([]);
    expect(await admin(api.listReports)).toHaveLength(firstReleaseRows('reports').length);
  });
});

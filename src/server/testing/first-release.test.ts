import { beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { verifyLog } from '../activity/verify.ts';
import { isMigrated } from '../db/migrate.ts';
import { unzip } from './documents.ts';
import { newReport } from './factories.ts';
import { firstReleaseRows, firstReleaseUserId, startOnFirstRelease } from './first-release.ts';
import { changeRows, readRows } from './rows.ts';
import { engines, type TestClient } from './server.ts';
import { setUp } from './test-server.ts';

describe.each(engines)('data of the first release on %s', (engine) => {
  const server = setUp(() => startOnFirstRelease(engine));
  let admin: TestClient;
  let huw: TestClient;
  beforeAll(async () => {
    admin = await server.signIn('admin');
    huw = await server.signIn('huw');
  });

  const undeletedRows = (table: string) => firstReleaseRows(table).filter((row) => row.deletion_id === null);
  const findReports = async (q: string) =>
    (await admin(api.listReports, { query: { q, limit: 500 } })).map(({ number }) => number).toSorted();

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

  test.each([
    ['14/03/2026', ['ACC-2026-0001']],
    ['14/3/26', ['ACC-2026-0001']],
    ['2 May 2026', ['ACC-2026-0002']],
    ['march 2026', ['ACC-2026-0001', 'INC-2026-0001']],
    ['14/02/2019', ['ACC-2026-0003']],
    ['last tuesday', ['ACC-2026-0004']],
    ['14:05', ['ACC-2026-0001']],
    ['coast', ['ACC-2026-0002']],
    ['contractor', ['INC-2026-0001']],
    ['climbing frame', ['ACC-2026-0002']],
  ])('a search for %s finds reports of the first release', async (q, numbers) => {
    expect(await findReports(q)).toEqual(numbers);
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
    expect(await admin(api.listSubmissions, { query: { failing: 'yes' } })).toEqual([]);
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

  test('submissions of the first release get the park of their first answer about a park, or none', async () => {
    const rows = await readRows(server.db, 'submissions', {}, 'number');
    expect(rows.map(({ number, park }) => [number, park])).toEqual([
      ['CHK-2026-0001', 'Lido Beach'],
      // The second park in the answers, and the park of the user, are different.
      ['CHK-2026-0002', 'Sunny Sands'],
      ['CHK-2026-0003', ''],
      ['CHK-2026-0004', ''],
      ['CHK-2026-0005', ''],
      ['CHK-2026-0006', 'Robin Hood'],
    ]);
    const listed = await huw(api.listSubmissions, { query: { park: 'Sunny Sands' } });
    expect(listed.map(({ number, park }) => [number, park])).toEqual([['CHK-2026-0002', 'Sunny Sands']]);
  });

  test('users of the first release keep their park, or all parks, and have no full names', async () => {
    const users = await admin(api.listUsers);
    expect(Object.fromEntries(users.map(({ username, park, parks }) => [username, { park, parks }]))).toMatchObject({
      carys: { park: '', parks: null },
      huw: { park: '', parks: null },
      nia: { park: 'Lido Beach', parks: ['Lido Beach'] },
    });
    const nia = await server.signIn('nia');
    expect((await nia(api.listFolders)).filter(({ park }) => park !== 'Lido Beach')).toEqual([]);
    expect((await admin(api.listFolders)).some(({ park }) => park !== 'Lido Beach')).toBe(true);
    for (const { username, name } of await admin(api.listNames)) expect(name).toBe(username);
    expect(users[0]).toMatchObject({ full_name: '', email: '' });
  });

  test('audits of the first release get a due time and the id of their assignee, and wait for no verification', async () => {
    const rows = await readRows(server.db, 'audits');
    const users = await readRows(server.db, 'users');
    expect(rows.length).toBeGreaterThan(0);
    for (const { due, date, time } of rows) expect(due).toBe(`${date || '9999-12-31'} ${time || '24:00'}`);
    for (const { assignee_id, data } of rows.filter((row) => row.assignee_id))
      expect(data).toContain(users.find(({ id }) => id === assignee_id)?.username);
    for (const row of rows) expect(row).toMatchObject({ verify_days: null, verify_by: null, completed_by_id: null });
  });

  test('the activity log of the first release stays valid', async () => {
    expect((await verifyLog(server.db)).badRow).toBeUndefined();
  });

  test('items deleted in the first release can be restored, and are found again', async () => {
    expect(await findReports('29/06/2026')).toEqual([]);
    const deleted = await admin(api.listDeleted);
    expect(deleted.map(({ thing }) => thing)).toEqual(
      expect.arrayContaining(['report', 'submission', 'folder', 'audit']),
    );
    for (const { id } of deleted) await admin(api.restoreDeleted, { params: { id } });
    expect(await admin(api.listDeleted)).toEqual([]);
    expect(await admin(api.listReports)).toHaveLength(firstReleaseRows('reports').length);
    expect(await findReports('29/06/2026')).toEqual(['INC-2026-0002']);
    await changeRows(server.db, 'reports', { number: 'INC-2026-0002' }, { search_text: 'nothing but seaweed' });
    expect(await findReports('29/06/2026')).toEqual([]);
    expect(await findReports('seaweed')).toEqual(['INC-2026-0002']);
  });

  test('reports of the first release count as opened; of a new one their users are notified', async () => {
    const listUnopened = () => huw(api.listReports, { query: { unopened: '1', limit: 100 } });
    expect(await listUnopened()).toEqual([]);
    const sian = await server.signIn('sian', firstReleaseUserId('sian'));
    const { id } = await sian(api.submitAccident, { body: await newReport(sian) });
    expect((await listUnopened()).map((report) => report.id)).toEqual([id]);
    expect((await huw(api.listNotifications)).map(({ kind }) => kind)).toEqual(['reportFiled']);
  });

  test('checklists of the first release can be scheduled', async () => {
    const checklist_id = (await huw(api.listChecklists))[0]?.id ?? '';
    const times = { opens_at: '00:00', closes_at: '00:00', starts_on: '2026-11-01' };
    await huw(api.createSchedule, { body: { checklist_id, parks: ['Lido Beach'], repeat: 'daily', ...times } });
    const { checks } = await huw(api.listDueChecks);
    expect(checks.map(({ day, state }) => [day, state])).toEqual([['2026-11-11', 'due']]);
  });

  test('reports of the first release, with photos and invalid dates, can be put into packs', async () => {
    expect(await huw(api.listPacks)).toEqual([]);
    const chosen = ['ACC-2026-0001', 'ACC-2026-0004'];
    const reports = (await huw(api.listReports)).filter(({ number }) => chosen.includes(number));
    expect(reports.map(({ date, mediaFiles }) => [date, mediaFiles.length]).sort()).toEqual([
      ['2026-03-14', 2],
      ['last Tuesday', 0],
    ]);
    const { id } = await huw(api.createPack, {
      body: { recipient: 'HSE', purpose: 'Inspection', withoutNames: false, reports: reports.map(({ id }) => id) },
    });
    const find = async () => (await huw(api.listPacks))[0];
    await expect.poll(async () => (await find())?.state, { timeout: 20_000, interval: 100 }).toMatch(/ready|failed/);
    expect(await find()).toMatchObject({ state: 'ready', reports: reports.length, problem: null });

    const { names } = unzip(await huw(api.getPackFile, { params: { id } }), server.folder);
    for (const { number, mediaFiles } of reports) {
      expect(names).toContain(`reports/${number}/report.pdf`);
      expect(names.filter((name) => name.startsWith(`reports/${number}/photo-`))).toHaveLength(mediaFiles.length);
    }
    // Only one report has a valid date, so only its park has checks in the pack.
    expect(names.filter((name) => name.startsWith('checks/'))).toEqual([
      'checks/Lido-Beach-answers.csv',
      'checks/Lido-Beach-readings.csv',
      'checks/Lido-Beach.csv',
    ]);
    await huw(api.deletePack, { params: { id } });
    expect(await huw(api.listPacks)).toEqual([]);
  });
});

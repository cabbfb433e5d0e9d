import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { getToday } from '#shared/dates.ts';
import { newAudit, newFolder, newReport } from '../testing/factories.ts';
import { engines, startTestServer, type TestClient, type TestServer } from '../testing/server.ts';

/** Parses a CSV file into one object per row, with the headings as keys. */
const parseCsv = (bytes: Uint8Array): Record<string, string>[] =>
  parse(Buffer.from(bytes), { bom: true, columns: true });

describe.each(engines)('exports on %s', (engine) => {
  let server: TestServer;
  let manager: TestClient;
  let admin: TestClient;
  beforeAll(async () => {
    server = await startTestServer(engine);
    admin = await server.as('Admin');
    manager = await server.as('Health & Safety Manager');
  });
  afterAll(() => server.stop());

  test('exported reports match the filter; telephone numbers keep leading zeros, dates are ISO', async () => {
    const { number } = await manager(api.submitAccident, {
      body: await newReport(manager, { name: '=HYPERLINK("evil")', type: 'Scald' }),
    });
    await manager(api.submitIncident, { body: await newReport(manager, { type: 'Theft' }) });
    const accidents = parseCsv(await manager(api.exportReports, { query: { format: 'csv', reportType: 'accident' } }));
    expect(accidents).toHaveLength(1);
    expect(accidents[0]).toMatchObject({
      Number: number,
      Kind: 'Accident',
      Date: '2026-03-14',
      'Involved or injured person': `'=HYPERLINK("evil")`,
      'Contact number': '07700900123',
      Photos: '1',
    });
    const matchingRows = parseCsv(await manager(api.exportReports, { query: { format: 'csv', q: 'theft' } }));
    expect(matchingRows.map(({ Type }) => Type)).toEqual(['Theft']);
  });

  test('exported submissions of one checklist have a column for each section of any version', async () => {
    const section = (title: string, type: 'text' | 'checkbox' | 'date' = 'text') => ({ title, type, required: false });
    const { id: checklistId } = await admin(api.createChecklist, {
      body: { title: 'Pool', sections: [section('Clear?', 'checkbox'), section('Note'), section('Note')] },
    });
    await manager(api.submitChecklist, { body: { checklistId, data: { '0': true, '1': 'first', '2': '+second' } } });
    await admin(api.updateChecklist, {
      params: { id: checklistId },
      body: { title: 'Pool', sections: [section('Note'), section('Next on', 'date')] },
    });
    await manager(api.submitChecklist, { body: { checklistId, data: { '0': 'moved', '1': '2026-06-01' } } });
    const { id: other } = await admin(api.createChecklist, { body: { title: 'Gate', sections: [section('Locked?')] } });
    await manager(api.submitChecklist, { body: { checklistId: other, data: { '0': 'yes' } } });

    const bytes = await manager(api.exportSubmissions, { query: { format: 'csv', title: 'Pool' } });
    const [headings, ...rows] = parse(Buffer.from(bytes), { bom: true }) as string[][];
    expect(headings?.slice(5)).toEqual(['Note', 'Next on', 'Clear?', 'Note']);
    expect(rows.map((row) => row.slice(5))).toEqual([
      ['moved', '2026-06-01', '', ''],
      ['first', '', 'Yes', "'+second"],
    ]);

    const all = parseCsv(await manager(api.exportSubmissions, { query: { format: 'csv' } }));
    expect(all.map(({ Checklist, Section, Answer }) => [Checklist, Section, Answer])).toEqual([
      ['Gate', 'Locked?', 'yes'],
      ['Pool', 'Note', 'moved'],
      ['Pool', 'Next on', '2026-06-01'],
      ['Pool', 'Clear?', 'Yes'],
      ['Pool', 'Note', 'first'],
      ['Pool', 'Note', "'+second"],
    ]);
  });

  test("submissions are exported with the list's filter for failing answers", async () => {
    const onFail = { when: 'No' as const, photo: 'optional' as const };
    const sections = [{ title: 'Is it safe?', type: 'na' as const, required: true, onFail }];
    const { id: checklistId } = await admin(api.createChecklist, { body: { title: 'Slide', sections } });
    await manager(api.submitChecklist, { body: { checklistId, data: { '0': 'Yes' } } });
    const failures = { '0': { note: 'A step is loose', mediaFiles: [] } };
    await manager(api.submitChecklist, { body: { checklistId, data: { '0': 'No' }, failures } });
    const query = { format: 'csv' as const, failing: 'yes' as const };
    expect(parseCsv(await manager(api.exportSubmissions, { query }))).toMatchObject([
      { Checklist: 'Slide', Answer: 'No', 'What is wrong': 'A step is loose' },
    ]);
    const queryByTitle = { ...query, title: 'Slide' };
    expect(parseCsv(await manager(api.exportSubmissions, { query: queryByTitle }))).toMatchObject([
      { 'Is it safe?': 'No' },
    ]);
  });

  test("an export of audits contains those of the reviewer's parks", async () => {
    for (const park of ['Lido Beach', 'Robin Hood'] as const)
      await admin(api.createAudit, { body: newAudit(await newFolder(admin, { park }), { title: `At ${park}` }) });
    const parkManager = await server.as('Health & Safety Manager', 'Lido Beach');
    const titles = async (client: TestClient) =>
      parseCsv(await client(api.exportAudits, { query: { format: 'csv' } })).map(({ Title }) => Title);
    expect(await titles(manager)).toEqual(['At Lido Beach', 'At Robin Hood']);
    expect(await titles(parkManager)).toEqual(['At Lido Beach']);
  });

  test('audits are exported page by page with the filters of their list', async () => {
    const pool = await newFolder(admin, { name: 'Pool rounds', park: 'Mounds' });
    const gate = await newFolder(admin, { name: 'Gate rounds', park: 'Mounds' });
    const add = async (folder_id: string, title: string, changes: object = {}) =>
      (await admin(api.createAudit, { body: newAudit(folder_id, { title, ...changes }) })).id;
    const completedAudit = await add(pool, 'Done', { date: '2026-03-01' });
    await admin(api.updateAudit, { params: { id: completedAudit }, body: { data: { completed: true } } });
    await add(pool, 'Late', { date: '2026-03-01', is_urgent: true });
    await add(gate, 'To come', { date: '2099-03-01' });
    const titles = async (query: object) =>
      parseCsv(await admin(api.exportAudits, { query: { format: 'csv', park: 'Mounds', ...query } })).map(
        ({ Title }) => Title,
      );
    expect(await titles({})).toEqual(['To come', 'Done', 'Late']);
    expect(await titles({ folder: pool })).toEqual(['Done', 'Late']);
    expect(await titles({ q: 'pool mounds' })).toEqual(['Done', 'Late']);
    expect(await titles({ open: 'yes' })).toEqual(['To come', 'Late']);
    expect(await titles({ open: 'yes', overdue: 'yes' })).toEqual(['Late']);
    expect(await titles({ open: 'yes', urgent: 'yes', folder: gate })).toEqual([]);
    expect(await titles({ open: 'yes', mine: 'yes' })).toEqual([]);
    const on = getToday();
    expect(await titles({ state: 'overdue', on })).toEqual(['Late']);
    expect(await titles({ state: 'open', on })).toEqual(['To come', 'Late']);
  });

  test('an exported spreadsheet is sent as a download', async () => {
    const response = await manager.fetch('/api/export/users?format=xlsx');
    expect(response.headers.get('content-type')).toContain('spreadsheetml.sheet');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="Users \d{4}-\d\d-\d\d\.xlsx"$/);
    expect(
      Buffer.from(await response.arrayBuffer())
        .subarray(0, 2)
        .toString(),
    ).toBe('PK');
  });

  test('exports are logged without the search text', async () => {
    await manager(api.exportReports, { query: { format: 'xlsx', q: 'Ellie Barker' } });
    const lines = parseCsv(await admin(api.exportActivity, { query: { format: 'csv', q: 'exported' } }));
    expect(lines.find(({ What }) => What === 'Reports (XLSX)')).toMatchObject({
      Who: manager.username,
      Changes: '{"filteredBy":["q"]}',
    });
    expect(JSON.stringify(lines)).not.toContain('Ellie');
    const actions = (await admin(api.listActivity, { query: { changes: '1', limit: 200 } })).map(
      ({ action }) => action,
    );
    expect(actions).toContain('created');
    expect(actions.filter((action) => /^(exported|opened|listed|signed in)/.test(action))).toEqual([]);
  });

  test('an export in an unknown format is rejected', async () => {
    const response = await manager.fetch('/api/export/reports?format=pdf');
    expect([response.status, await response.json()]).toMatchObject([400, { message: 'Choose CSV or Excel' }]);
  });
});

import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { auditOrders, sortAudits } from '#shared/audits.ts';
import { getToday } from '#shared/dates.ts';
import { findSubmission } from '../checklists/submissions.ts';
import { signature } from '../testing/checklists.ts';
import { newAudit, newFolder, newReport } from '../testing/factories.ts';
import { engines, type TestClient } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';
import { answerColumns } from './lists.ts';

/** Parses a CSV file into one object per row, with the headings as keys. */
const parseCsv = (bytes: Uint8Array): Record<string, string>[] =>
  parse(Buffer.from(bytes), { bom: true, columns: true });

describe.each(engines)('exports on %s', (engine) => {
  const { server, admin, manager } = createTestServer(engine);

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
    expect(headings?.slice(7)).toEqual(['Note', 'Next on', 'Clear?', 'Note']);
    expect(rows.map((row) => row.slice(7))).toEqual([
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

  test('an untouched box that fails is exported as No', async () => {
    const onFail = { when: 'notTicked', photo: 'optional' } as const;
    const sections = [{ title: 'Ring in place', type: 'checkbox' as const, required: true, onFail }];
    const { id: checklistId } = await admin(api.createChecklist, { body: { title: 'Rings', sections } });
    const failures = { '0': { note: 'Taken', mediaFiles: [] } };
    await admin(api.submitChecklist, { body: { checklistId, data: {}, failures, park: 'Mounds' } });
    const query = { format: 'csv', title: 'Rings' } as const;
    expect(parseCsv(await admin(api.exportSubmissions, { query }))).toMatchObject([{ 'Ring in place': 'No' }]);
  });

  test('a signature is exported as a word, not as its image', async () => {
    const sections = [{ title: 'Signed', type: 'signature' as const, required: true }];
    const { id: checklistId } = await admin(api.createChecklist, { body: { title: 'Handover', sections } });
    await admin(api.submitChecklist, { body: { checklistId, data: { 0: signature }, park: 'Mounds' } });
    const rows = (query: object) => admin(api.exportSubmissions, { query: { format: 'csv', ...query } as never });
    expect(parseCsv(await rows({ title: 'Handover' }))).toMatchObject([{ Signed: '(signature)' }]);
    expect(parseCsv(await rows({ q: 'Handover' }))).toMatchObject([{ Section: 'Signed', Answer: '(signature)' }]);
  });

  test('failing answers are exported with a mark and their note, numbers as numbers', async () => {
    const number = { unit: 'pH', min: 7.2, max: 7.6 };
    const text = { type: 'text' as const, required: false };
    const sections = [
      { ...text, title: 'pH', number },
      { ...text, title: 'Code' },
      { ...text, title: 'Bathers', number: { unit: '', min: null, max: null } },
    ];
    const { id: checklistId } = await admin(api.createChecklist, { body: { title: 'Spa', sections } });
    const failures = { '0': { note: 'Acid pump is empty', mediaFiles: [] } };
    const longNumber = '12345678901234567890';
    const submit = (data: Record<string, string>, failures = {}) =>
      manager(api.submitChecklist, { body: { checklistId, data, failures } });
    await submit({ '0': '7,4', '1': '007', '2': longNumber });
    await submit({ '0': '8.10', '2': '-2' }, failures);
    await submit({ '1': '1' });
    const query = { format: 'csv', q: 'Spa' } as const;
    expect(parseCsv(await manager(api.exportSubmissions, { query: { ...query, title: 'Spa' } }))).toMatchObject([
      { 'Failing answers': '0', pH: '', 'pH: failing': '', 'pH: what is wrong': '', Code: '1' },
      { 'Failing answers': '1', pH: '8.1', 'pH: failing': 'Yes', 'pH: what is wrong': 'Acid pump is empty' },
      { 'Failing answers': '0', pH: '7.4', 'pH: failing': 'No', Code: '007', Bathers: longNumber },
    ]);
    const rows = parseCsv(await manager(api.exportSubmissions, { query }));
    expect(rows.map((row) => [row.Section, row.Answer, row.Failing, row['What is wrong']])).toEqual([
      ['pH', '', '', ''],
      ['Code', '1', '', ''],
      ['Bathers', '', '', ''],
      ['pH', '8.1', 'Yes', 'Acid pump is empty'],
      ['Code', '', '', ''],
      ['Bathers', '-2', '', ''],
      ['pH', '7.4', 'No', ''],
      ['Code', '007', '', ''],
      ['Bathers', longNumber, '', ''],
    ]);
    const [submission] = await manager(api.listSubmissions, { query: { title: 'Spa', failing: 'yes' } });
    const found = await findSubmission(server.db, submission?.id ?? '');
    const cells = answerColumns([{ sections }]).map(({ cell }) => found && cell(found));
    expect(cells.slice(7)).toEqual([8.1, true, 'Acid pump is empty', null, -2]);
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

  test('audits are exported in the order of the screen', async () => {
    const park = 'Kingsley' as const;
    const [pool, gate] = [
      await newFolder(admin, { name: 'Pool', park }),
      await newFolder(admin, { name: 'Gate', park }),
    ];
    for (const [folder, title, changes] of [
      [pool, 'Third', { date: '2026-03-03' }],
      [gate, 'Second', { date: '2026-03-02', time: '18:00' }],
      [pool, 'Never', { is_urgent: true }],
      [pool, 'First', { date: '2026-03-02', time: '09:00' }],
    ] as const)
      await admin(api.createAudit, { body: newAudit(folder, { title, date: null, time: null, ...changes }) });
    const listTitles = (audits: { title: string }[]) => audits.map(({ title }) => title);
    const exportTitles = async (query: object) =>
      parseCsv(await admin(api.exportAudits, { query: { format: 'csv', ...query } })).map(({ Title }) => Title);
    const listed = await admin(api.listAudits, { params: { folderId: pool } });
    expect(await exportTitles({ folder: pool })).toEqual(listTitles(listed));
    for (const { value: sort } of auditOrders)
      expect(await exportTitles({ folder: pool, sort }), sort).toEqual(listTitles(sortAudits(listed, sort)));
    const open = ['First', 'Second', 'Third', 'Never'];
    expect(listTitles(await admin(api.listOpenAudits, { query: { park } }))).toEqual(open);
    expect(await exportTitles({ park, open: 'yes' })).toEqual(open);
    const query = { park: [park], state: 'open', on: getToday() } as const;
    expect(listTitles(await admin(api.listAuditsOnDay, { query: { ...query, park } as never }))).toEqual(open);
    expect(await exportTitles({ ...query, park })).toEqual(open);
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
    expect(await titles({})).toEqual(['To come', 'Late', 'Done']);
    expect(await titles({ folder: pool })).toEqual(['Late', 'Done']);
    expect(await titles({ q: 'pool mounds' })).toEqual(['Late', 'Done']);
    expect(await titles({ open: 'yes' })).toEqual(['Late', 'To come']);
    expect(await titles({ open: 'yes', overdue: 'yes' })).toEqual(['Late']);
    expect(await titles({ open: 'yes', urgent: 'yes', folder: gate })).toEqual([]);
    expect(await titles({ open: 'yes', mine: 'yes' })).toEqual([]);
    const on = getToday();
    expect(await titles({ state: 'overdue', on })).toEqual(['Late']);
    expect(await titles({ state: 'open', on })).toEqual(['Late', 'To come']);
  });

  test('an export of users has those that match the search', async () => {
    const query = { format: 'csv', q: `${manager.username.toUpperCase()} manager` } as const;
    expect(parseCsv(await admin(api.exportUsers, { query })).map(({ Username }) => Username)).toEqual([
      manager.username,
    ]);
  });

  test('an exported spreadsheet is sent as a download', async () => {
    const response = await manager.fetch('/api/export/users?format=xlsx');
    expect(response.headers.get('content-type')).toContain('spreadsheetml.sheet');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="Users \d{4}-\d\d-\d\d\.xlsx";/);
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
  });

  test('the changes in the activity log leave out what was only read, and attempts that failed', async () => {
    await manager(api.listReports);
    await expect(server.signIn(manager.username, '', 'wrong')).rejects.toThrow(/401/);
    const list = async (query: { changes?: '1' }) =>
      (await admin(api.listActivity, { query: { ...query, limit: 200 } })).map(({ action }) => action);
    expect(await list({})).toContain('failed to sign in');
    const actions = await list({ changes: '1' });
    expect(actions).toContain('created');
    expect(actions.filter((action) => /^(exported|opened|listed|signed in|failed)/.test(action))).toEqual([]);
  });

  test('an export in an unknown format is rejected', async () => {
    const response = await manager.fetch('/api/export/reports?format=pdf');
    expect([response.status, await response.json()]).toMatchObject([400, { message: 'Choose Excel or CSV' }]);
  });
});

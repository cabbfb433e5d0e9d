import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { getToday } from '#shared/dates.ts';
import type { NewPack } from '#shared/packs.ts';
import { serverActor } from '../db/activity-log.ts';
import { setCounter } from '../db/counters.ts';
import { getPositionAt } from '../db/position.ts';
import { writeTransaction } from '../db/write-transaction.ts';
import { destroy } from '../retention/destroy.ts';
import { unzip } from '../testing/documents.ts';
import { newAudit, newFolder, newReport } from '../testing/factories.ts';
import { createTestFolder } from '../testing/folder.ts';
import { runMaintenance } from '../testing/maintenance.ts';
import { readUtf16 } from '../testing/read-utf16.ts';
import { changeRows, insertRow } from '../testing/rows.ts';
import { engines } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';
import { getPackPath, insertPack } from './store.ts';

const hour = 3_600_000;
const purpose = 'Claim 4711, received on 3 March';

// The timeout is longer than a pack may take to build.
describe.each(engines)('packs of reports on %s', { timeout: 120_000 }, (engine) => {
  const folder = createTestFolder();
  const { server, admin, manager } = createTestServer(engine, { RATE_SCALE: '100' });
  afterEach(async () => {
    for (const { id } of await admin(api.listPacks)) await admin(api.deletePack, { params: { id } });
  });

  const submit = async (changes: Record<string, unknown> = {}) =>
    manager(api.submitAccident, { body: await newReport(manager, changes) });
  const requestPack = async (reports: string[], changes: Partial<NewPack> = {}, client = manager) =>
    (
      await client(api.createPack, {
        body: { recipient: 'HSE, Wrexham', purpose, withoutNames: false, reports, ...changes },
      })
    ).id;
  const find = async (id: string) => (await admin(api.listPacks)).find((pack) => pack.id === id);
  const waitUntilBuilt = async (id: string) => {
    await expect
      .poll(async () => (await find(id))?.state, { timeout: 60_000, interval: 100 })
      .toMatch(/ready|failed|expired/);
    return find(id);
  };
  const isStored = (id: string) => existsSync(join(server.folder, 'uploads', getPackPath(id)));

  const unpackPack = async (id: string, client = manager) =>
    unzip(await client(api.getPackFile, { params: { id } }), folder);

  async function runCleanup() {
    // As if a cleanup had just run: otherwise the first one would delete nothing, as after a clock
    // jump.
    await setCounter(server.db, 'last cleaning', Date.now());
    await setCounter(server.db, 'removals wait for', 0);
    await runMaintenance(server, () => new Date());
  }

  const canFail = { title: 'Clear?', type: 'na' as const, required: false, onFail: { when: 'No' as const } };
  /** Creates a report with a photo and an audit, in a park with a submitted checklist. */
  async function fillPark() {
    const { id: checklistId } = await admin(api.createChecklist, {
      body: { title: 'Snickersnee check', sections: [{ title: 'Note', type: 'text', required: false }, canFail] },
    });
    const times = { repeat: 'daily', opens_at: '00:00', closes_at: '23:59', starts_on: getToday() } as const;
    await admin(api.createSchedule, {
      body: { checklist_id: checklistId, parks: ['Lido Beach'], gate: 'Borogove pool', ...times },
    });
    const parkStaff = await server.as('None', 'Lido Beach');
    await parkStaff(api.submitChecklist, { body: { checklistId, data: { '0': 'Quoxely was here' } } });
    const { id, number } = await submit({
      ...{ selectedPlace: 'Lido Beach', date: getToday(), time: '00:00' },
      name: 'Zebedee Quimby',
      age: 103,
      contactNumber: '07700900987',
      reporter: 'Wilfreda Nackenbush',
      type: 'Mangelwurzel',
      location: 'Zanzibar Lawn',
      details: 'He tripped over a xylophone beside Ottoline Fiddlewick.',
      affectedUserSignedBy: { name: 'Peregrine Quimby', capacity: 'Parent or guardian', reason: 'Broken kazoo' },
    });
    await admin(api.createAudit, {
      body: newAudit(await newFolder(admin, { park: 'Lido Beach', name: 'Bandersnatch' }), {
        title: 'Jabberwock',
        location: 'Tulgey Wood',
        assignee: 'Tweedledum',
        description: 'Slay it with a vorpal sword',
        source: { thing: 'report', id },
      }),
    });
    return { id, number, parkStaff };
  }

  test('a pack contains the reports with photos, history, audits and checks, and the hash of every file', async () => {
    const { id: report, number } = await fillPark();
    const id = await requestPack([report]);
    expect(await waitUntilBuilt(id)).toMatchObject({ state: 'ready', reports: 1, created_by: manager.username });
    const { names, read, readText } = await unpackPack(id);
    expect(names).toEqual([
      'checks/Lido-Beach-answers.csv',
      'checks/Lido-Beach-readings.csv',
      'checks/Lido-Beach.csv',
      'index.pdf',
      'manifest.json',
      `reports/${number}/audits/1-Jabberwock.pdf`,
      `reports/${number}/history.csv`,
      `reports/${number}/photo-1.jpg`,
      `reports/${number}/report.pdf`,
    ]);
    const index = readText('index.pdf');
    for (const text of ['HSE, Wrexham', purpose, number, manager.username]) expect(index).toContain(text);
    expect(readText(`reports/${number}/report.pdf`)).toContain('xylophone');
    expect(readText(`reports/${number}/history.csv`)).toContain('filed');
    expect(readText('checks/Lido-Beach-answers.csv')).toContain('Quoxely was here');
    const manifest = JSON.parse(readText('manifest.json'));
    expect(manifest).toMatchObject({ for: 'HSE, Wrexham', why: purpose, withoutNames: false, reports: 1 });
    expect(manifest.files).toEqual(
      names
        .filter((name) => name !== 'manifest.json')
        .map((path) => ({
          path,
          bytes: read(path).length,
          sha256: createHash('sha256').update(read(path)).digest('hex'),
        })),
    );
    const log = await admin(api.listActivity, { query: { thing: 'pack', thing_id: id } });
    expect(log.map(({ action }) => action)).toEqual(['downloaded', 'asked for']);
    expect(log[1]).toMatchObject({
      label: 'for HSE, Wrexham',
      changes: { why: purpose, withoutNames: false, reports: 1 },
    });
  });

  test('a pack without names contains nothing that identifies a person, in any file', async () => {
    const { id: report, number, parkStaff } = await fillPark();
    await admin(api.getReport, { params: { id: report } });
    const id = await requestPack([report], { withoutNames: true });
    expect(await waitUntilBuilt(id)).toMatchObject({ state: 'ready' });
    const { names, read, readText } = await unpackPack(id);
    expect(names).toEqual([
      'checks/Lido-Beach.csv',
      'index.pdf',
      'manifest.json',
      `reports/${number}/audits.csv`,
      `reports/${number}/history.csv`,
      `reports/${number}/report.pdf`,
    ]);
    const words = [
      ...['Zebedee', 'Quimby', 'Peregrine', 'kazoo', 'Wilfreda', 'Nackenbush', 'Mangelwurzel', 'Zanzibar', 'xylophone'],
      ...['Ottoline', 'Fiddlewick', '07700900987', 'Quoxely', 'Jabberwock', 'Bandersnatch', 'Tulgey', 'Tweedledum'],
      ...['vorpal', 'Snickersnee', 'Borogove', 'pool.jpg', parkStaff.username, manager.username, admin.username],
    ];
    for (const name of names) {
      for (const text of [name, readText(name), read(name).toString('latin1'), readUtf16(read(name))])
        for (const word of words) expect(text.toLowerCase(), name).not.toContain(word.toLowerCase());
      expect(readText(name), name).not.toMatch(/\b103\b/);
      if (name.endsWith('.pdf')) expect(read(name).toString('latin1')).not.toMatch(/\/Subtype\s*\/Image/);
    }
    // The text without names still describes the event.
    const text = readText(`reports/${number}/report.pdf`).replace(/\s+/g, ' ');
    for (const remainingText of [number, 'Lido Beach', 'Guest', 'are left out of this copy'])
      expect(text).toContain(remainingText);
    expect(readText(`reports/${number}/audits.csv`)).toContain('Pending');
    expect(readText('checks/Lido-Beach.csv')).toContain('Checklist 1');
    // Recipient and purpose are printed as typed; the dialog warns of it.
    for (const typed of ['HSE, Wrexham', purpose]) expect(readText('index.pdf')).toContain(typed);
  });

  test('a pack has the checks from 12 months before its first report to the day of its last, in UK time', async () => {
    const { id: checklist_id } = await admin(api.createChecklist, {
      body: { title: 'Gate round', sections: [{ title: 'Note', type: 'text', required: false }] },
    });
    const parkStaff = await server.as('None', 'Kingsley');
    // Both ends of the period are in British Summer Time, an hour before midnight in UTC.
    const submitted = {
      before: '2024-06-09T22:59:00.000Z',
      first: '2024-06-09T23:00:00.000Z',
      last: '2025-06-10T22:59:00.000Z',
      after: '2025-06-10T23:00:00.000Z',
    };
    for (const [note, at] of Object.entries(submitted)) {
      const { id } = await parkStaff(api.submitChecklist, { body: { checklistId: checklist_id, data: { '0': note } } });
      await changeRows(server.db, 'submissions', { id }, { submitted_at: at, position: getPositionAt(at, 1) });
    }
    const times = { repeat: 'daily', opens_at: '06:00', closes_at: '10:00', starts_on: '2099-01-01' } as const;
    const { id: schedule_id } = await admin(api.createSchedule, {
      body: { checklist_id, parks: ['Kingsley'], ...times },
    });
    for (const day of ['2024-06-09', '2024-06-10', '2025-06-10', '2025-06-11'])
      await insertRow(server.db, 'due_checks', {
        id: `gate ${day}`,
        schedule_id,
        checklist_id,
        park: 'Kingsley',
        day,
        opens_at: `${day}T05:00:00.000Z`,
        closes_at: `${day}T09:00:00.000Z`,
      });
    const { id: report } = await submit({ selectedPlace: 'Kingsley', date: '2025-06-10' });
    const id = await requestPack([report]);
    await waitUntilBuilt(id);
    const { readText } = await unpackPack(id);
    const column = (name: string, heading: string) =>
      parse(readText(name), { bom: true, columns: true }).map((row) => (row as Record<string, string>)[heading]);
    expect(column('checks/Kingsley.csv', 'Day').sort()).toEqual(['2024-06-10', '2025-06-10']);
    expect(column('checks/Kingsley-answers.csv', 'Answer').sort()).toEqual(['first', 'last']);
    expect(readText('index.pdf')).toContain('10/06/2024 to 10/06/2025');
  });

  test('a pack shows full names and local time, newest report first, and is named by day and recipient', async () => {
    const { id: report, number, parkStaff } = await fillPark();
    const older = await submit({ selectedPlace: 'Lido Beach', date: '2025-06-10' });
    const setName = (username: string, full_name: string) =>
      server.db.updateTable('users').set({ full_name }).where('username', '=', username).execute();
    await setName(manager.username, 'Gwenda Vaughan');
    await setName(parkStaff.username, 'Hilda Quickstep');
    await server.db
      .updateTable('audits')
      .set({ data: sql`replace(data, 'Tweedledum', ${parkStaff.username})` })
      .execute();
    const id = await requestPack([older.id, report], { recipient: 'HSE: Wrexham’s office/2' });
    await server.db.updateTable('packs').set({ created_at: '2026-07-01T23:30:00.000Z' }).where('id', '=', id).execute();
    await waitUntilBuilt(id);
    const { readText } = await unpackPack(id);
    const index = readText('index.pdf');
    expect(index).toContain('Gwenda Vaughan');
    expect(index.indexOf(number)).toBeLessThan(index.indexOf(older.number));
    expect(readText(`reports/${number}/report.pdf`)).toMatch(/by\s+Gwenda\s+Vaughan/);
    const [filed] = parse(readText(`reports/${number}/history.csv`), { bom: true, columns: true }) as never[];
    expect(filed).toMatchObject({ Who: 'Gwenda Vaughan', Username: manager.username });
    for (const name of ['checks/Lido-Beach-answers.csv', `reports/${number}/audits/1-Jabberwock.pdf`])
      expect(readText(name), name).toContain('Hilda Quickstep');
    const localTime = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0[01]:00/;
    for (const name of ['checks/Lido-Beach-answers.csv', `reports/${number}/history.csv`, 'manifest.json'])
      expect(readText(name).replace(localTime, 'local'), name).toContain('local');
    const { headers } = await manager.fetch(`/api/packs/${id}/file`);
    expect(decodeURIComponent(headers.get('content-disposition') ?? '')).toContain(
      'attachment; filename="Pack 2026-07-02 HSE Wrexham_s office 2.zip"; filename*=UTF-8\'\'Pack 2026-07-02 HSE Wrexham’s office 2.zip',
    );
  });

  test('a pack for a manager of another park has no audits of the park, and only its creator and Admins of all parks can open it', async () => {
    const { id: report } = await fillPark();
    const otherParkManager = await server.as('Health & Safety Manager', 'Robin Hood');
    const id = await requestPack([report], {}, otherParkManager);
    await waitUntilBuilt(id);
    const { names } = await unpackPack(id, otherParkManager);
    expect(names.filter((name) => name.includes('audits'))).toEqual([]);
    expect(await manager(api.listPacks)).toEqual([]);
    for (const client of [manager, await server.as('Admin', 'Robin Hood')])
      for (const call of [api.getPackFile, api.deletePack, api.makePackAgain])
        await expect(client(call as typeof api.deletePack, { params: { id } })).rejects.toMatchObject({ status: 404 });
    const { username } = otherParkManager;
    await admin(api.assignRole, { body: { username, role: 'Health & Safety Manager', park: 'Mounds' } });
    expect(await otherParkManager(api.listPacks)).toMatchObject([{ state: 'expired' }]);
    await expect(otherParkManager(api.getPackFile, { params: { id } })).rejects.toMatchObject({ status: 409 });
    expect((await unpackPack(id, admin)).names).toEqual(names);
  });

  test('a pack expires after seven days, and can be created again', async () => {
    const { id: report } = await submit();
    const id = await requestPack([report]);
    await waitUntilBuilt(id);
    const { created_at = '', expires_at } = (await find(id)) ?? {};
    expect(Date.parse(expires_at ?? '') - Date.parse(created_at)).toBeGreaterThanOrEqual(7 * 24 * hour);
    await runCleanup();
    expect([isStored(id), (await find(id))?.state]).toEqual([true, 'ready']);
    await server.db.updateTable('packs').set({ expires_at: created_at }).where('id', '=', id).execute();
    await expect(manager(api.getPackFile, { params: { id } })).rejects.toMatchObject({ status: 409 });
    await runCleanup();
    expect([isStored(id), (await find(id))?.state]).toEqual([false, 'expired']);
    await manager(api.makePackAgain, { params: { id } });
    expect(await waitUntilBuilt(id)).toMatchObject({ state: 'ready' });
    expect(isStored(id)).toBe(true);
  });

  test('an expired or failed pack is deleted 30 days after it was requested', async () => {
    const { id: report } = await submit();
    const insert = async (state: 'expired' | 'failed' | 'ready', days: number) => {
      const body = { recipient: `${state}, ${days} days`, purpose, withoutNames: false, reports: [report] };
      const requestedAt = new Date(Date.now() - days * 24 * hour);
      // In one transaction, because the server would build a pack that it sees waiting.
      await server.db.transaction().execute(async (db) => {
        const id = await insertPack(db, body, manager, requestedAt);
        const expires_at = new Date(Date.now() + hour).toISOString();
        await db.updateTable('packs').set({ state, expires_at }).where('id', '=', id).execute();
      });
    };
    for (const days of [29, 31]) for (const state of ['expired', 'failed', 'ready'] as const) await insert(state, days);
    await runCleanup();
    const remainingPacks = (await admin(api.listPacks)).map(({ recipient }) => recipient).sort();
    expect(remainingPacks).toEqual(['expired, 29 days', 'failed, 29 days', 'ready, 29 days', 'ready, 31 days']);
    const items = await server.db.selectFrom('pack_items').select('pack_id').where('thing_id', '=', report).execute();
    expect(items).toHaveLength(remainingPacks.length);
  });

  test('a pack is deleted with the first of its records that is destroyed', async () => {
    const [one, other] = [await fillPark(), await submit({ selectedPlace: 'Mounds' })];
    const destroyRecord = async (thing: 'report' | 'audit' | 'submission', id: string) => {
      const destroyed = await writeTransaction(server.db, serverActor, new Date(), (db) =>
        destroy(db, { id, thing, class: 'x', until: '2026-01-01' }, new Date()),
      );
      return destroyed?.paths;
    };
    const id = await requestPack([one.id, other.id]);
    await waitUntilBuilt(id);
    expect(await destroyRecord('report', other.id)).toContain(`/uploads/${getPackPath(id)}`);
    expect(await find(id)).toMatchObject({ state: 'expired', problem: 'A record in it was permanently deleted.' });
    await expect(manager(api.getPackFile, { params: { id } })).rejects.toMatchObject({ status: 409 });
    await runCleanup();
    expect(isStored(id)).toBe(false);
    // It can be built again without the destroyed record.
    await manager(api.makePackAgain, { params: { id } });
    expect(await waitUntilBuilt(id)).toMatchObject({ state: 'ready', reports: 1 });

    // A pack also expires if a record is destroyed that it contains besides the reports.
    const submission = (await admin(api.listSubmissions)).find(({ park }) => park === 'Lido Beach');
    const [audit] = await admin(api.listReportAudits, { params: { id: one.id } });
    for (const [thing, record] of [
      ['submission', submission?.id ?? ''],
      ['audit', audit?.id ?? ''],
    ] as const) {
      await server.db.updateTable('packs').set({ state: 'ready' }).where('id', '=', id).execute();
      expect(await destroyRecord(thing, record)).toContain(`/uploads/${getPackPath(id)}`);
      expect(await find(id)).toMatchObject({ state: 'expired' });
    }
  });

  test('a pack is built by another instance if the first one dies, and fails after three attempts', async () => {
    const { id: report } = await submit();
    /** A pack that another instance was making; its claim ends after this time. */
    const insert = async (attempts: number, claimMs = -1) => {
      const body = { recipient: 'HSE', purpose, withoutNames: false, reports: [report] };
      const claimed_until = new Date(Date.now() + claimMs).toISOString();
      return server.db.transaction().execute(async (db) => {
        const id = await insertPack(db, body, manager, new Date());
        const claimed = { state: 'making', attempts, claim: 'of another', claimed_until } as const;
        await db.updateTable('packs').set(claimed).where('id', '=', id).execute();
        return id;
      });
    };
    const claimedPack = await insert(1, hour);
    await expect(requestPack([report])).rejects.toMatchObject({ status: 409, message: /being made/ });
    await admin(api.deletePack, { params: { id: claimedPack } });
    expect(await waitUntilBuilt(await insert(1))).toMatchObject({ state: 'ready' });
    const failed = await insert(3);
    expect(await waitUntilBuilt(failed)).toMatchObject({
      state: 'failed',
      problem: 'It could not be made in 3 attempts.',
    });
    await manager(api.makePackAgain, { params: { id: failed } });
    expect(await waitUntilBuilt(failed)).toMatchObject({ state: 'ready' });
  });

  test('a pack needs a recipient, a purpose and one to two hundred existing reports', async () => {
    const { id: report } = await submit();
    const getFieldErrors = (changes: Partial<NewPack>) => requestPack([report], changes).catch((error) => error.fields);
    expect(await getFieldErrors({ recipient: ' ' })).toEqual({ recipient: 'Enter who the pack is for' });
    expect(await getFieldErrors({ purpose: '' })).toEqual({ purpose: 'Enter why they need it' });
    expect(await getFieldErrors({ reports: [] })).toEqual({ reports: 'Choose at least one report' });
    expect(await getFieldErrors({ reports: Array.from({ length: 201 }, (_, at) => `r${at}`) })).toEqual({
      reports: 'A pack has at most 200 reports. Choose fewer.',
    });
    await admin(api.deleteReport, { params: { id: report }, body: {} });
    expect(await getFieldErrors({})).toEqual({ reports: 'A report was deleted. Choose again.' });
  });
});

import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { hashEntry } from '../db/activity-log.ts';
import type { Database } from '../db/schema.ts';
import { newAudit, newFolder, newReport } from '../testing/factories.ts';
import { changeRows, insertRow } from '../testing/rows.ts';
import { engines, type TestClient } from '../testing/server.ts';
import { longSessions } from '../testing/settings.ts';
import { shareDevice } from '../testing/shared-devices.ts';
import { createTestServer } from '../testing/test-server.ts';
import { type VerificationResult, verifyLog } from './verify.ts';

describe.each(engines)('the activity log on %s', (engine) => {
  let now = Date.parse('2026-03-28T21:00:00Z');
  const { server, admin, manager, staff } = createTestServer(engine, longSessions, () => now);

  const actions = async (query: Parameters<typeof admin<typeof api.listActivity>>[1]) =>
    (await admin(api.listActivity, query)).map((line) => line.action);

  test('opening a report, its PDF or photo, or the list of reports is logged', async () => {
    const { id, number } = await staff(api.submitAccident, { body: await newReport(staff) });
    const [report] = await manager(api.listReports);
    await manager(api.getReport, { params: { id } });
    await manager(api.getReportPdf, { params: { id } });
    await (await manager.fetch(report?.mediaFiles[0]?.path ?? '')).arrayBuffer();
    const history = await manager(api.getReportHistory, { params: { id } });
    expect(history.map(({ action, actor }) => [action, actor])).toEqual([
      ['opened a photo', manager.username],
      ['opened as PDF', manager.username],
      ['opened', manager.username],
      ['filed', staff.username],
    ]);
    expect(await manager(api.getReportHistory, { params: { id }, query: { before: history[2]?.seq } })).toHaveLength(1);
    expect(await actions({ query: { q: `${manager.username} listed` } })).toEqual(['listed']);
    await manager(api.deleteReport, { params: { id } });
    await expect(manager(api.getReportHistory, { params: { id } })).rejects.toMatchObject({ status: 404 });
    const [deleted] = await admin(api.listActivity, { query: { thing: 'report', thing_id: id, limit: 1 } });
    expect(deleted).toMatchObject({ action: 'deleted', label: number, actor: manager.username });
  });

  test("activity log entries can be filtered by user, record and day in the parks' time zone", async () => {
    const { id, username } = await server.as('None', 'Mounds');
    const namedUser = await server.signIn(username, id);
    now = Date.parse('2026-03-28T23:30:00Z'); // still 28 March in the parks; their clocks go forward that night
    const createNamedUser = (username: string) =>
      admin(api.createUser, { body: { username, password: 'by the sea in spring', role: 'None', park: 'Mounds' } });
    await createNamedUser('Gwenllïan.one');
    now = Date.parse('2026-03-29T00:30:00Z');
    await createNamedUser('gwenllian.two');
    now = Date.parse('2026-03-29T23:30:00Z'); // 00:30 on 30 March in the parks
    await createNamedUser('gwenllian.three');
    const labels = async (query: object) =>
      (await admin(api.listActivity, { query: { thing: 'user', q: 'GWENLLIAN', ...query } })).map((line) => line.label);
    expect(await labels({})).toEqual(['gwenllian.three', 'gwenllian.two', 'Gwenllïan.one']);
    expect(await labels({ from: '2026-03-29', to: '29/03/2026' })).toEqual(['gwenllian.two']);
    expect(await labels({ to: '2026-03-28' })).toEqual(['Gwenllïan.one']);
    expect(await labels({ from: '2026-03-30' })).toEqual(['gwenllian.three']);
    expect(await labels({ q: 'three created' })).toEqual(['gwenllian.three']);
    expect(await labels({ q: '100%_' })).toEqual([]);
    expect(await actions({ query: { q: namedUser.username } })).toEqual(['signed in']);
    const body = { full_name: 'Mererid Llwyd', email: '' };
    await admin(api.updateUserDetails, { params: { id: namedUser.id }, body });
    expect(await actions({ query: { q: 'llwyd signed' } })).toEqual(['signed in']);
    await expect(admin(api.listActivity, { query: { from: 'soon' } })).rejects.toMatchObject({ status: 400 });
  });

  test('a Health & Safety Manager sees log entries about records they may see, but no sign-ins', async () => {
    const lidoManager = await server.as('Health & Safety Manager', 'Lido Beach');
    const author = await server.as('None');
    const { id } = await author(api.submitAccident, { body: await newReport(author) });
    const folders = { 'Lido Beach': '', Mounds: '' };
    for (const park of ['Lido Beach', 'Mounds'] as const) {
      folders[park] = await newFolder(admin, { park, name: `Rounds of ${park}` });
      await admin(api.createAudit, { body: newAudit(folders[park], { title: `Audit of ${park}` }) });
    }
    const password = 'a walk along the shore';
    await admin(api.createUser, { body: { username: 'new.staff', password, role: 'None', park: 'Mounds' } });
    const fresh = await server.as('Admin');
    await fresh(api.createUser, { body: { username: 'new.admin', password, role: 'Admin', park: '' } });
    const read = async (client: TestClient) =>
      (await client(api.listActivity, { query: { limit: 200 } })).map(({ label }) => label);
    const listEntityTypes = async (client: TestClient) =>
      new Set((await client(api.listActivity, { query: { limit: 200 } })).map(({ thing }) => thing));
    const [adminLabels, managerLabels, parkLabels] = [await read(admin), await read(manager), await read(lidoManager)];
    expect(adminLabels).toEqual(expect.arrayContaining(['Audit of Mounds', 'new.admin', 'new.staff']));
    expect(managerLabels).toEqual(
      expect.arrayContaining(['Rounds of Mounds', 'Audit of Mounds', 'Audit of Lido Beach', 'new.staff']),
    );
    expect(managerLabels).not.toContain('new.admin');
    expect(parkLabels).toEqual(expect.arrayContaining(['Rounds of Lido Beach', 'Audit of Lido Beach', 'new.staff']));
    for (const label of ['Rounds of Mounds', 'Audit of Mounds', 'new.admin']) expect(parkLabels).not.toContain(label);
    expect(await listEntityTypes(manager)).not.toContain('session');
    expect((await listEntityTypes(lidoManager)).has('report')).toBe(true);
    expect(await manager(api.listActivity, { query: { thing: 'session' } })).toEqual([]);
    expect(await manager(api.getReportHistory, { params: { id } })).toHaveLength(1);
  });

  test('reviewers of one park see no log entries about places, settings, closures, schedules or devices of others', async () => {
    const admins = { own: await server.as('Admin', 'Lido Beach'), other: await server.as('Admin', 'Mounds') };
    const managerOfPark = await server.as('Health & Safety Manager', 'Lido Beach');
    const { id: checklist_id } = await admin(api.createChecklist, {
      body: { title: 'Gates', sections: [{ title: 'Shut', type: 'checkbox', required: false }] },
    });
    const labels: Record<'own' | 'other', string[]> = { own: [], other: [] };
    for (const [whose, park] of [
      ['own', 'Lido Beach'],
      ['other', 'Mounds'],
    ] as const) {
      const before = (await admin(api.listActivity, { query: { limit: 1 } }))[0]?.seq ?? 0;
      await admin(api.addPlaces, { body: { park, names: [`Gate of ${park}`] } });
      await admin(api.saveParkSettings, { body: { park, telephone: '01248 700900' } });
      await admin(api.createClosure, { body: { park, starts_on: '2026-12-24', ends_on: '2026-12-26' } });
      const times = { repeat: 'daily', opens_at: '06:00', closes_at: '10:00', starts_on: '2026-06-01' } as const;
      await admin(api.createSchedule, { body: { checklist_id, parks: [park], ...times } });
      await shareDevice(admins[whose], park);
      const entries = await admin(api.listActivity, { query: { limit: 50 } });
      labels[whose] = entries
        .filter(({ seq, thing }) => seq > before && thing !== 'session')
        .map(({ seq }) => String(seq));
    }
    const read = async (client: TestClient) =>
      (await client(api.listActivity, { query: { limit: 200 } })).map(({ seq }) => String(seq));
    // Sharing a device signed its Admin out.
    const adminOfPark = await server.createSession(admins.own.id, admins.own.username);
    const [byAdmin, byManager, byAll] = [await read(adminOfPark), await read(managerOfPark), await read(admin)];
    expect(byAll).toEqual(expect.arrayContaining([...labels.own, ...labels.other]));
    expect(byAdmin).toEqual(expect.arrayContaining(labels.own));
    expect(byAdmin.filter((seq) => labels.other.includes(seq))).toEqual([]);
    expect(byManager.filter((seq) => labels.other.includes(seq))).toEqual([]);
    // The device is the business of Admins.
    expect(labels.own.filter((seq) => !byManager.includes(seq))).toHaveLength(1);
  });

  test('the log entry for a changed checklist names an added section', async () => {
    const sections = [{ title: 'Gate', type: 'na' as const, required: true }];
    const { id } = await admin(api.createChecklist, { body: { title: 'Pool', sections } });
    const more = [...sections, { title: 'Depth', type: 'text' as const, required: false }];
    await admin(api.updateChecklist, { params: { id }, body: { title: 'Pool', sections: more } });
    const [line] = await manager(api.listActivity, { query: { thing: 'checklist', thing_id: id } });
    expect(line?.changes).toEqual({ version: { from: 1, to: 2 }, 'sections added': ['“Depth” (text)'] });
  });

  test('the pages of the activity log are newest first, without gaps or repeats', async () => {
    const readSeqs: number[] = [];
    for (let before: number | undefined; ; before = readSeqs.at(-1)) {
      const page = await admin(api.listActivity, { query: { before, limit: 3 } });
      readSeqs.push(...page.map((line) => line.seq));
      if (page.length < 3) break;
    }
    expect(readSeqs).toEqual(Array.from({ length: readSeqs.length }, (_, index) => readSeqs.length - index));
  });

  test('an activity log search with invalid text is rejected', async () => {
    const response = await admin.fetch(`${api.listActivity.path}?q=%00`);
    expect(response.status).toBe(400);
  });

  test.each([
    ['changed', sql`update activity set label = 'another' where seq = 1`],
    ['deleted', sql`delete from activity where seq = 1`],
    ['emptied', sql`delete from activity`],
  ])('the database prevents the activity log from being %s', async (_, statement) => {
    await expect(statement.execute(server.db)).rejects.toThrow('append-only');
    expect((await verifyLog(server.db)).badRow).toBeUndefined();
  });

  test('the database rejects a statement that replaces a row of the activity log', async () => {
    const row = await server.db.selectFrom('activity').selectAll().where('seq', '=', 2).executeTakeFirstOrThrow();
    const alteredRow = { ...row, actor: 'someone else' };
    await expect(
      server.engine === 'sqlite'
        ? sql`insert or replace into activity select seq, at, actor_id, 'x', ip, action, thing, thing_id, label, changes, search_text, request_id, previous_hash, hash from activity where seq = 2`.execute(
            server.db,
          )
        : server.db
            .insertInto('activity')
            .values(alteredRow)
            .onConflict((conflict) => conflict.column('seq').doUpdateSet(alteredRow))
            .execute(),
    ).rejects.toThrow('append-only');
  });

  /** Makes a change that the database would reject, verifies the log, and undoes the change. */
  async function verifyAfterDamage(applyDamage: (db: Database) => Promise<unknown>): Promise<VerificationResult> {
    let verification: VerificationResult | undefined;
    const rollback = new Error('taken back');
    const work = server.db.transaction().execute(async (db) => {
      const triggers =
        engine === 'sqlite' ? ['activity_refuses_update', 'activity_refuses_delete'] : ['append_only on activity'];
      for (const trigger of triggers) await sql.raw(`drop trigger ${trigger}`).execute(db);
      await applyDamage(db);
      verification = await verifyLog(db);
      throw rollback;
    });
    await expect(work).rejects.toBe(rollback);
    return verification as VerificationResult;
  }

  test('verifying the activity log names a changed or deleted row', async () => {
    const reviewer = await server.as('Admin');
    for (let i = 0; i < 40; i++) await reviewer(api.listReports);
    const intactLog = await verifyLog(server.db);
    expect(intactLog).toEqual({ rows: intactLog.rows, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(intactLog.rows).toBeGreaterThan(40);
    const columns = [
      'at',
      'actor',
      'ip',
      'action',
      'thing',
      'label',
      'search_text',
      'request_id',
      'previous_hash',
      'hash',
    ];
    for (let seq = 1; seq <= intactLog.rows; seq++) {
      const column = sql.ref(columns[seq % columns.length] ?? 'at');
      const alteredRow = await verifyAfterDamage((db) =>
        sql`update activity set ${column} = ${column} || 'x' where seq = ${seq}`.execute(db),
      );
      expect(alteredRow.badRow).toMatchObject({ seq, reason: 'was altered' });
      const missing = await verifyAfterDamage((db) => db.deleteFrom('activity').where('seq', '=', seq).execute());
      expect(missing.badRow).toMatchObject({ seq, reason: 'is missing' });
    }
  });

  test('verifying the activity log detects a row with a recalculated hash and an appended row', async () => {
    const { rows } = await verifyLog(server.db);
    const rewrittenLog = await verifyAfterDamage(async (db) => {
      const row = await db.selectFrom('activity').selectAll().where('seq', '=', 5).executeTakeFirstOrThrow();
      const alteredRow = { ...row, ip: '192.0.2.1' };
      await changeRows(db, 'activity', { seq: 5 }, { ip: alteredRow.ip, hash: hashEntry(alteredRow) });
    });
    expect(rewrittenLog.badRow).toMatchObject({ seq: 6, reason: 'was altered' });
    const appendedRow = await verifyAfterDamage(async (db) => {
      const last = await db.selectFrom('activity').selectAll().where('seq', '=', rows).executeTakeFirstOrThrow();
      const row = { ...last, seq: rows + 1, previous_hash: last.hash };
      await insertRow(db, 'activity', { ...row, hash: hashEntry(row) });
    });
    expect(appendedRow.badRow).toMatchObject({ seq: rows + 1, reason: 'was put in' });
  });
});

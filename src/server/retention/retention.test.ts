import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { addDays } from '#shared/calendar.ts';
import { getFilePath } from '../files/upload-path.ts';
import { remindOfReviews } from '../holds/holds.ts';
import { newAudit, newFolder, newReport } from '../testing/factories.ts';
import { startRetentionTest } from '../testing/retention-server.ts';
import { insertRow, readRows } from '../testing/rows.ts';
import { engines } from '../testing/server.ts';
import { setUp } from '../testing/test-server.ts';
import { createMonthlyList } from './handlers.ts';

describe.each(engines)('a retention run, which destroys records past their period, on %s', (engine) => {
  const { server, admin, clock, setDay, submit, list, run, countRows } = setUp(() => startRetentionTest(engine));
  beforeEach(() => setDay('2026-06-01'));

  const isListed = async (id: string) => (await list()).rows.some((row) => row.id === id);

  test('opening the list of records that may be destroyed is logged unless it is empty', async () => {
    const countEntries = async () =>
      (await admin(api.listActivity, { query: { q: admin.username } })).filter(
        ({ action }) => action === 'listed what may be destroyed',
      ).length;
    expect((await list()).rows).toEqual([]);
    expect(await countEntries()).toBe(0);
    await submit({ date: '2026-03-14' });
    await setDay('2060-01-01');
    expect((await list()).rows).not.toEqual([]);
    expect(await countEntries()).toBe(1);
  });

  test("a report can be destroyed from the day after its retention period, which depends on the person's age", async () => {
    const adultsReport = await submit({ age: 34, date: '2026-03-14' });
    const periods: [Awaited<ReturnType<typeof submit>>, string, string][] = [
      [adultsReport, '2032-06-01', 'Report and assessment'],
      [await submit({ age: 17, date: '2024-02-29' }), '2032-06-01', 'Report and assessment'],
      [await submit({ age: 0, date: '2024-02-29' }), '2046-03-01', 'Under 18, or no age given'],
      [await submit({ age: 16, date: '2026-05-31' }), '2032-06-01', 'Report and assessment'],
      [await submit({ age: 15, date: '2026-05-31' }), '2033-05-31', 'Under 18, or no age given'],
      [await submit({ age: 18, date: '2026-05-31' }), '2032-06-01', 'Report and assessment'],
    ];
    const unknown = await submit({ date: '2026-05-30' });
    await server.db.updateTable('reports').set({ age: null }).where('id', '=', unknown.id).execute();
    periods.push([unknown, '2048-05-30', 'Under 18, or no age given']);
    for (const [{ id }, until, name] of periods) {
      await setDay(until);
      expect(await isListed(id)).toBe(false);
      await setDay(addDays(until, 1));
      const row = (await list()).rows.find((row) => row.id === id);
      expect(row).toMatchObject({ until, class: name, hold: null, files: 3 });
    }
    // Nothing is destroyed without an Admin's action, however late it is.
    await setDay('2060-01-01');
    await createMonthlyList({ db: server.db, config: server.config, clock });
    expect(await countRows(adultsReport.id)).toBe(1);
    expect((await list()).monthly).toMatchObject({ made_at: '2060-01-01T09:00:00.000Z' });
  });

  test('an assessment entry or a death extends the retention period of a report', async () => {
    const { id, params } = await submit();
    await setDay('2027-01-01');
    const people = [{ died: 'later', diedOn: '2026-12-01' }];
    await admin(api.saveAssessment, { params, body: { version: 0, answers: {}, people } });
    await setDay('2032-06-02');
    expect(await isListed(id)).toBe(false);
    await setDay('2033-01-02');
    expect(await isListed(id)).toBe(true);
    // The age of the second person in the report is unknown, so that person may have been a
    // newborn.
    const reportWithSeveral = await submit({ age: 40, date: '2026-03-14' });
    const body = { version: 0, answers: {}, people: [{}, {}] };
    await admin(api.saveAssessment, { params: reportWithSeveral.params, body });
    await setDay('2048-03-15');
    expect((await list()).rows.find((row) => row.id === reportWithSeveral.id)).toMatchObject({ until: '2048-03-14' });
  });

  test('the stored reply and fingerprint of a destroyed record are erased, and its idempotency key stays used', async () => {
    const key = crypto.randomUUID();
    const { id } = await admin(api.submitAccident, { body: await newReport(admin), key });
    await setDay('2040-01-01');
    const { hash } = await list();
    expect((await run(hash, [id])).destroyed).toHaveLength(1);
    const reply = server.db.selectFrom('replies').selectAll().where('key', '=', key);
    expect(await reply.execute()).toMatchObject([{ body: null, fingerprint: '' }]);
  });

  test('a retention run destroys only ticked records, completely, and keeps a log entry and statistics without names', async () => {
    const reportToDestroy = await submit({ name: 'Mair Gone', details: 'Fell by the Zebra slide' });
    const keptReport = await submit();
    await admin(api.saveAssessment, {
      params: reportToDestroy.params,
      body: { version: 0, answers: {}, people: [{}] },
    });
    await admin(api.addRiddorNotice, {
      params: reportToDestroy.params,
      body: { duties: [], how: 'telephone', on: '2026-06-01' },
    });
    const uploads = await readRows(server.db, 'uploads', { attached_id: reportToDestroy.id });
    await setDay('2040-01-01');
    const { hash } = await list();
    await expect(run(hash, [reportToDestroy.id], 2)).rejects.toMatchObject({
      status: 400,
      fields: { count: expect.any(String) },
    });
    await expect(run('0'.repeat(64), [reportToDestroy.id])).rejects.toMatchObject({
      status: 409,
      message: 'The list of records has changed. Check it again.',
    });
    await expect(run(hash, ['nobody'])).rejects.toMatchObject({ status: 409 });
    expect(await countRows(reportToDestroy.id)).toBe(1);

    const key = crypto.randomUUID();
    const body = { hash, ids: [reportToDestroy.id], count: 1 };
    expect(await admin(api.runRetention, { body, key })).toEqual({ destroyed: [reportToDestroy.number], skipped: [] });
    expect(await admin(api.runRetention, { body, key })).toEqual({ destroyed: [reportToDestroy.number], skipped: [] });
    expect([await countRows(reportToDestroy.id), await countRows(keptReport.id)]).toEqual([0, 1]);
    for (const table of ['assessments', 'assessment_versions', 'riddor_notices', 'uploads'] as const) {
      const rows = await server.db.selectFrom(table).selectAll().execute();
      expect(JSON.stringify(rows)).not.toContain(reportToDestroy.id);
    }
    for (const { path } of uploads) expect(existsSync(join(server.folder, 'uploads', getFilePath(path)))).toBe(false);
    expect(await admin(api.listReports, { query: { q: 'Zebra' } })).toEqual([]);

    const log = await admin(api.listActivity, { query: { thing: 'report', thing_id: reportToDestroy.id } });
    expect(log[0]).toMatchObject({
      action: 'destroyed',
      label: reportToDestroy.number,
      actor: admin.username,
      changes: {
        class: 'Report and assessment',
        until: '2032-06-01',
        files: 3,
        hash: expect.stringMatching(/^\w{64}$/),
      },
    });
    expect(JSON.stringify(log)).not.toContain('Mair');
    const { statistics } = await list();
    expect(statistics.filter(({ park }) => park === 'Lido Beach')).toContainEqual(
      expect.objectContaining({ kind: 'accident', ageBand: '18 to 39', status: 'Guest', count: null }),
    );
  });

  test('the statistics of destroyed records show only counts of five or more', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 5; index++) ids.push((await submit({ age: 70, employmentStatus: 'Owner' })).id);
    await setDay('2041-01-01');
    await run((await list()).hash, ids);
    expect((await list()).statistics).toContainEqual(
      expect.objectContaining({ ageBand: '65 and over', status: 'Owner', outcome: 'notAssessed', count: 5 }),
    );
  });

  test('a retention run skips and names reports that have a hold or an exposure or were changed', async () => {
    const heldReport = await submit();
    const exposedReport = await submit();
    const changed = await submit();
    const named = await submit({ name: 'Gwen Held' });
    const particulars = { exposure: 'Asbestos in the old boiler house' };
    await admin(api.saveAssessment, {
      params: exposedReport.params,
      body: { version: 0, answers: {}, people: [{}], particulars },
    });
    await setDay('2040-01-01');
    const hold = { reason: 'A claim is open', reviewOn: '2041-01-01' };
    await admin(api.setHold, { body: { thing: 'person', thing_id: 'GWEN  HELD', ...hold } });
    const { rows, hash } = await list();
    const findRow = ({ id }: { id: string }) => rows.find((row) => row.id === id);
    expect(findRow(named)).toMatchObject({ hold: 'A claim is open' });
    expect(findRow(exposedReport)).toMatchObject({ class: 'Exposure', hold: expect.stringContaining('each year') });
    expect(findRow(heldReport)?.hold).toBeNull();

    await admin(api.setHold, { body: { thing: 'report', thing_id: heldReport.number, ...hold } });
    await server.db.updateTable('reports').set({ location: 'Plot 13' }).where('id', '=', changed.id).execute();
    const outcome = await run(hash, [heldReport.id, exposedReport.id, changed.id, named.id]);
    expect(outcome.destroyed).toEqual([]);
    expect(outcome.skipped).toEqual([
      { label: heldReport.number, reason: 'A hold keeps it: see Holds' },
      { label: exposedReport.number, reason: 'A hold keeps it: see Holds' },
      { label: changed.number, reason: 'It was changed since the list was made' },
      { label: named.number, reason: 'A hold keeps it: see Holds' },
    ]);
    await admin(api.deleteReport, { params: changed.params, body: { reason: 'Twice the same' } });
    expect((await run((await list()).hash, [heldReport.id])).skipped).toHaveLength(1);
    const deletion = (await admin(api.listDeleted)).find(({ label }) => label === changed.number);
    expect(deletion).toMatchObject({ reason: 'Twice the same' });
    const log = await admin(api.listActivity, { query: { thing: 'report', thing_id: changed.id } });
    expect(JSON.stringify(log)).not.toContain('Twice the same');
  });

  test('a hold created during a retention run either keeps the report or is rejected as too late', async () => {
    const reports = [await submit(), await submit(), await submit()];
    await setDay('2040-01-01');
    const { hash } = await list();
    for (const [index, { id, number }] of reports.entries()) {
      const hold = { thing: 'report' as const, thing_id: number, reason: 'A claim is open', reviewOn: '2041-01-01' };
      const set = () => admin(api.setHold, { body: hold }).catch((error) => error);
      const destroyReport = () => run(hash, [id]);
      const [holdResult, outcome] =
        index % 2 === 0
          ? await Promise.all([set(), destroyReport()])
          : await Promise.all([destroyReport(), set()]).then(([one, other]) => [other, one] as const);
      if (outcome.destroyed.length > 0) expect(holdResult).toMatchObject({ status: 400 });
      else expect(outcome.skipped).toEqual([{ label: number, reason: 'A hold keeps it: see Holds' }]);
      expect(await countRows(id)).toBe(outcome.destroyed.length > 0 ? 0 : 1);
    }
  });

  test('an Admin of one park cannot list or destroy records past their period, or open access requests', async () => {
    const folders = { Mounds: await newFolder(admin, { park: 'Mounds' }), 'Lido Beach': await newFolder(admin) };
    const audits = await Promise.all(
      Object.values(folders).map((id) => admin(api.createAudit, { body: { ...newAudit(id), completed: true } })),
    );
    const [firstAudit, secondAudit] = audits.map(({ id }) => id) as [string, string];
    const accessRequest = await admin(api.createAccessRequest, {
      body: { name: 'Ann', spellings: [], receivedOn: '2026-05-01' },
    });
    await setDay('2040-01-01');
    const localAdmin = await server.as('Admin', 'Lido Beach');
    await expect(localAdmin(api.listRetention)).rejects.toMatchObject({ status: 403 });
    const { hash } = await list();
    const body = { hash, ids: [firstAudit, secondAudit], count: 2 };
    await expect(localAdmin(api.runRetention, { body })).rejects.toMatchObject({ status: 403 });
    const params = { id: accessRequest.id };
    await expect(localAdmin(api.getAccessRequest, { params })).rejects.toMatchObject({ status: 403 });
    await expect(localAdmin(api.getAccessZip, { params })).rejects.toMatchObject({ status: 403 });
  });

  test('an exposure puts a hold on a report, with a yearly reminder', async () => {
    const { params, number } = await submit();
    const save = (version: number, exposure: string) =>
      admin(api.saveAssessment, {
        params,
        body: { version, answers: {}, people: [{}], particulars: { exposure, occupation: 'Fitter' } },
      });
    await save(0, 'Noise of the old compressor');
    const findHold = async () => (await admin(api.listHolds)).find(({ label }) => label === number);
    const hold = await findHold();
    expect(hold).toMatchObject({
      thing: 'report',
      review_on: '2027-06-01',
      reason: expect.stringMatching(/^Exposure/),
    });
    const countReminders = async () =>
      (await admin(api.listNotifications)).filter(({ text }) => text === `A hold is due for review: report ${number}`)
        .length;
    await setDay('2027-05-31');
    await remindOfReviews(server.db, clock());
    expect(await countReminders()).toBe(0);
    await setDay('2027-06-01');
    const parkAdmin = await server.as('Admin', 'Mounds');
    for (let hour = 0; hour < 3; hour += 1) await remindOfReviews(server.db, clock());
    const sent = readRows(server.db, 'notifications', { user_id: parkAdmin.id });
    expect([await countReminders(), await sent]).toEqual([1, []]);
    const review = (reviewOn: string) => admin(api.reviewHold, { params: { id: hold?.id ?? '' }, body: { reviewOn } });
    await expect(review('2027-06-01')).rejects.toMatchObject({ status: 400, fields: { reviewOn: expect.any(String) } });
    await review('2028-06-01');
    expect(await findHold()).toMatchObject({ review_on: '2028-06-01' });
    await save(1, 'Noise, measured again');
    expect((await admin(api.listHolds)).filter(({ label }) => label === number)).toHaveLength(1);
    await admin(api.liftHold, { params: { id: hold?.id ?? '' } });
    await setDay('2028-06-01');
    await remindOfReviews(server.db, clock());
    expect(await countReminders()).toBe(1);
  });

  test('lifted holds and answered access requests can be destroyed after their retention periods', async () => {
    const thing_id = 'Lifted Llinos';
    const body = { thing: 'person' as const, thing_id, reason: 'A claim of hers', reviewOn: '2027-01-01' };
    const { id } = await admin(api.setHold, { body });
    await admin(api.liftHold, { params: { id } });
    const request = { name: 'Asked Aled', spellings: [], receivedOn: '2026-05-01' };
    const accessRequest = await admin(api.createAccessRequest, { body: request });
    const params = { id: accessRequest.id };
    await admin(api.saveAccessChoices, { params, body: { version: 1, choices: [], isClosed: true } });
    const days: [string, string, string][] = [
      [accessRequest.id, '2029-06-01', 'Access request'],
      [id, '2032-06-01', 'Lifted hold'],
    ];
    for (const [record, until, name] of days) {
      await setDay(until);
      expect(await isListed(record)).toBe(false);
      await setDay(addDays(until, 1));
      expect((await list()).rows.find((row) => row.id === record)).toMatchObject({ until, class: name });
    }
    await run((await list()).hash, [id, accessRequest.id]);
    expect(JSON.stringify(await server.db.selectFrom('holds').selectAll().execute())).not.toContain(thing_id);
    expect(
      await server.db.selectFrom('access_requests').selectAll().where('id', '=', accessRequest.id).execute(),
    ).toEqual([]);
  });

  test('old submissions, completed audits, empty folders and former users can be destroyed, but no open audit', async () => {
    const sections = [{ title: 'Gate', type: 'text' as const, required: false }];
    const { id: checklistId } = await admin(api.createChecklist, { body: { title: 'Round', sections } });
    const deletedUser = await server.as('Admin');
    const submission = await deletedUser(api.submitChecklist, { body: { checklistId, data: { '0': 'shut' } } });
    const folderId = await newFolder(admin);
    const done = await admin(api.createAudit, { body: { ...newAudit(folderId), completed: true } });
    const open = await admin(api.createAudit, { body: newAudit(folderId) });
    const request = { name: 'Asked Aeron', spellings: [], receivedOn: '2026-05-01' };
    const accessRequest = await deletedUser(api.createAccessRequest, { body: request });
    await admin(api.deleteUser, { params: { id: deletedUser.id } });
    await setDay('2040-01-01');
    const findSubmission = () =>
      server.db.selectFrom('submissions').select('id').where('submitted_by', '=', deletedUser.id).executeTakeFirst();
    const submissionId = (await findSubmission())?.id ?? '';
    const first = await list();
    const listedIds = first.rows.map(({ id }) => id);
    expect(listedIds).toEqual(expect.arrayContaining([submissionId, done.id]));
    expect(listedIds).not.toContain(open.id);
    expect(listedIds).not.toContain(folderId);
    expect(listedIds).not.toContain(deletedUser.id);
    await run(first.hash, [submissionId, done.id]);
    expect(await findSubmission()).toBeUndefined();
    await server.db.deleteFrom('audits').where('id', '=', open.id).execute();
    const second = await list();
    const remainingIds = second.rows.map(({ id }) => id);
    expect(remainingIds).toEqual(expect.arrayContaining([folderId, accessRequest.id]));
    expect(remainingIds).not.toContain(deletedUser.id);
    const runResult = await run(second.hash, [folderId, accessRequest.id]);
    // No record names the deleted user any more.
    const other = await server.as('None', 'Mounds');
    await admin(api.deleteUser, { params: { id: other.id } });
    const renamed = await run((await list()).hash, [deletedUser.id]);
    // Neither stored replies nor stored lists name the deleted user.
    expect([runResult.destroyed, renamed.destroyed]).toEqual([
      ['Fire safety', 'An access request'],
      [expect.stringMatching(/^Former user \d+$/)],
    ]);
    const lists = JSON.stringify(await server.db.selectFrom('retention_lists').selectAll().execute());
    for (const name of ['Asked Aeron', deletedUser.username]) expect(lists).not.toContain(name);
    const { username } = await admin(api.getUsername, { params: { id: deletedUser.id } });
    expect(username).toMatch(/^Former user \d+$/);
    expect(await admin(api.getUsername, { params: { id: other.id } })).toMatchObject({ username: other.username });
    expect(submission).toBeTruthy();
  });

  test('a deleted user keeps the username as long as any record names them', async () => {
    const { id, username } = await server.as('None', 'Mounds');
    await admin(api.deleteUser, { params: { id } });
    await setDay('2026-06-02');
    const rows = {
      deletions: { id, thing: 'report', deleted_by: id },
      releases: { deletion_id: id, created_by: id, created_by_name: username },
      audit_notes: { id, media_files: '[]', created_by: id, created_by_name: username },
      assessment_versions: { id, version: 1, assessment: '{}', saved_by: id },
      riddor_notices: { id, duties: '[]', how: 'online', created_by: id, created_by_name: username },
      holds: { id, thing: 'park', thing_id: 'Mounds', lifted_at: '2026-06-01', lifted_by_name: username },
    } as const;
    for (const [table, row] of Object.entries(rows) as [keyof typeof rows, object][]) {
      expect([table, await isListed(id)]).toEqual([table, true]);
      await insertRow(server.db, table, row);
      expect([table, await isListed(id)]).toEqual([table, false]);
      const key = table === 'releases' ? 'deletion_id' : 'id';
      await server.db
        .deleteFrom(table)
        .where(key as never, '=', id as never)
        .execute();
    }
  });
});

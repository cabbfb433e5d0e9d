import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { withPurgesPaused } from '../db/purge-pause.ts';
import { purgeDeleted } from '../deletions/soft-delete.ts';
import { openDiskStore } from '../files/store.ts';
import { newAudit, newFolder, newReport } from '../testing/factories.ts';
import { engines, type TestClient } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

const days = 24 * 60 * 60 * 1000;

describe.each(engines)('holds on %s', (engine) => {
  let admin: TestClient;
  let now = Date.parse('2026-06-01T09:00:00Z');
  const clock = () => new Date(now);
  const { server } = createTestServer(engine, { RATE_SCALE: '100' }, clock);
  beforeAll(async () => {
    admin = await server.as('Admin');
  });

  const wait = async (ms: number) => {
    now += ms;
    admin = await server.createSession(admin.id, admin.username);
  };
  const purge = async () => {
    const files = await openDiskStore(join(server.folder, 'uploads'), { isInUse: true });
    return purgeDeleted({ db: server.db, config: server.config, clock, files });
  };
  const hold = async (thing: 'person' | 'park' | 'report', thing_id: string) =>
    (await admin(api.setHold, { body: { thing, thing_id, reason: 'A claim is open', reviewOn: '2099-01-01' } })).id;
  const lift = (id: string) => admin(api.liftHold, { params: { id } });
  const submitChecklist = async (answer: string) => {
    const sections = [{ title: 'Who?', type: 'text' as const, required: false }];
    const { id: checklistId } = await admin(api.createChecklist, { body: { title: 'Round', sections } });
    return (await admin(api.submitChecklist, { body: { checklistId, data: { '0': answer } } })).id;
  };

  test('deleted audits, folders and submissions with a hold are kept and shown to Admins until it is lifted', async () => {
    const inPark = await newFolder(admin, { name: 'Mounds huts', park: 'Mounds' });
    const withName = await newFolder(admin, { name: 'Beach huts', park: 'Lido Beach' });
    const audits = [
      (await admin(api.createAudit, { body: newAudit(inPark, { title: 'Gate' }) })).id,
      (await admin(api.createAudit, { body: newAudit(withName, { title: 'Ask HILDA Quickstep' }) })).id,
    ];
    const other = (await admin(api.createAudit, { body: newAudit(withName, { title: 'Ask Hilda' }) })).id;
    const submission = await submitChecklist('Seen by Hilda Quickstep');
    for (const id of [audits[0], other]) await admin(api.deleteAudit, { params: { id: id ?? '' } });
    for (const id of [inPark, withName]) await admin(api.deleteFolder, { params: { id } });
    await admin(api.deleteSubmission, { params: { id: submission } });
    const holds = [await hold('park', 'Mounds'), await hold('person', 'Hilda Quickstep')];
    await wait(31 * days);
    expect(await purge()).toBe(1);
    const held = (await admin(api.listDeleted)).filter(({ isHeld }) => isHeld).map(({ thing }) => thing);
    expect(held.sort()).toEqual(['audit', 'folder', 'folder', 'submission']);
    const findAudits = () => server.db.selectFrom('audits').select('id').where('id', 'in', audits).execute();
    expect(await findAudits()).toHaveLength(2);
    await lift(holds[1] ?? '');
    expect(await purge()).toBe(2);
    expect(await findAudits()).toEqual([{ id: audits[0] }]);
    await lift(holds[0] ?? '');
    expect(await purge()).toBe(2);
    expect(await admin(api.listDeleted)).toEqual([]);
  });

  test('the folder of an action is kept while a hold keeps the investigation', async () => {
    const report = await admin(api.submitAccident, { body: await newReport(admin) });
    const { id } = await admin(api.createInvestigation, { body: { thing: 'report', id: report.id } });
    const folder = await newFolder(admin);
    const action = newAudit(folder, { source: { thing: 'investigation' as const, id } });
    const { id: audit } = await admin(api.createAudit, { body: action });
    await admin(api.deleteFolder, { params: { id: folder } });
    const holdId = await hold('report', report.id);
    await wait(31 * days);
    expect(await purge()).toBe(0);
    expect(await admin(api.listDeleted)).toMatchObject([{ thing: 'folder', isHeld: true }]);
    expect(await server.db.selectFrom('audits').select('id').where('id', '=', audit).execute()).toHaveLength(1);
    await lift(holdId);
    expect(await purge()).toBe(1);
  });

  test('a hold on a person stops the erasure of a part of their name', async () => {
    const audit = (await admin(api.createAudit, { body: newAudit(await newFolder(admin), { title: 'Mr Quickstep' }) }))
      .id;
    const body = { name: 'Quickstep', spellings: [], number: '', receivedOn: '2026-01-31' };
    const params = { id: (await admin(api.createAccessRequest, { body })).id };
    const erase = () =>
      admin(api.blankNames, { params, body: { ids: [`audit:${audit}`], count: 1, reason: 'asked' as const } });
    const holdId = await hold('person', 'Hilda Quickstep');
    expect(await erase()).toMatchObject({ blanked: [], skipped: [{ reason: 'A hold keeps it: see Holds' }] });
    await lift(holdId);
    expect((await erase()).blanked).toEqual([`audit:${audit}`]);
  });

  test('a hold on a person keeps records that possibly name them, and stops the erasure of a near spelling', async () => {
    const possible = [await submitChecklist('Seen by Quickstep, Hylda'), await submitChecklist('Ask Hilda Quikstep')];
    const other = await submitChecklist('Ask Hilda, who was quick');
    const erased = await submitChecklist('Ask Wilma Quickstep');
    for (const id of [...possible, other]) await admin(api.deleteSubmission, { params: { id } });
    const holdId = await hold('person', 'Hylda Quickstep');
    await wait(31 * days);
    expect(await purge()).toBe(1);
    expect((await admin(api.listDeleted)).map(({ isHeld }) => isHeld)).toEqual([true, true]);
    const body = { name: 'Hylda Quikstep', spellings: ['Wilma Quickstep'], number: '', receivedOn: '2026-01-31' };
    const params = { id: (await admin(api.createAccessRequest, { body })).id };
    const ids = [`submission:${erased}`];
    const erase = () => admin(api.blankNames, { params, body: { ids, count: 1, reason: 'asked' as const } });
    expect(await erase()).toMatchObject({ blanked: [], skipped: [{ reason: 'A hold keeps it: see Holds' }] });
    await lift(holdId);
    expect((await erase()).blanked).toEqual(ids);
    expect(await purge()).toBe(2);
  });

  test('the hold of an exposure stays when the field is emptied, until an Admin lifts it, and the log says so', async () => {
    const { id, number } = await admin(api.submitAccident, { body: await newReport(admin) });
    const params = { id };
    const manager = await server.as('Health & Safety Manager');
    const save = (version: number, particulars: Record<string, string>) =>
      manager(api.saveAssessment, { params, body: { version, answers: {}, people: [{}], particulars } });
    const findHold = async () => (await admin(api.listHolds)).find(({ label }) => label === number);
    await save(0, { exposure: 'Noise of the old compressor' });
    const holdId = (await findHold())?.id ?? '';
    await save(1, { exposure: '', occupation: 'Fitter' });
    expect(await findHold()).toMatchObject({ id: holdId, reason: 'Exposure: review it each year.' });
    await expect(manager(api.liftHold, { params: { id: holdId } })).rejects.toMatchObject({ status: 403 });
    await lift(holdId);
    await expect(lift(holdId)).rejects.toMatchObject({ status: 404, message: 'This hold was lifted' });
    // Saving something else does not bring the hold back; another exposure does.
    await save(2, { exposure: '', occupation: 'Welder' });
    expect(await findHold()).toBeUndefined();
    await save(3, { exposure: 'Asbestos', occupation: 'Welder' });
    await lift((await findHold())?.id ?? '');
    await save(4, { exposure: 'Asbestos', occupation: 'Plumber' });
    expect(await findHold()).toBeUndefined();
    const log = await admin(api.listActivity, { query: { thing: 'report', thing_id: id } });
    expect(log.map(({ action, actor, changes }) => [action, actor, changes?.fields])).toEqual([
      ['saved the assessment of', manager.username, ['occupation']],
      ['lifted a hold on', admin.username, undefined],
      ['set a hold on', manager.username, undefined],
      ['saved the assessment of', manager.username, ['exposure']],
      ['saved the assessment of', manager.username, ['occupation']],
      ['lifted a hold on', admin.username, undefined],
      ['saved the assessment of', manager.username, ['exposure', 'occupation']],
      ['set a hold on', manager.username, undefined],
      ['saved the assessment of', manager.username, ['exposure']],
      ['filed', admin.username, undefined],
    ]);
  });

  test('nothing is destroyed and no name is erased while a backup is being created', async () => {
    const audit = (await admin(api.createAudit, { body: newAudit(await newFolder(admin), { title: 'Mr Heron' }) })).id;
    const old = await submitChecklist('Seen');
    const body = { name: 'Heron', spellings: [], number: '', receivedOn: '2026-01-31' };
    const params = { id: (await admin(api.createAccessRequest, { body })).id };
    await wait(4000 * days);
    const { hash } = await admin(api.listRetention);
    const erase = () =>
      admin(api.blankNames, { params, body: { ids: [`audit:${audit}`], count: 1, reason: 'asked' as const } });
    const destroy = () => admin(api.runRetention, { body: { hash, ids: [old], count: 1 } });
    await withPurgesPaused(server.db, clock(), async () => {
      const message = expect.stringContaining('A backup is being created');
      await expect(erase()).rejects.toMatchObject({ status: 409, message });
      await expect(destroy()).rejects.toMatchObject({ status: 409, message });
    });
    expect((await erase()).blanked).toHaveLength(1);
    expect((await destroy()).destroyed).toHaveLength(1);
  });
});

import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import type { ErasureOutcome } from '#shared/people/name-erasure.ts';
import { verifyLog } from '../activity/verify.ts';
import { insertDeletion } from '../deletions/bin/deletions.ts';
import { newId } from '../ids.ts';
import { findAssessment, replaceAssessment } from '../law/store.ts';
import { addItems, insertPack } from '../packs/store.ts';
import { newAudit, newFolder, newReport } from '../testing/factories.ts';
import { startRetentionTest } from '../testing/retention-server.ts';
import { changeRows, insertRow } from '../testing/rows.ts';
import { engines } from '../testing/server.ts';
import { setUp } from '../testing/test-server.ts';
import { eraseNameAgain } from './erase-name.ts';

const name = 'Eluned Prydderch';
const erasedText = 'erased 01/06/2040';

describe.each(engines)('cases of erasing a name on %s', (engine) => {
  let request: { id: string };
  const { server, admin, clock, setDay } = setUp(() => startRetentionTest(engine));
  beforeAll(async () => {
    const body = { name, spellings: [], number: '', receivedOn: '2026-01-31' };
    request = { id: (await admin(api.createAccessRequest, { body })).id };
  });
  beforeEach(() => setDay('2026-06-01'));

  const eraseRecords = async (...ids: string[]): Promise<ErasureOutcome> => {
    await setDay('2040-06-01');
    const outcome = await admin(api.blankNames, { params: request, body: { ids, count: ids.length, reason: 'asked' } });
    expect(outcome).toEqual({ blanked: ids, skipped: [] });
    return outcome;
  };
  const submit = async (changes: Record<string, unknown>) =>
    (await admin(api.submitAccident, { body: await newReport(admin, changes) })).id;
  const findReport = (id: string) => admin(api.getReport, { params: { id } });
  const addAudit = async (changes: Record<string, unknown>) =>
    (await admin(api.createAudit, { body: newAudit(await newFolder(admin), changes) })).id;
  const addCheck = async (reason: string) => {
    const id = newId();
    const times = { day: '2026-06-01', opens_at: '2026-06-01T09:00:00.000Z', closes_at: '2026-06-01T10:00:00.000Z' };
    const reasonFields = { reason, reason_by_name: admin.username, reason_at: '2026-06-01T11:00:00.000Z' };
    const sections = [{ title: 'Note', type: 'text' as const, required: false }];
    const { id: checklist_id } = await admin(api.createChecklist, { body: { title: `Check ${id}`, sections } });
    const dailySchedule = { repeat: 'daily', opens_at: '06:00', closes_at: '10:00', starts_on: '2099-01-01' } as const;
    const body = { checklist_id, parks: ['Mounds' as const], ...dailySchedule };
    const checkFields = { schedule_id: (await admin(api.createSchedule, { body })).id, checklist_id, park: 'Mounds' };
    await insertRow(server.db, 'due_checks', { id, ...checkFields, ...times, ...reasonFields });
    return id;
  };
  /** Erases again, as the next start does after a restore. */
  const eraseAgain = async (id: string) => {
    const entry = await server.db
      .deleteFrom('blanked')
      .where('thing_id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return server.db.transaction().execute((db) => eraseNameAgain(db, entry));
  };

  test('erasing a name deletes only the signature of the person named', async () => {
    const other = { name: 'Huw Vaughan', capacity: 'Could not sign', reason: `${name} broke her wrist` };
    const injured = await submit({ name, age: 40, affectedUserSignedBy: other });
    const signedByPerson = { name, capacity: 'Carer', reason: '' };
    const signer = await submit({ name: 'Ann Vaughan', age: 40, affectedUserSignedBy: signedByPerson });
    await eraseRecords(`report:${injured}`, `report:${signer}`);
    expect(await findReport(injured)).toMatchObject({
      name: erasedText,
      affectedUserSignedBy: { name: 'Huw Vaughan', reason: `${erasedText} broke her wrist` },
      affectedUserSignature: expect.objectContaining({ storageType: 'server' }),
    });
    expect(await findReport(signer)).toMatchObject({
      name: 'Ann Vaughan',
      affectedUserSignedBy: { name: erasedText },
      affectedUserSignature: null,
    });
  });

  test('erasing a name also erases it in the former title of an audit, which an audit created from it shows', async () => {
    const first = await addAudit({ title: `Ask ${name}` });
    const next = await addAudit({ source: { thing: 'audit', id: first, photos: [] } });
    await admin(api.updateAudit, { params: { id: first }, body: { title: 'Ask the cook' } });
    const findHit = async () =>
      (await admin(api.getAccessRequest, { params: request })).hits.find(({ id }) => id === `audit:${next}`);
    expect(await findHit()).toMatchObject({ where: ['source'] });
    await eraseRecords(`audit:${next}`);
    const audit = await admin(api.getAudit, { params: { id: next } });
    expect(audit.data.source).toMatchObject({ label: `Ask ${erasedText}` });
    expect(await findHit()).toBeUndefined();
  });

  test('erasing a name in a folder or check expires the packs that contain it', async () => {
    const report = await submit({});
    const folder = await newFolder(admin, { name: `Hut of ${name}` });
    const source = { thing: 'report' as const, id: report, photos: [] };
    const audit = (await admin(api.createAudit, { body: newAudit(folder, { source }) })).id;
    const check = await addCheck(`${name} was ill`);
    const addPack = (item: Parameters<typeof addItems>[2][number]) =>
      server.db.transaction().execute(async (db) => {
        const packRequest = { recipient: 'HSE', purpose: 'A claim', withoutNames: false, reports: [report] };
        const id = await insertPack(db, packRequest, admin, clock());
        await addItems(db, id, [item]);
        const readyPack = { state: 'ready', expires_at: '2099-01-01T00:00:00.000Z' } as const;
        await db.updateTable('packs').set(readyPack).where('id', '=', id).execute();
        return id;
      });
    const withAudit = await addPack({ thing: 'audit', thing_id: audit });
    const withChecks = await addPack({ thing: 'checks', thing_id: 'Mounds' });
    const other = await addPack({ thing: 'checks', thing_id: 'Lido Beach' });
    await eraseRecords(`folder:${folder}`, `check:${check}`);
    const packs = await admin(api.listPacks);
    const expired = { state: 'expired', problem: 'A name in it was erased.', reports: 1 };
    expect(packs.find(({ id }) => id === withAudit)).toMatchObject(expired);
    expect(packs.find(({ id }) => id === withChecks)).toMatchObject(expired);
    expect(packs.find(({ id }) => id === other)).toMatchObject({ state: 'ready' });
    const items = server.db.selectFrom('pack_items').select('thing').where('pack_id', '=', withAudit);
    expect((await items.execute()).map(({ thing }) => thing).sort()).toEqual(['audit', 'report']);
  });

  test('the stored list and reply of a retention run do not name people whose records were skipped', async () => {
    await setDay('2044-06-01');
    const { hash, rows } = await admin(api.listRetention);
    expect(rows.find(({ id }) => id === request.id)?.label).toContain(name);
    const hold = { thing: 'person' as const, thing_id: name, reason: `A claim of ${name}`, reviewOn: '2099-01-01' };
    const { id } = await admin(api.setHold, { body: hold });
    const outcome = await admin(api.runRetention, { body: { hash, ids: [request.id], count: 1 } });
    await admin(api.liftHold, { params: { id } });
    expect(outcome.skipped).toEqual([{ label: 'An access request', reason: 'A hold keeps it: see Holds' }]);
    const lists = await server.db.selectFrom('retention_lists').selectAll().execute();
    expect(JSON.stringify(lists)).not.toContain(name);
  });

  test('an assessment form opened before a name was erased cannot store the name again', async () => {
    const report = await submit({ age: 40 });
    const params = { id: report };
    const particulars = { witnesses: `The cook and ${name}` };
    const save = (version: number) =>
      admin(api.saveAssessment, { params, body: { version, answers: {}, people: [{}], particulars } });
    await save(0);
    await eraseRecords(`report:${report}`);
    await expect(save(1)).rejects.toMatchObject({ status: 409, code: 'STALE' });
    expect(await admin(api.getAssessment, { params })).toMatchObject({
      version: 2,
      particulars: { witnesses: `The cook and ${erasedText}` },
    });
    expect((await save(2)).version).toBe(3);
    const { id = '' } = (await findAssessment(server.db, report)) ?? {};
    const history = server.db.selectFrom('assessment_versions').selectAll().where('assessment_id', '=', id);
    const versions = await history.orderBy('version').execute();
    expect(versions.map(({ version, saved_by_name: by }) => [version, by])).toEqual([
      [1, admin.username],
      [2, 'the server'],
      [3, admin.username],
    ]);
    for (const { version, assessment } of versions) expect(JSON.parse(assessment).version).toBe(version);
    expect((await verifyLog(server.db)).badRow).toBeUndefined();
  });

  test('after a restore a name is erased in an earlier version of an assessment, and other texts stay', async () => {
    const report = await submit({ name, age: 40 });
    const params = { id: report };
    const save = (version: number, particulars: Record<string, string>) =>
      admin(api.saveAssessment, { params, body: { version, answers: {}, people: [{}], particulars } });
    await save(0, { cause: `${name} pushed the cook`, witnesses: 'The gardener' });
    const assessment = await findAssessment(server.db, report);
    if (!assessment) throw new Error('Not saved');
    const history = server.db.selectFrom('assessment_versions').selectAll();
    const versions = await history.where('assessment_id', '=', assessment.id).execute();
    await save(1, { cause: 'The cook fell', witnesses: `The cook and ${name}` });
    await eraseRecords(`report:${report}`);

    // Write the first version again, as a restored backup would contain it.
    await server.db.transaction().execute((db) => replaceAssessment(db, { assessment, versions, notices: [] }));
    await eraseAgain(report);
    expect(await admin(api.getAssessment, { params })).toMatchObject({
      version: 2,
      particulars: { cause: `${erasedText} pushed the cook`, witnesses: 'The gardener' },
    });
    const allVersions = await server.db.selectFrom('assessment_versions').select('assessment').execute();
    const reportVersions = allVersions.filter((row) => row.assessment.includes(report));
    expect(reportVersions).toHaveLength(2);
    expect(JSON.stringify(reportVersions)).not.toContain(name);
    expect(await findReport(report)).toMatchObject({ name: erasedText, type: 'Slip', location: 'Plot 12' });
  });

  test('after a restore, a name is erased again from the label of a deleted audit and from the reason for a missed check', async () => {
    const audit = await addAudit({ title: `Ask ${name}` });
    const check = await addCheck(`${name} was ill`);
    const before = server.db.selectFrom('audits').select(['title', 'data', 'version']).where('id', '=', audit);
    const older = await before.executeTakeFirstOrThrow();
    await eraseRecords(`audit:${audit}`, `check:${check}`);

    // As in a backup from before the erasure: the audit is deleted, and the reason has the name.
    const record = { thing: 'audit', thing_id: audit, label: `Ask ${name}`, park: 'Lido Beach' } as const;
    const deletion_id = await insertDeletion(server.db, { ...record, by: admin, now: clock() });
    await changeRows(server.db, 'audits', { id: audit }, { ...older, deletion_id });
    const reasonFields = { reason: `No one knew where ${name} was`, reason_at: '2026-06-01T10:30:00.000Z' };
    await server.db.updateTable('due_checks').set(reasonFields).where('id', '=', check).execute();
    await eraseAgain(audit);
    await eraseAgain(check);
    const deletion = server.db.selectFrom('deletions').select('label').where('id', '=', deletion_id);
    expect(await deletion.executeTakeFirst()).toEqual({ label: erasedText });
    const reason = server.db.selectFrom('due_checks').select('reason').where('id', '=', check);
    expect(await reason.executeTakeFirst()).toEqual({ reason: erasedText });
  });
});

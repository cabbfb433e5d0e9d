// Investigations and lessons in holds, retention, access requests and the erasure of names.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { addDays } from '#shared/calendar.ts';
import { purgeDeleted } from '../deletions/soft-delete.ts';
import { openDiskStore } from '../files/store.ts';
import { eraseName, eraseNameAgain } from '../retention/erase-name.ts';
import { newAudit, newFolder, newLesson, uploadPhoto } from '../testing/factories.ts';
import { startRetentionTest } from '../testing/retention-server.ts';
import { changeRows, insertRow, readRows } from '../testing/rows.ts';
import { engines } from '../testing/server.ts';
import { setUp } from '../testing/test-server.ts';
import { insertNote } from './store.ts';

describe.each(engines)('an investigation on %s', (engine) => {
  const tools = setUp(() => startRetentionTest(engine));
  const { admin } = tools;

  const start = async () => {
    const report = await tools.submit({ age: 34, date: '2026-03-14' });
    const { id } = await admin(api.createInvestigation, { body: { thing: 'report', id: report.id } });
    return { report, id, params: { id } };
  };
  const saveStatement = async (id: string) => {
    const { sections } = await admin(api.getInvestigation, { params: { id } });
    const { id: sectionId, version } = sections.statements;
    const content = {
      list: [{ person: 'Hilda Quickstep', accompaniedBy: 'Zebedee Marchbanks', text: 'Hilda Quickstep fell.' }],
    };
    await admin(api.saveInvestigationSection, {
      params: { id: sectionId },
      body: { section: 'statements', version, content },
    });
  };

  test('an investigation is due for destruction when the last of its records was destroyed, and its actions after it', async () => {
    await tools.setDay('2026-06-01');
    const { report, id } = await start();
    await saveStatement(id);
    const folder = await newFolder(admin);
    const source = { thing: 'investigation' as const, id };
    const action = (await admin(api.createAudit, { body: newAudit(folder, { completed: true, source }) })).id;
    const isListed = async (id: string) => (await tools.list()).rows.some((row) => row.id === id);
    await tools.setDay('2040-01-01');
    expect([await isListed(report.id), await isListed(id), await isListed(action)]).toEqual([true, false, false]);
    await tools.run((await tools.list()).hash, [report.id]);
    await tools.setDay('2040-01-02');
    expect(await isListed(action)).toBe(false);
    const { rows, hash } = await tools.list();
    expect(rows.find((row) => row.id === id)).toMatchObject({ thing: 'investigation', until: '2040-01-01' });
    expect((await tools.run(hash, [id])).destroyed).toHaveLength(1);
    expect(await isListed(action)).toBe(true);
    for (const table of ['investigation_sections', 'investigation_records', 'investigation_notes'] as const)
      expect(await tools.server.db.selectFrom(table).selectAll().where('investigation_id', '=', id).execute()).toEqual(
        [],
      );
  });

  test('an investigation whose only record left through the bin is kept for the period of the operator', async () => {
    await tools.setDay('2026-06-01');
    const audit = (await admin(api.createAudit, { body: newAudit(await newFolder(admin)) })).id;
    const { id } = await admin(api.createInvestigation, { body: { thing: 'audit', id: audit } });
    await admin(api.deleteAudit, { params: { id: audit } });
    await tools.setDay('2026-08-01');
    const { db, config, folder } = tools.server;
    const files = await openDiskStore(join(folder, 'uploads'), { isInUse: true });
    expect(await purgeDeleted({ db, config, files, clock: tools.clock })).toBe(1);
    const find = async () => (await tools.list()).rows.find((row) => row.id === id);
    expect(await find()).toBeUndefined();
    const until = `${2026 + config.retention.years}-06-01`;
    await tools.setDay(addDays(until, 1));
    expect(await find()).toMatchObject({ until });
  });

  test('an audit to which a note was added since the list was made is not destroyed', async () => {
    await tools.setDay('2026-06-01');
    const folder = await newFolder(admin);
    const { id } = await admin(api.createAudit, { body: newAudit(folder, { completed: true }) });
    await tools.setDay('2040-01-01');
    const { hash } = await tools.list();
    await admin(api.addAuditNote, { params: { id }, body: { text: 'The crack is back' } });
    expect((await tools.run(hash, [id])).skipped).toMatchObject([{ reason: 'It was changed since the list was made' }]);
  });

  test('a hold on one report of an investigation keeps all of its reports', async () => {
    await tools.setDay('2026-06-01');
    const { report, params } = await start();
    const other = await tools.submit({ age: 34, date: '2026-03-14' });
    await admin(api.coverReport, { params, body: { number: other.number, isCovered: true } });
    const body = { thing: 'report' as const, thing_id: report.id, reason: 'A claim', reviewOn: '2099-01-01' };
    const hold = await admin(api.setHold, { body });
    await tools.setDay('2040-01-01');
    const getHold = async (id: string) => (await tools.list()).rows.find((row) => row.id === id)?.hold;
    expect([await getHold(report.id), await getHold(other.id)]).toEqual(['A claim', 'A claim']);
    await admin(api.liftHold, { params: { id: hold.id } });
    expect(await getHold(other.id)).toBeNull();
  });

  test('an investigation is found by an access request, with others whom it names, and a name in it is erased', async () => {
    await tools.setDay('2026-06-01');
    const { id, params } = await start();
    await saveStatement(id);
    const { db } = tools.server;
    const words = 'As Hilda Quickstep said';
    const now = tools.clock();
    const record = await insertNote(db, { investigation_id: id, kind: 'complete', about: '', words, by: admin, now });
    const created_at = now.toISOString();
    const sent = { user_id: admin.id, route: 'addInvestigationNote', key: randomUUID(), fingerprint: 'of the words' };
    await insertRow(db, 'replies', { ...sent, status: 201, body: '{}', created_at, record });
    const readFingerprint = () =>
      db.selectFrom('replies').select('fingerprint').where('record', '=', record).executeTakeFirst();
    const request = await admin(api.createAccessRequest, {
      body: { name: 'Hilda Quickstep', spellings: [], receivedOn: '2026-06-01' },
    });
    const { hits } = await admin(api.getAccessRequest, { params: request });
    const hit = hits.find((hit) => hit.id === `investigation:${id}`);
    expect(hit).toMatchObject({ thing: 'investigation', isPossible: false });
    expect(hit?.where).toEqual(expect.arrayContaining(['statement by', 'investigation']));
    expect(hit?.others).toContain('Zebedee Marchbanks');
    const choices = hits.map(({ id }) => ({ id, choice: 'send' as const }));
    await admin(api.saveAccessChoices, { params: request, body: { version: 1, choices } });
    expect((await admin.fetch(`/api/admin/access-requests/${request.id}/zip`)).status).toBe(200);
    const { version } = (await admin(api.getInvestigation, { params })).sections.statements;
    const outcome = await admin(api.blankNames, {
      params: request,
      body: { ids: [`investigation:${id}`], count: 1, reason: 'asked' },
    });
    expect(outcome).toEqual({ blanked: [`investigation:${id}`], skipped: [] });
    // A guess at the name could be checked with it.
    expect(await readFingerprint()).toEqual({ fingerprint: '' });
    const { statements } = (await admin(api.getInvestigation, { params })).sections;
    expect(statements.version).toBe(version + 1);
    expect(statements.content.list).toMatchObject([
      { person: 'erased 01/06/2026', accompaniedBy: 'Zebedee Marchbanks', text: 'erased 01/06/2026 fell.' },
    ]);
  });

  test('after a restore, names in an investigation are erased again, even in sections saved since, and it stays readable', async () => {
    await tools.setDay('2026-06-01');
    const { id, params } = await start();
    await saveStatement(id);
    const { sections } = await admin(api.getInvestigation, { params });
    await admin(api.saveInvestigationSection, {
      params: { id: sections.causes.id },
      body: {
        section: 'causes',
        version: 0,
        content: { list: [{ id: 5, kind: 'root', heading: 'plant', text: 'Ask Hilda Quickstep' }] },
      },
    });
    const { db } = tools.server;
    const before = await readRows(db, 'investigation_sections', { investigation_id: id });
    const record = { thing: 'investigation' as const, id };
    const target = { names: ['Hilda Quickstep'], telephone: '' };
    const erasure = await db.transaction().execute((db) => eraseName(db, record, target, 'asked', new Date()));
    // A backup from before the erasure has earlier versions, with the name in other places.
    for (const { id, section, ...row } of before) {
      const content = section === 'facts' ? '{"text":"Hilda Quickstep slipped"}' : row.content;
      await changeRows(db, 'investigation_sections', { id }, { content, version: Math.max(0, row.version - 1) });
    }
    await db.deleteFrom('blanked').execute();
    await db.transaction().execute((db) => eraseNameAgain(db, erasure?.entry as never));
    const restored = await admin(api.getInvestigation, { params });
    expect(JSON.stringify(restored.sections)).not.toContain('Quickstep');
    expect(restored.sections.causes.content.list).toMatchObject([{ id: 5, kind: 'root', heading: 'plant' }]);
  });
});

describe.each(engines)('a lesson on %s', (engine) => {
  const tools = setUp(() => startRetentionTest(engine));
  const { admin } = tools;

  test("is found and erased by a person's name, and destroyed with the last of its audits", async () => {
    await tools.setDay('2026-06-01');
    const path = await uploadPhoto(admin);
    const body = newLesson({
      ...{
        parks: ['Lido Beach', 'Mounds'],
        title: 'Hilda Quickstep fell',
        happened: 'Ask Hilda Quickstep',
        answer_by: '2026-06-15',
      },
      ...{ photos: [{ path, name: 'pool.jpg' }], isPhotoChecked: true },
    });
    // Nobody knows the name yet.
    const { id } = await admin(api.createLesson, { body });
    // An earlier release kept the name of the photo's file.
    const { photos } = await admin(api.getLesson, { params: { id } });
    const media_files = JSON.stringify(photos.map((photo) => ({ ...photo, name: 'Hilda Quickstep.jpg' })));
    await tools.server.db.updateTable('lessons').set({ media_files }).where('id', '=', id).execute();
    const request = await admin(api.createAccessRequest, {
      body: { name: 'Hilda Quickstep', spellings: [], receivedOn: '2026-06-01' },
    });
    const { hits } = await admin(api.getAccessRequest, { params: request });
    const hit = hits.find((hit) => hit.id === `lesson:${id}`);
    const where = ['title', 'what happened', 'names of photos'];
    expect(hit).toMatchObject({ label: body.title, where, images: [path] });
    const searchLog = () => admin(api.listActivity, { query: { q: 'Quickstep', thing: 'lesson' } });
    expect(await searchLog()).toHaveLength(1);
    const ids = [`lesson:${id}`];
    await admin(api.blankNames, { params: request, body: { ids, count: 1, reason: 'asked' } });
    const lesson = await admin(api.getLesson, { params: { id } });
    expect(lesson).toMatchObject({ happened: 'Ask erased 01/06/2026', photos: [{ path }] });
    expect(JSON.stringify(lesson)).not.toContain('Quickstep');
    expect(await searchLog()).toEqual([]);
    expect(JSON.stringify(await admin(api.listActivity, { query: { thing_id: id } }))).not.toContain('Quickstep');

    const audits = lesson.answers.map(({ audit }) => audit?.id ?? '');
    const data = { completed: true, answer: 'doesNotApply' as const, answer_note: 'We have none' };
    for (const id of audits) await admin(api.updateAudit, { params: { id }, body: { data } });
    await tools.setDay('2040-01-01');
    const countLeft = async () => [
      (await tools.server.db.selectFrom('lessons').select('id').where('id', '=', id).execute()).length,
      (await tools.server.db.selectFrom('uploads').select('path').where('path', '=', path).execute()).length,
    ];
    await tools.run((await tools.list()).hash, [audits[0] ?? '']);
    expect(await countLeft()).toEqual([1, 1]);
    await tools.run((await tools.list()).hash, [audits[1] ?? '']);
    expect(await countLeft()).toEqual([0, 0]);
  });
});

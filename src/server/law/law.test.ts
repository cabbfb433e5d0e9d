import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { matchesExpected } from '#shared/law/cases.ts';
import { riddor2013v2Cases as cases } from '#shared/law/rules/shipped-cases.ts';
import { removeRecords } from '../records/remove.ts';
import { fractureAnswers, startLawTest } from '../testing/assessments.ts';
import { readPdfText } from '../testing/documents.ts';
import { readRow, readRows } from '../testing/rows.ts';
import { engines, type TestClient } from '../testing/server.ts';
import { setUp } from '../testing/test-server.ts';
import { listOpenRiddorStates } from './deadlines.ts';

describe.each(engines)('the RIDDOR assessment on %s', (engine) => {
  let now = Date.parse('2033-06-01T09:00:00Z');
  const { server, admin, manager, setDay, createReport } = setUp(() => startLawTest(engine, () => now));

  test('every RIDDOR test case gives the expected result through the API', { timeout: 240_000 }, async () => {
    const { id, params } = await createReport('2026-03-01');
    // The result does not depend on the database engine, so every sixth case is enough on
    // PostgreSQL.
    const vectors = cases.vectors.filter((_, index) => engine === 'sqlite' || index % 6 === 0);
    const failed: string[] = [];
    for (const [version, { id: name, facts, expect: expected }] of vectors.entries()) {
      await setDay(id, facts.accidentOn);
      const { result } = await manager(api.saveAssessment, {
        params,
        body: { version, answers: facts.event as never, people: facts.people as never, asOf: facts.asOf },
      });
      if (!matchesExpected(expected, result)) failed.push(name);
    }
    expect(failed).toEqual([]);
  });

  test('a manager assesses a report until it is reported to HSE, and the signed report never changes', async () => {
    const { id, number, params } = await createReport('2033-05-31');
    const readRow = () => server.db.selectFrom('reports').selectAll().where('id', '=', id).executeTakeFirst();
    const signed = await readRow();
    const empty = await manager(api.getAssessment, { params });
    expect(empty).toMatchObject({ version: 0, result: null, people: [{}], ruleSet: 'riddor-2013-v2' });
    expect(empty.clock.words).toBe('Not assessed. If reportable, due by 10/06/2033');

    const phoneNotice = { duties: ['SPECIFIED#1'], how: 'telephone' as const, on: '2033-06-01' };
    for (const early of [
      () => manager(api.decideAssessment, { params, body: { version: 0, decision: 'reportable' } }),
      () => manager(api.addRiddorNotice, { params, body: phoneNotice }),
    ])
      await expect(early()).rejects.toMatchObject({ status: 409, message: 'Answer the RIDDOR questions first' });
    const saved = await manager(api.saveAssessment, { params, body: { version: 0, ...fractureAnswers } });
    expect(saved).toMatchObject({ version: 1, result: { outcome: 'reportable', regulation: ['4(1)'] } });
    expect(saved.clock.words).toBe('Tell HSE now; report by 10/06/2033');
    const decidedAssessment = await manager(api.decideAssessment, {
      params,
      body: { version: 1, decision: 'reportable' },
    });
    expect(decidedAssessment).toMatchObject({ version: 2, decision: 'reportable', decided_by: manager.username });
    // The product never sends a notice to HSE: a user records one.
    expect(decidedAssessment).toMatchObject({ notices: [], clock: { state: 'tellNow' } });
    await manager(api.addRiddorNotice, { params, body: phoneNotice });
    expect((await manager(api.getAssessment, { params })).clock.words).toBe('Report by 10/06/2033, 9 days left');
    const onlineNotice = { ...phoneNotice, duties: ['4(1)'], how: 'online' as const };
    for (const [body, fields] of [
      [onlineNotice, { hseReference: expect.stringContaining('reference') }],
      [{ ...phoneNotice, on: '2033-06-02' }, { on: 'A day cannot be in the future' }],
      [{ ...phoneNotice, on: '2033-05-30' }, { on: 'This day is before the accident' }],
      [{ ...phoneNotice, duties: ['9'] }, { duties: 'This assessment has no duty 9' }],
    ] as const)
      await expect(manager(api.addRiddorNotice, { params, body } as never)).rejects.toMatchObject({
        status: 400,
        fields,
      });
    await manager(api.addRiddorNotice, { params, body: { ...onlineNotice, hseReference: 'HSE-77' } });
    const savedAssessment = await manager(api.getAssessment, { params });
    expect(savedAssessment.clock).toMatchObject({
      state: 'reported',
      words: 'Reported 01/06/2033, HSE ref HSE-77',
      dueOn: null,
    });
    const { version } = savedAssessment;
    // Fields of the accident book can be filled in later without losing the decision. A change of
    // other answers withdraws it.
    const later = await manager(api.saveAssessment, {
      params,
      body: { version, ...fractureAnswers, particulars: { occupation: 'Cook' } },
    });
    expect(later).toMatchObject({ decision: 'reportable', clock: { state: 'reported' } });
    const people = [{ ...fractureAnswers.people[0], specified: ['fracture', 'burn'] }];
    const other = await manager(api.saveAssessment, {
      params,
      body: { version: version + 1, ...fractureAnswers, people },
    });
    expect(other).toMatchObject({ decision: null });
    await manager(api.decideAssessment, { params, body: { version: version + 2, decision: 'reportable' } });
    expect(await readRow()).toEqual(signed);

    const open = await manager(api.listOpenDuties);
    expect(open.map((clock) => clock.number)).not.toContain(number);
    expect(await manager(api.listOpenDuties, { query: { ids: id } })).toMatchObject([{ number, state: 'reported' }]);
    expect(await manager(api.listOpenDuties, { query: { ids: id, state: 'overdue' } })).toEqual([]);
  });

  test("a report's PDF has its RIDDOR state, the assessment on request, and for safety representatives the identity only with consent", async () => {
    const { params } = await createReport('2033-05-31');
    const read = async (query: object) =>
      readPdfText(await manager(api.getReportPdf, { params, query })).replace(/\s+/g, ' ');
    expect(await read({})).toContain('Not assessed. If reportable, due by 10/06/2033');
    const save = (version: number, particulars: object) =>
      manager(api.saveAssessment, { params, body: { version, ...fractureAnswers, particulars } as never });
    await save(0, { occupation: 'Cook' });
    await manager(api.decideAssessment, { params, body: { version: 1, decision: 'reportable' } });
    const body = { duties: ['4(1)'], how: 'online' as const, on: '2033-06-01', hseReference: 'HSE-77' };
    await manager(api.addRiddorNotice, { params, body });
    const plainPdfText = await read({});
    expect(plainPdfText).toContain('Reported 01/06/2033, HSE ref HSE-77');
    expect(plainPdfText).not.toContain('Cook');
    const withAssessment = await read({ assessment: '1' });
    await admin(api.updateUserDetails, {
      params: { id: manager.id },
      body: { full_name: 'Carys Decided', email: '' },
    });
    expect(await read({ assessment: '1' })).toContain('Reportable, by Carys Decided on');
    const advice = ['the Health & Safety Manager decides', 'We report it.'];
    for (const text of [...advice, 'Reportable, by', '4(1)', 'Cook', 'broken bone', 'riddor-2013-v2', 'Siân'])
      expect(withAssessment).toContain(text);
    // Answers that follow from others belong to questions that nobody was asked.
    expect(withAssessment).not.toMatch(/registered gas engineer|happen at a hospital/);
    const anonymousPdfText = await read({ representative: '1', assessment: '1' });
    expect(anonymousPdfText).toContain('no consent');
    expect(anonymousPdfText).not.toMatch(/Siân|07700900123|Cook|broken bone/);
    await save(2, { consent: 'Signed on 1 June' });
    expect(await read({ representative: '1' })).toContain('Siân');
  });

  test('a decision on an assessment whose answers have changed since is rejected', async () => {
    const { params } = await createReport('2033-05-01');
    await manager(api.saveAssessment, { params, body: { version: 0, ...fractureAnswers } });
    await admin(api.saveAssessment, { params, body: { version: 1, answers: {}, people: [{}] } });
    const body = { version: 1, decision: 'reportable' as const, reason: 'The X-ray shows a fracture' };
    await expect(manager(api.decideAssessment, { params, body })).rejects.toMatchObject({
      ...{ status: 409, code: 'STALE', body: { current: { version: 2 } } },
    });
    expect(await manager(api.getAssessment, { params })).toMatchObject({ version: 2, decision: null });
  });

  test('a notice to HSE cannot be dated before the accident', async () => {
    const { params } = await createReport('2033-05-20');
    await manager(api.saveAssessment, { params, body: { version: 0, ...fractureAnswers } });
    const addNotice = (on: string) =>
      manager(api.addRiddorNotice, { params, body: { duties: ['SPECIFIED#1'], how: 'telephone', on } });
    const fields = { on: 'This day is before the accident' };
    await expect(addNotice('2033-05-19')).rejects.toMatchObject({ status: 400, fields });
    await addNotice('2033-05-20');
  });

  test('an assessment with a stale version, invalid answers or no reason is rejected and changes nothing', async () => {
    const { params } = await createReport('2033-05-01');
    await manager(api.saveAssessment, { params, body: { version: 0, ...fractureAnswers } });
    const staleSave = await admin(api.saveAssessment, { params, body: { version: 0, ...fractureAnswers } }).catch(
      (e) => e,
    );
    expect(staleSave).toMatchObject({ status: 409, code: 'STALE', body: { current: { version: 1 } } });
    const requestDecision = (body: object) =>
      manager(api.decideAssessment, { params, body: { version: 1, ...body } as never });
    await expect(requestDecision({ decision: 'notReportable' })).rejects.toMatchObject({
      status: 409,
      message: 'Give a reason, because the decision differs from the result',
    });
    await expect(requestDecision({ decision: 'notReportable', reason: 'Why not' })).rejects.toMatchObject({
      status: 400,
    });
    // The longest reason that is allowed, in characters of four bytes.
    const longest = await requestDecision({ decision: 'notReportable', reason: '𝓐'.repeat(2000) });
    expect(longest.reason).toHaveLength(4000);
    await expect(requestDecision({ decision: 'notReportable', reason: 'a'.repeat(2001) })).rejects.toMatchObject({
      status: 400,
    });
    const differingDecision = await manager(api.decideAssessment, {
      params,
      body: { version: 2, decision: 'notReportable', reason: 'The X-ray shows no fracture' },
    });
    expect(differingDecision).toMatchObject({ decision: 'notReportable', result: { outcome: 'reportable' } });
    expect(differingDecision.clock.words).toBe('Not reportable: The X-ray shows no fracture');

    const getRejectedFields = async (people: object[], answers: object = {}) => {
      const body = { version: 3, answers, people } as never;
      const error = await manager(api.saveAssessment, { params, body }).catch((e) => e);
      expect(error.status).toBe(400);
      return error.fields;
    };
    const absence = (from: string, back: string | null) => ({ absence: 'spells', spells: [{ from, back }] });
    expect(await getRejectedFields([{ king: 'yes' }])).toEqual({
      'people.0.king': 'This is not a question of this rule set',
    });
    expect(await getRejectedFields([{ class: 'king' }])).toEqual({
      'people.0.class': 'This is not one of the answers',
    });
    expect(await getRejectedFields([], { class: 'employee' })).toEqual({
      'answers.class': 'This is not a question of this rule set',
    });
    expect(await getRejectedFields([absence('2033-05-05', '2033-05-04')])).toEqual({
      'people.0.spells.0.back': 'The day back is before the first day off work',
    });
    expect(await getRejectedFields([absence('2033-06-02', null)])).toEqual({
      'people.0.spells.0.from': 'A day cannot be in the future',
    });
    expect(await getRejectedFields([{ died: 'later', diedOn: '2033-04-30' }])).toEqual({
      'people.0.diedOn': 'The death is before the accident',
    });
    expect(await getRejectedFields(Array.from({ length: 21 }, () => ({})))).toEqual({ people: 'At most 20 people' });
    const spells = Array.from({ length: 51 }, () => ({ from: '2033-05-02', back: '2033-05-03' }));
    expect(await getRejectedFields([{ absence: 'spells', spells }])).toEqual({
      'people.0.spells': 'At most 50 absences',
    });
    expect((await manager(api.getAssessment, { params })).version).toBe(3);

    // Of two simultaneous saves of the same version one is rejected, and a repeated request has one
    // effect.
    const save = (client: TestClient) =>
      client(api.saveAssessment, { params, body: { version: 3, ...fractureAnswers } }).catch((error) => error);
    const saves = await Promise.all([save(manager), save(admin)]);
    expect(saves.map(({ status = 200 }) => status).toSorted()).toEqual([200, 409]);
    const key = crypto.randomUUID();
    const body = { duties: ['4(1)'], how: 'telephone' as const, on: '2033-05-02' };
    const notices = await Promise.all([1, 2, 3].map(() => manager(api.addRiddorNotice, { params, body, key })));
    expect(new Set(notices.map(({ id }) => id)).size).toBe(1);
    const decision = { version: 4, decision: 'reportable' as const };
    const secondKey = crypto.randomUUID();
    for (let time = 0; time < 2; time += 1)
      expect(await manager(api.decideAssessment, { params, body: decision, key: secondKey })).toMatchObject({
        version: 5,
      });
    expect((await manager(api.getAssessment, { params })).notices).toHaveLength(1);
  });

  test("the RIDDOR advice names the park's authority, which an Admin can change", async () => {
    const { id, params } = await createReport('2033-05-31');
    const getAuthority = async (park: string) => {
      await server.db.updateTable('reports').set({ selectedPlace: park }).where('id', '=', id).execute();
      return (await manager(api.getAssessment, { params })).authority;
    };
    expect(await getAuthority('Lido Beach')).toBe('council');
    expect(await getAuthority('Delyn Metals')).toBe('ask');
    await manager(api.saveAssessment, { params, body: { version: 0, ...fractureAnswers } });
    const readAdvice = async () => {
      const pdf = await manager(api.getReportPdf, { params, query: { assessment: '1' } });
      return readPdfText(pdf).replace(/\s+/g, ' ');
    };
    expect(await readAdvice()).toContain('ask the council which of them');
    await expect(
      manager(api.saveParkSettings, { body: { park: 'Delyn Metals', authority: 'HSE' } }),
    ).rejects.toMatchObject({ status: 403 });
    await admin(api.saveParkSettings, { body: { park: 'Delyn Metals', authority: 'HSE' } });
    expect(await getAuthority('Delyn Metals')).toBe('HSE');
    expect(await readAdvice()).toContain("HSE. Either way, report on HSE's form.");
    const log = await admin(api.listActivity, { query: { thing: 'park' } });
    expect(log[0]).toMatchObject({ label: 'Delyn Metals', changes: { authority: { from: 'ask', to: 'HSE' } } });
  });

  test('the activity log contains no answers or reasons of an assessment', async () => {
    const { id, params } = await createReport('2033-05-01');
    await manager(api.saveAssessment, { params, body: { version: 0, ...fractureAnswers } });
    const reason = 'Her leg was only bruised after all';
    await manager(api.decideAssessment, { params, body: { version: 1, decision: 'notReportable', reason } });
    await manager(api.getAssessment, { params });
    const log = await admin(api.listActivity, { query: { thing: 'report', thing_id: id } });
    expect(log.map(({ action }) => action).slice(0, 3)).toEqual([
      'opened the assessment of',
      'decided the assessment of',
      'saved the assessment of',
    ]);
    expect(log[2]?.changes).toMatchObject({ fields: expect.arrayContaining(['specified', 'workPlace']) });
    const note = 'Spoke to Mr Parry at the desk';
    const body = { duties: ['4(1)'], how: 'telephone' as const, on: '2033-05-02', note };
    await manager(api.addRiddorNotice, { params, body });
    const logText = JSON.stringify(await admin(api.listActivity, { query: { thing: 'report', thing_id: id } }));
    expect(logText).not.toMatch(/bruised|fracture|Parry/);
    // Stored texts match their salted hashes in the log until they are erased.
    const { db } = server;
    const hash = (salt: string | null, text: string) => createHash('sha256').update(`${salt}${text}`).digest('hex');
    const { id: assessmentId } = await readRow(db, 'assessments', { report_id: id });
    const versions = await readRows(db, 'assessment_versions', { assessment_id: assessmentId });
    expect(versions).toHaveLength(2);
    for (const { salt, assessment } of versions) expect(logText).toContain(hash(salt, assessment));
    const { salt, ...notice } = await readRow(db, 'riddor_notices', { assessment_id: assessmentId });
    expect(logText).toContain(hash(salt, JSON.stringify(notice)));
  });

  test('the history of an assessment cannot be changed, and is deleted only with the assessment', async () => {
    const { id, params } = await createReport('2033-05-01');
    await manager(api.saveAssessment, { params, body: { version: 0, ...fractureAnswers } });
    await manager(api.addRiddorNotice, { params, body: { duties: [], how: 'telephone', on: '2033-05-02' } });
    const { db } = server;
    const { id: assessment } = await readRow(db, 'assessments', { report_id: id });
    for (const table of ['assessment_versions', 'riddor_notices'] as const) {
      const rows = () => db.selectFrom(table).selectAll().where('assessment_id', '=', assessment).execute();
      const before = await rows();
      expect(before).toHaveLength(1);
      const name = sql.table(table);
      await expect(sql`update ${name} set created_at = ''`.execute(db)).rejects.toThrow();
      await expect(sql`delete from ${name} where assessment_id = ${assessment}`.execute(db)).rejects.toThrow(
        'append-only',
      );
      expect(await rows()).toEqual(before);
    }
    await removeRecords(db, 'report', [id]);
    for (const table of ['assessments', 'assessment_versions', 'riddor_notices'] as const) {
      const column = table === 'assessments' ? 'id' : 'assessment_id';
      const remainingRows =
        await sql`select 1 from ${sql.table(table)} where ${sql.ref(column)} = ${assessment}`.execute(db);
      expect(remainingRows.rows).toEqual([]);
    }
  });

  test('the RIDDOR counts change with the reports, deadlines are sorted by day, and only Admins see the count of deleted reports', async () => {
    const before = await admin(api.countDuties);
    const { params, number } = await createReport('2033-05-30');
    const later = await createReport('2033-05-30');
    await manager(api.saveAssessment, { params, body: { version: 0, ...fractureAnswers } });
    const after = await admin(api.countDuties);
    expect([after.toReport - before.toReport, after.toAssess - before.toAssess]).toEqual([1, 1]);
    expect(await manager(api.countDuties, { query: { q: number } })).toMatchObject({ toReport: 1, toAssess: 0 });
    await manager(api.deleteReport, { params: later.params });
    expect((await admin(api.countDuties)).deleted).toBe((before.deleted ?? 0) + 1);
    expect((await manager(api.countDuties)).deleted).toBeNull();
    await expect(manager(api.getAssessment, { params: later.params })).rejects.toMatchObject({ status: 404 });
    now += 11 * 24 * 60 * 60 * 1000;
    expect(await manager(api.countDuties, { query: { q: number } })).toMatchObject({ overdue: 1, toReport: 0 });
    const deadlines = await listOpenRiddorStates(server.db, new Date(now));
    expect(deadlines.find((one) => one.number === number)).toMatchObject({ state: 'overdue', dueOn: '2033-06-09' });
    expect(deadlines.map(({ dueOn }) => dueOn ?? '9999')).toEqual(
      deadlines.map(({ dueOn }) => dueOn ?? '9999').toSorted(),
    );
  });
});

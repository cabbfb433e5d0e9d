import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { matchesExpected } from '#shared/law/cases.ts';
import cases from '#shared/law/rules/riddor-2013-v1.cases.json' with { type: 'json' };
import rules from '#shared/law/rules/riddor-2013-v1.json' with { type: 'json' };
import { createClock } from '../clock.ts';
import { newReport } from '../testing/factories.ts';
import { engines, startTestServer, type TestClient, type TestServer } from '../testing/server.ts';
import { listUnsettledDeadlines } from './deadlines.ts';
import { loadRuleSets } from './rule-sets.ts';
import { deleteAssessments } from './store.ts';

const fracture = {
  answers: {
    workHow: 'no',
    workKit: 'no',
    workPlace: 'yes',
    exclusions: ['none'],
    road: 'no',
    control: 'us',
    hospitalPremises: 'no',
    occurrence: ['none'],
    gas: 'no',
    gasFitting: 'no',
  },
  people: [{ class: 'employee', harm: 'accident', died: 'no', specified: ['fracture'], absence: 'none', forces: 'no' }],
};

describe.each(engines)('the RIDDOR assessment on %s', (engine) => {
  let server: TestServer;
  let admin: TestClient;
  let manager: TestClient;
  let now = Date.parse('2033-06-01T09:00:00Z');
  beforeAll(async () => {
    const settings = { REVIEWER_IDLE_MINUTES: '10000000', REVIEWER_SESSION_HOURS: '200000' };
    server = await startTestServer(
      engine,
      settings,
      createClock(() => now),
    );
    admin = await server.as('Admin');
    manager = await server.as('Health & Safety Manager');
  });
  afterAll(() => server.stop());

  /** Creates a report with this date, which may be in the future. */
  async function reportOf(date: string) {
    const { id, number } = await admin(api.submitAccident, { body: await newReport(admin) });
    await setDay(id, date);
    return { id, number, params: { id } };
  }
  const setDay = (id: string, date: string) =>
    server.db.updateTable('reports').set({ date }).where('id', '=', id).execute();

  test('every case gives the expected result through the API', { timeout: 120_000 }, async () => {
    const { id, params } = await reportOf('2026-03-01');
    const failed: string[] = [];
    for (const [version, { id: name, facts, expect: expected }] of cases.vectors.entries()) {
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
    const { id, number, params } = await reportOf('2033-05-31');
    const rowOf = () => server.db.selectFrom('reports').selectAll().where('id', '=', id).executeTakeFirst();
    const signed = await rowOf();
    const empty = await manager(api.getAssessment, { params });
    expect(empty).toMatchObject({ version: 0, result: null, people: [{}], ruleSet: 'riddor-2013-v1' });
    expect(empty.clock.words).toBe('Not assessed. If reportable, due by 10/06/2033');

    const saved = await manager(api.saveAssessment, { params, body: { version: 0, ...fracture } });
    expect(saved).toMatchObject({ version: 1, result: { outcome: 'reportable', regulation: ['4(1)'] } });
    expect(saved.clock.words).toBe('Tell HSE now; report by 10/06/2033');
    const decided = await manager(api.decideAssessment, { params, body: { version: 1, decision: 'reportable' } });
    expect(decided).toMatchObject({ version: 2, decision: 'reportable', decided_by: manager.username });

    const told = { duties: ['SPECIFIED#1'], how: 'telephone' as const, on: '2033-06-01' };
    await manager(api.addRiddorNotice, { params, body: told });
    expect((await manager(api.getAssessment, { params })).clock.words).toBe('Report by 10/06/2033, 9 days left');
    const reported = { ...told, duties: ['4(1)'], how: 'online' as const };
    await expect(manager(api.addRiddorNotice, { params, body: reported })).rejects.toMatchObject({
      status: 400,
      fields: { hseReference: expect.stringContaining('reference') },
    });
    await manager(api.addRiddorNotice, { params, body: { ...reported, hseReference: 'HSE-77' } });
    const done = await manager(api.getAssessment, { params });
    expect(done.clock).toMatchObject({ state: 'reported', words: 'Reported 01/06/2033, HSE ref HSE-77', dueOn: null });
    const { version } = done;
    // Filling in the accident book later keeps the decision; changing other answers withdraws it.
    const later = await manager(api.saveAssessment, {
      params,
      body: { version, ...fracture, particulars: { occupation: 'Cook' } },
    });
    expect(later).toMatchObject({ decision: 'reportable', clock: { state: 'reported' } });
    const people = [{ ...fracture.people[0], specified: ['fracture', 'burn'] }];
    const other = await manager(api.saveAssessment, { params, body: { version: version + 1, ...fracture, people } });
    expect(other).toMatchObject({ decision: null });
    await manager(api.decideAssessment, { params, body: { version: version + 2, decision: 'reportable' } });
    expect(await rowOf()).toEqual(signed);

    const open = await manager(api.listOpenDuties);
    expect(open.map((clock) => clock.number)).not.toContain(number);
    expect(await manager(api.listOpenDuties, { query: { ids: id } })).toMatchObject([{ number, state: 'reported' }]);
    expect(await manager(api.listOpenDuties, { query: { ids: id, state: 'overdue' } })).toEqual([]);
  });

  test('the PDF has the state, the assessment on request, and no identity for representatives', async () => {
    const { params } = await reportOf('2033-05-31');
    const read = async (query: object) => {
      const pdf = await manager(api.getReportPdf, { params, query });
      return execFileSync('pdftotext', ['-raw', '-', '-'], { input: pdf, encoding: 'utf8' }).replace(/\s+/g, ' ');
    };
    expect(await read({})).toContain('Not assessed. If reportable, due by 10/06/2033');
    const save = (version: number, particulars: object) =>
      manager(api.saveAssessment, { params, body: { version, ...fracture, particulars } as never });
    await save(0, { occupation: 'Cook' });
    await manager(api.decideAssessment, { params, body: { version: 1, decision: 'reportable' } });
    const body = { duties: ['4(1)'], how: 'online' as const, on: '2033-06-01', hseReference: 'HSE-77' };
    await manager(api.addRiddorNotice, { params, body });
    const plain = await read({});
    expect(plain).toContain('Reported 01/06/2033, HSE ref HSE-77');
    expect(plain).not.toContain('Cook');
    const whole = await read({ assessment: '1' });
    for (const text of ['Reportable, by', '4(1)', 'Cook', 'broken bone', 'riddor-2013-v1', 'Siân'])
      expect(whole).toContain(text);
    const anonymous = await read({ representative: '1', assessment: '1' });
    expect(anonymous).toContain('no consent');
    expect(anonymous).not.toMatch(/Siân|07700900123|Cook|broken bone/);
    await save(2, { consent: 'Signed on 1 June' });
    expect(await read({ representative: '1' })).toContain('Siân');
  });

  test('a stale version, a decision without a reason and invalid answers are rejected and change nothing', async () => {
    const { params } = await reportOf('2033-05-01');
    await manager(api.saveAssessment, { params, body: { version: 0, ...fracture } });
    const stale = await admin(api.saveAssessment, { params, body: { version: 0, ...fracture } }).catch((e) => e);
    expect(stale).toMatchObject({ status: 409, code: 'STALE', body: { current: { version: 1 } } });
    const decide = (body: object) => manager(api.decideAssessment, { params, body: { version: 1, ...body } as never });
    await expect(decide({ decision: 'notReportable' })).rejects.toMatchObject({
      status: 409,
      message: 'Answer the questions, or give a reason for the decision',
    });
    await expect(decide({ decision: 'notReportable', reason: 'Why not' })).rejects.toMatchObject({ status: 400 });
    const against = await decide({ decision: 'notReportable', reason: 'The X-ray shows no fracture' });
    expect(against).toMatchObject({ decision: 'notReportable', result: { outcome: 'reportable' } });
    expect(against.clock.words).toBe('Not reportable: The X-ray shows no fracture');

    const wrong = async (people: object[], answers: object = {}) => {
      const body = { version: 2, answers, people } as never;
      const error = await manager(api.saveAssessment, { params, body }).catch((e) => e);
      expect(error.status).toBe(400);
      return error.fields;
    };
    const absence = (from: string, back: string | null) => ({ absence: 'spells', spells: [{ from, back }] });
    expect(await wrong([{ king: 'yes' }])).toEqual({ 'people.0.king': 'This is not a question of this rule set' });
    expect(await wrong([{ class: 'king' }])).toEqual({ 'people.0.class': 'This is not one of the answers' });
    expect(await wrong([], { class: 'employee' })).toEqual({
      'answers.class': 'This is not a question of this rule set',
    });
    expect(await wrong([absence('2033-05-05', '2033-05-04')])).toEqual({
      'people.0.spells.0.back': 'The day back is before the first day off',
    });
    expect(await wrong([absence('2033-06-02', null)])).toEqual({
      'people.0.spells.0.from': 'A day cannot be in the future',
    });
    expect(await wrong([{ died: 'later', diedOn: '2033-04-30' }])).toEqual({
      'people.0.diedOn': 'The death is before the accident',
    });
    expect(await wrong(Array.from({ length: 21 }, () => ({})))).toEqual({ people: 'At most 20 people' });
    const spells = Array.from({ length: 51 }, () => ({ from: '2033-05-02', back: '2033-05-03' }));
    expect(await wrong([{ absence: 'spells', spells }])).toEqual({ 'people.0.spells': 'At most 50 absences' });
    expect((await manager(api.getAssessment, { params })).version).toBe(2);
  });

  test('the advice names the authority of the park, which an Admin can change', async () => {
    const { id, params } = await reportOf('2033-05-31');
    const authorityOf = async (park: string) => {
      await server.db.updateTable('reports').set({ selectedPlace: park }).where('id', '=', id).execute();
      return (await manager(api.getAssessment, { params })).authority;
    };
    expect(await authorityOf('Lido Beach')).toBe('council');
    expect(await authorityOf('Delyn Metals')).toBe('ask');
    await manager(api.saveAssessment, { params, body: { version: 0, ...fracture } });
    const readAdvice = async () => {
      const pdf = await manager(api.getReportPdf, { params, query: { assessment: '1' } });
      return execFileSync('pdftotext', ['-raw', '-', '-'], { input: pdf, encoding: 'utf8' }).replace(/\s+/g, ' ');
    };
    expect(await readAdvice()).toContain('ask the council which of them');
    await expect(
      manager(api.setParkAuthority, { body: { park: 'Delyn Metals', authority: 'HSE' } }),
    ).rejects.toMatchObject({ status: 403 });
    await admin(api.setParkAuthority, { body: { park: 'Delyn Metals', authority: 'HSE' } });
    expect(await authorityOf('Delyn Metals')).toBe('HSE');
    expect(await readAdvice()).toContain("HSE. Either way, report on HSE's form.");
    const all = await manager(api.listParkAuthorities);
    expect(all).toHaveLength(20);
    expect(all.filter(({ authority }) => authority !== 'council')).toEqual([
      { park: 'Delyn Metals', authority: 'HSE' },
    ]);
    const log = await admin(api.listActivity, { query: { thing: 'park' } });
    expect(log[0]).toMatchObject({ label: 'Delyn Metals', changes: { authority: { from: 'ask', to: 'HSE' } } });
  });

  test('the activity log contains no answers or reasons', async () => {
    const { id, params } = await reportOf('2033-05-01');
    await manager(api.saveAssessment, { params, body: { version: 0, ...fracture } });
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
    expect(JSON.stringify(log)).not.toMatch(/bruised|fracture/);
  });

  test('the history cannot be changed, and is deleted only with its assessment', async () => {
    const { id, params } = await reportOf('2033-05-01');
    await manager(api.saveAssessment, { params, body: { version: 0, ...fracture } });
    await manager(api.addRiddorNotice, { params, body: { duties: [], how: 'telephone', on: '2033-05-02' } });
    const { db } = server;
    const { id: assessment } = await db
      .selectFrom('assessments')
      .select('id')
      .where('report_id', '=', id)
      .executeTakeFirstOrThrow();
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
    await deleteAssessments(db, [id]);
    for (const table of ['assessments', 'assessment_versions', 'riddor_notices'] as const) {
      const column = table === 'assessments' ? 'id' : 'assessment_id';
      const left = await sql`select 1 from ${sql.table(table)} where ${sql.ref(column)} = ${assessment}`.execute(db);
      expect(left.rows).toEqual([]);
    }
  });

  test('the counts follow the list, and deleted reports are for Admins', async () => {
    const before = await admin(api.countDuties);
    const { params, number } = await reportOf('2033-05-30');
    const later = await reportOf('2033-05-30');
    await manager(api.saveAssessment, { params, body: { version: 0, ...fracture } });
    const after = await admin(api.countDuties);
    expect([after.toReport - before.toReport, after.toAssess - before.toAssess]).toEqual([1, 1]);
    expect(await manager(api.countDuties, { query: { q: number } })).toMatchObject({ toReport: 1, toAssess: 0 });
    now += 11 * 24 * 60 * 60 * 1000;
    expect(await manager(api.countDuties, { query: { q: number } })).toMatchObject({ overdue: 1, toReport: 0 });
    const deadlines = await listUnsettledDeadlines(server.db, new Date(now));
    expect(deadlines.find((one) => one.number === number)).toMatchObject({ state: 'overdue', dueOn: '2033-06-09' });
    expect(deadlines.map(({ dueOn }) => dueOn ?? '9999')).toEqual(
      deadlines.map(({ dueOn }) => dueOn ?? '9999').toSorted(),
    );
    now -= 11 * 24 * 60 * 60 * 1000;
    await manager(api.deleteReport, { params: later.params });
    expect((await admin(api.countDuties)).deleted).toBe((before.deleted ?? 0) + 1);
    expect((await manager(api.countDuties)).deleted).toBeNull();
    await expect(manager(api.getAssessment, { params: later.params })).rejects.toMatchObject({ status: 404 });
  });

  test('counts, list, details and PDF show the same state on every day for 20 days', {
    timeout: 120_000,
  }, async () => {
    const dayMs = 24 * 60 * 60 * 1000;
    // The last test here, because the server's clock never goes back. Winter time begins on 30
    // October 2033.
    const accident = Date.parse('2033-10-20T12:00:00Z');
    now = accident;
    const walked = await reportOf('2033-10-20');
    const untouched = await reportOf('2033-10-20');
    const still = await reportOf('2033-10-20');
    const absence = { absence: 'spells', spells: [{ from: '2033-10-21', back: null }] };
    const rowOf = async () => {
      const row = await server.db
        .selectFrom('reports')
        .selectAll()
        .where('id', '=', walked.id)
        .executeTakeFirstOrThrow();
      // The report stores when a reviewer first opened it, once.
      return JSON.stringify({ ...row, first_opened_at: '' });
    };
    const signed = await rowOf();
    const seen: string[] = [];
    for (let day = 0; day <= 20; day += 1) {
      now = accident + day * dayMs;
      if (day === 1) {
        await manager(api.saveAssessment, { params: walked.params, body: { version: 0, ...fracture } });
        const people = [{ ...fracture.people[0], specified: ['none'], ...absence }];
        const answers = { ...fracture.answers, workHow: 'yes' };
        await manager(api.saveAssessment, { params: still.params, body: { version: 0, answers, people } });
      }
      const on = new Date(now).toISOString().slice(0, 10);
      const notice = { duties: ['4(1)'], on };
      if (day === 3)
        await manager(api.addRiddorNotice, { params: walked.params, body: { ...notice, how: 'telephone' } });
      if (day === 14) {
        const body = { ...notice, how: 'online' as const, hseReference: 'HSE-9' };
        await manager(api.addRiddorNotice, { params: walked.params, body });
      }
      for (const { id, number, params } of [walked, untouched, still]) {
        const [row] = await manager(api.listOpenDuties, { query: { ids: id } });
        const { clock } = await manager(api.getAssessment, { params });
        expect(row).toMatchObject(clock);
        // An unassessed report keeps that state, however late it is.
        const isOver = clock.state !== 'notAssessed' && (clock.daysOver ?? 0) > 0;
        const isToReport = !isOver && ['tellNow', 'due', 'theirs'].includes(clock.state);
        const isLeft = clock.state !== 'reported';
        expect([day, await manager(api.countDuties, { query: { q: number } })]).toMatchObject([
          day,
          {
            overdue: Number(isOver),
            toReport: Number(isToReport),
            toAssess: Number(isLeft && !isOver && !isToReport),
          },
        ]);
        if (id !== walked.id) continue;
        const pdf = await manager(api.getReportPdf, { params });
        const text = execFileSync('pdftotext', ['-raw', '-', '-'], { input: pdf, encoding: 'utf8' });
        expect(text.replace(/\s+/g, ' ')).toContain(clock.words);
        seen.push(clock.words);
      }
      expect(await rowOf()).toBe(signed);
    }
    expect(seen[0]).toBe('Not assessed. If reportable, due by 30/10/2033');
    expect(seen[2]).toBe('Tell HSE now; report by 30/10/2033');
    expect(seen[10]).toBe('Report by 30/10/2033, today');
    expect(seen.slice(11, 14)).toEqual(
      ['1 day', '2 days', '3 days'].map((days) => `Overdue by ${days}. Report it now`),
    );
    expect(new Set(seen.slice(14))).toEqual(new Set(['Reported 03/11/2033, HSE ref HSE-9']));
  });
});

describe('rule files of the operator', () => {
  const folderWith = async (files: Record<string, unknown>, root: string) => {
    const folder = join(root, 'law');
    mkdirSync(folder, { recursive: true });
    for (const [name, content] of Object.entries(files))
      await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
    return folder;
  };
  const next = {
    ...rules,
    id: 'riddor-2027-v1',
    validFrom: '2027-01-01',
    named: { ...rules.named, over7: { longestSpell: ['>', 5] } },
  };

  test.each(engines)('a rule set for 2027 applies to accidents from 2027 only on %s', async (engine) => {
    const offSix = {
      answers: { ...fracture.answers, workHow: 'yes' },
      people: [
        {
          ...fracture.people[0],
          specified: ['none'],
          absence: 'spells',
          spells: [{ from: '2026-12-31', back: '2027-01-08' }],
        },
      ],
    };
    const server = await startTestServer(
      engine,
      {},
      createClock(() => Date.parse('2027-06-01T09:00:00Z')),
      undefined,
      async ({ dataDir }) => {
        await folderWith(
          { 'riddor-2027-v1.json': next, 'end.json': { id: 'riddor-2013-v1', validTo: '2026-12-31' } },
          dataDir,
        );
      },
    );
    const admin = await server.as('Admin');
    const assess = async (date: string) => {
      const { id } = await admin(api.submitAccident, { body: await newReport(admin) });
      await server.db.updateTable('reports').set({ date }).where('id', '=', id).execute();
      const body = { version: 0, ...offSix } as never;
      const { ruleSet, result } = await admin(api.saveAssessment, { params: { id }, body });
      return [ruleSet, result?.outcome];
    };
    expect(await assess('2026-12-31')).toEqual(['riddor-2013-v1', 'record']);
    expect(await assess('2027-01-01')).toEqual(['riddor-2027-v1', 'reportable']);
    expect((await admin(api.getRuleSet, { params: { id: 'riddor-2013-v1' } })).validTo).toBe('2026-12-31');
    await server.stop();
  });

  test.each([
    ['is no JSON', 'not json', /bad\.json cannot be used/],
    ['breaks the schema', { ...next, people: [{ id: 'X' }] }, /people/],
    ['names no rule set', { id: 'riddor-1999-v1', validTo: '2026-12-31' }, /no rule set riddor-1999-v1/],
    [
      'gets less from a worse fact',
      { ...next, named: { ...next.named, over7: { not: { longestSpell: ['>', 7] } } } },
      /worse fact/,
    ],
  ])('a rule set that %s is rejected at the start', async (_what, content, message) => {
    const start = startTestServer('sqlite', {}, createClock(), undefined, async ({ dataDir }) => {
      await folderWith({ 'bad.json': content }, dataDir);
    });
    await expect(start).rejects.toThrow(message);
  });

  test('a rule set whose own cases fail is rejected', async () => {
    const start = startTestServer('sqlite', {}, createClock(), undefined, async ({ dataDir }) => {
      await folderWith({ 'next.json': next, 'next.cases.json': cases }, dataDir);
    });
    await expect(start).rejects.toThrow(/of its cases pass/);
    expect(() => loadRuleSets('/nowhere')).not.toThrow();
  });
});

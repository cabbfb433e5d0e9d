import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import type { Answers } from '#shared/law/facts.ts';
import rules from '#shared/law/rules/riddor-2013-v1.json' with { type: 'json' };
import { riddor2013v1 } from '#shared/law/rules/shipped.ts';
import { migrations } from '../db/migrate.ts';
import type { Database } from '../db/schema.ts';
import { fractureAnswers, startLawTest } from '../testing/assessments.ts';
import { readPdfText } from '../testing/documents.ts';
import { insertRow } from '../testing/rows.ts';
import { engines } from '../testing/server.ts';
import { shippedRuleSets } from './rule-sets.ts';

const shipped = [...shippedRuleSets];
afterEach(() => {
  shippedRuleSets.splice(0, shippedRuleSets.length, ...shipped);
});

/** Rules for 2027: an absence of 6 days is reportable. */
const next = {
  ...rules,
  id: 'riddor-2027-v1',
  validFrom: '2027-01-01',
  named: { ...rules.named, over7: { longestSpell: ['>', 5] } },
};

const sixDayAbsence = {
  answers: { ...fractureAnswers.answers, workHow: 'yes' },
  people: [
    {
      ...fractureAnswers.people[0],
      specified: ['none'],
      absence: 'spells',
      spells: [{ from: '2027-01-01', back: '2027-01-08' }],
    },
  ],
} as never as typeof fractureAnswers;

test.each(engines)('the day of the accident decides which rule set applies, on %s', async (engine) => {
  shippedRuleSets.splice(0, shippedRuleSets.length, { ...riddor2013v1, validTo: '2026-12-31' }, next as never);
  const { server, admin, createReport } = await startLawTest(engine, () => Date.parse('2027-06-01T09:00:00Z'));
  const submitAndAssess = async (date: string) => {
    const { params } = await createReport(date);
    const { ruleSet, result } = await admin(api.saveAssessment, { params, body: { version: 0, ...sixDayAbsence } });
    return [ruleSet, result?.outcome];
  };
  expect(await submitAndAssess('2026-12-31')).toEqual(['riddor-2013-v1', 'record']);
  expect(await submitAndAssess('2027-01-01')).toEqual(['riddor-2027-v1', 'reportable']);
  expect((await admin(api.getRuleSet, { params: { id: 'riddor-2013-v1' } })).validTo).toBe('2026-12-31');

  // The rules are replaced while a manager answers the questions of the old ones.
  const { params } = await createReport('2027-05-01');
  const { params: decidedReport } = await createReport('2027-05-01');
  const { params: thirdReport } = await createReport('2027-05-01');
  const answers2027 = { ...fractureAnswers, ruleSet: 'riddor-2027-v1' };
  await admin(api.saveAssessment, { params: decidedReport, body: { version: 0, ...answers2027 } });
  await admin(api.decideAssessment, { params: decidedReport, body: { version: 1, decision: 'reportable' } });
  await admin(api.saveAssessment, { params, body: { version: 0, ...answers2027 } });
  shippedRuleSets.push({ ...next, id: 'riddor-2027-v2' } as never);
  const lateUpdate = { params: thirdReport, body: { version: 0, ...answers2027 } };
  await expect(admin(api.saveAssessment, lateUpdate)).rejects.toMatchObject({ status: 409, code: 'STALE' });
  expect(await admin(api.getAssessment, { params: thirdReport })).toMatchObject({
    version: 0,
    ruleSet: 'riddor-2027-v2',
  });

  // With a corrected rule set, an undecided assessment shows that there is one and keeps its rules
  // until a manager answers the new questions. A decided assessment never changes.
  expect(await admin(api.getAssessment, { params })).toMatchObject({
    ruleSet: 'riddor-2027-v1',
    correctedBy: 'riddor-2027-v2',
  });
  expect(await admin(api.saveAssessment, { params, body: { version: 1, ...fractureAnswers } })).toMatchObject({
    ruleSet: 'riddor-2027-v1',
  });
  const answersToCorrectedRules = { version: 2, ...fractureAnswers, ruleSet: 'riddor-2027-v2' };
  expect(await admin(api.saveAssessment, { params, body: answersToCorrectedRules })).toMatchObject({
    ruleSet: 'riddor-2027-v2',
    correctedBy: null,
  });
  expect(await admin(api.getAssessment, { params: decidedReport })).toMatchObject({
    ruleSet: 'riddor-2027-v1',
    correctedBy: null,
    decision: 'reportable',
  });
  await expect(
    admin(api.saveAssessment, { params: decidedReport, body: answersToCorrectedRules }),
  ).rejects.toMatchObject({ status: 409 });
  await server.stop();
});

test.each(engines)("assessments by an operator's rules in the database keep them, on %s", async (engine) => {
  const { server, admin, createReport } = await startLawTest(engine, () => Date.parse('2027-06-01T09:00:00Z'));
  await insertRow(server.db, 'rule_sets', { id: next.id, rules: JSON.stringify(next) });
  const assessBy = async (rule_set: string) => {
    const { id, params } = await createReport('2027-01-01');
    await admin(api.saveAssessment, { params, body: { version: 0, ...fractureAnswers } });
    await server.db.updateTable('assessments').set({ rule_set }).where('report_id', '=', id).execute();
    return params;
  };
  const params = await assessBy(next.id);
  expect(await admin(api.getRuleSet, { params: { id: next.id } })).toEqual(next);
  expect(await admin(api.getAssessment, { params })).toMatchObject({ version: 1, ruleSet: next.id });
  const saved = await admin(api.saveAssessment, { params, body: { version: 1, ...sixDayAbsence } });
  expect(saved).toMatchObject({ version: 2, ruleSet: next.id, result: { outcome: 'reportable' } });
  const readPdf = async (params: { id: string }) =>
    readPdfText(await admin(api.getReportPdf, { params, query: { assessment: '1' } }));
  expect(await readPdf(params)).toContain('(riddor-2027-v1)');

  // One whose rules are missing is not evaluated by others.
  const lost = await assessBy('riddor-1999-v1');
  const body = { version: 1, ...fractureAnswers };
  await expect(admin(api.saveAssessment, { params: lost, body })).rejects.toMatchObject({
    status: 409,
    message: 'The rules riddor-1999-v1 are missing.',
  });
  expect(await readPdf(lost)).toContain('cannot be printed');
  await server.stop();
});

/** A guest who was hurt and treated: reportable, but not with the answer that could be misunderstood. */
const createMedicalAnswers = (exclusions: string[]) => ({
  answers: { ...fractureAnswers.answers, exclusions },
  people: [{ class: 'public', harm: 'accident', died: 'no', hospital: 'treatment' }],
});

test.each(engines)(
  'after the correction of the rules of 2013, open assessments are asked again and doubtful decisions are listed, on %s',
  async (engine) => {
    const now = () => Date.parse('2026-11-25T09:00:00Z');
    shippedRuleSets.splice(0, shippedRuleSets.length, riddor2013v1);
    const { server, admin, createReport } = await startLawTest(engine, now);
    const assess = async (exclusions: string[], decision?: 'notReportable' | 'reportable', changes: Answers = {}) => {
      const { id, params } = await createReport('2026-11-20');
      const { answers, people } = createMedicalAnswers(exclusions);
      const body = { version: 0, answers: { ...answers, ...changes } as never, people: people as never };
      const { ruleSet, result } = await admin(api.saveAssessment, { params, body });
      const reason = decision === result?.outcome ? undefined : 'As the doctor in the park says';
      if (decision) await admin(api.decideAssessment, { params, body: { version: 1, decision, reason } });
      return { id, params, ruleSet, outcome: result?.outcome };
    };
    const exempted = await assess(['medical'], 'notReportable');
    const reported = await assess(['medical'], 'reportable');
    const notNeeded = await assess(['medical'], 'notReportable', { workPlace: 'no' });
    const otherLaw = await assess(['ship'], 'notReportable');
    const neither = await assess(['none'], 'notReportable');
    const openExempted = await assess(['medical']);
    const openReportable = await assess(['none']);
    expect([exempted, openReportable]).toMatchObject([
      { ruleSet: 'riddor-2013-v1', outcome: 'notReportable' },
      { ruleSet: 'riddor-2013-v1', outcome: 'reportable' },
    ]);
    const readRows = () =>
      server.db.selectFrom('assessments').selectAll().where('decision', 'is not', null).orderBy('id').execute();
    const before = await readRows();

    // The upgrade: the corrected rules, and the part of the migration that marks decisions.
    shippedRuleSets.splice(0, shippedRuleSets.length, ...shipped);
    await undo050(server.db);
    await migrations['050-decisions-to-review']?.up(server.db as never);
    const unchanged = ({ to_review: _, ...row }: (typeof before)[number]) => row;
    expect((await readRows()).map(unchanged)).toEqual(before.map(unchanged));

    const { toReview } = await admin(api.countDuties);
    expect(toReview).toBe(1);
    const listToReview = async () =>
      (await admin(api.listReports, { query: { duty: 'toReview' } })).map(({ id }) => id);
    expect(await listToReview()).toEqual([exempted.id]);
    const read = (params: { id: string }) => admin(api.getAssessment, { params });
    for (const { params } of [reported, notNeeded, otherLaw, neither])
      expect(await read(params)).toMatchObject({ ruleSet: 'riddor-2013-v1', correctedBy: null, reviewBy: null });
    const decided = await read(exempted.params);
    expect(decided).toMatchObject({
      ruleSet: 'riddor-2013-v1',
      reviewBy: 'riddor-2013-v2',
      decision: 'notReportable',
      answers: { exclusions: ['medical'] },
      result: { outcome: 'notReportable' },
      clock: { state: 'notReportable' },
    });

    // Open ones: the answer is not believed, and the changed question has to be answered first.
    expect(await read(openExempted.params)).toMatchObject({
      correctedBy: 'riddor-2013-v2',
      result: { outcome: 'undecided' },
      clock: {
        state: 'undecided',
        words: 'To decide: Was it medical treatment, or covered by another law; due by 30/11/2026 if reportable',
      },
    });
    expect(await read(openReportable.params)).toMatchObject({
      correctedBy: 'riddor-2013-v2',
      clock: { state: 'tellNow' },
    });
    const decide = (params: { id: string }, version: number, decision: 'notReportable' | 'reportable') =>
      admin(api.decideAssessment, { params, body: { version, decision, reason: 'The injection did the harm' } });
    await expect(decide(openReportable.params, 1, 'reportable')).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('Answer the changed question'),
    });
    const again = { ...createMedicalAnswers(['none']), ruleSet: 'riddor-2013-v2', version: 1 } as never;
    expect(await admin(api.saveAssessment, { params: openReportable.params, body: again })).toMatchObject({
      ruleSet: 'riddor-2013-v2',
      result: { outcome: 'reportable' },
    });
    await decide(openReportable.params, 2, 'reportable');

    // A decision is no longer listed once it is saved again, or its questions are answered again.
    const particulars = { occupation: 'Guest' };
    const kept = { ...createMedicalAnswers(['medical']), asOf: decided.asOf, particulars, version: 2 } as never;
    expect(await admin(api.saveAssessment, { params: exempted.params, body: kept })).toMatchObject({
      decision: 'notReportable',
      reviewBy: 'riddor-2013-v2',
    });
    expect(await decide(exempted.params, 3, 'notReportable')).toMatchObject({ version: 4, reviewBy: null });
    expect(await listToReview()).toEqual([]);
    await server.db.updateTable('assessments').set({ to_review: 1 }).where('report_id', '=', exempted.id).execute();
    const corrected = { ...createMedicalAnswers(['none']), ruleSet: 'riddor-2013-v2', version: 4 } as never;
    expect(await admin(api.saveAssessment, { params: exempted.params, body: corrected })).toMatchObject({
      ruleSet: 'riddor-2013-v2',
      decision: null,
      result: { outcome: 'reportable' },
      clock: { state: 'tellNow' },
    });
    expect(await listToReview()).toEqual([]);
    await server.stop();
  },
);

/** Removes what the migration added, so that it can run with data. */
async function undo050(db: Database): Promise<void> {
  await sql`drop index assessments_to_review`.execute(db);
  await sql`alter table assessments drop column to_review`.execute(db);
}

import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import rules from '#shared/law/rules/riddor-2013-v1.json' with { type: 'json' };
import { createClock } from '../clock.ts';
import type { Config } from '../config.ts';
import { connect } from '../db/connect.ts';
import { migrate, migrations } from '../db/migrate.ts';
import { newId } from '../ids.ts';
import { fractureAnswers, startLawTest } from '../testing/assessments.ts';
import { fillAsFirstRelease, firstReleaseRows } from '../testing/first-release.ts';
import { engines, startTestServer } from '../testing/server.ts';
import { shippedRuleSets } from './rule-sets.ts';

const [shipped] = shippedRuleSets;
afterEach(() => {
  shippedRuleSets.splice(0, shippedRuleSets.length, shipped as never);
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
      spells: [{ from: '2026-12-31', back: '2027-01-08' }],
    },
  ],
} as never as typeof fractureAnswers;

test.each(engines)('the day of the accident decides which rule set applies, on %s', async (engine) => {
  shippedRuleSets.splice(0, 1, { ...shipped, validTo: '2026-12-31' } as never, next as never);
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

/** Stores data of a version that read the operator's rules, with an assessment for each rule set. */
async function fillWithOperatorRules(config: Config, ruleSets: string[]): Promise<void> {
  await fillAsFirstRelease(config);
  const db = await connect(config);
  await migrate(db, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '022')));
  const by = { updated_at: '2026-11-11T09:00:00.000Z', updated_by: 'huw', updated_by_name: 'huw' };
  const answers = { asOf: '2026-11-11', event: {}, people: [{}] };
  const result = {
    outcome: 'undecided',
    regulation: [],
    duties: [],
    openDuties: [],
    responsible: [],
    openQuestions: [],
  };
  for (const [index, rule_set] of ruleSets.entries())
    await db
      .insertInto('assessments')
      .values({
        ...{ id: newId(), report_id: String(firstReleaseRows('reports')[index]?.id), version: 1, rule_set },
        ...{ answers: JSON.stringify(answers), result: JSON.stringify(result), particulars: '{}' },
        ...{ decision: null, settled: 0, ...by },
      })
      .execute();
  await db.destroy();
  mkdirSync(join(config.dataDir, 'law'));
  const write = (name: string, content: object) =>
    writeFileSync(join(config.dataDir, 'law', name), JSON.stringify(content));
  write('riddor-2027-v1.json', next);
  write('riddor-2027-v1.cases.json', { ruleSet: next.id, vectors: [] });
  write('unused.json', { ...next, id: 'riddor-2028-v1' });
  write('until.json', { id: next.id, validTo: '2027-12-31' });
  write('shipped.json', rules);
}

test.each(engines)("assessments by an operator's rule files stay usable after the upgrade, on %s", async (engine) => {
  const clock = createClock(() => Date.parse('2027-06-01T09:00:00Z'));
  const server = await startTestServer(engine, { BACKUP_BEFORE_UPGRADE: '0' }, clock, undefined, (config) =>
    fillWithOperatorRules(config, ['riddor-2027-v1', 'riddor-2013-v1', 'riddor-1999-v1']),
  );
  const getStoredIds = async () =>
    (await server.db.selectFrom('rule_sets').select('id').execute()).map((row) => row.id);
  expect(await getStoredIds()).toEqual(['riddor-2027-v1']);
  rmSync(join(server.config.dataDir, 'law'), { recursive: true });
  await server.restart();
  const admin = await server.as('Admin');
  const [params, , lost] = firstReleaseRows('reports').map(({ id }) => ({ id: String(id) }));
  if (!params || !lost) throw new Error('The first release has three reports');

  expect(await admin(api.getRuleSet, { params: { id: next.id } })).toEqual(next);
  expect(await admin(api.getAssessment, { params })).toMatchObject({ version: 1, ruleSet: next.id });
  const saved = await admin(api.saveAssessment, { params, body: { version: 1, ...sixDayAbsence } });
  expect(saved).toMatchObject({ version: 2, ruleSet: next.id, result: { outcome: 'reportable' } });
  const readPdf = async (params: { id: string }) =>
    execFileSync('pdftotext', ['-raw', '-', '-'], {
      input: await admin(api.getReportPdf, { params, query: { assessment: '1' } }),
      encoding: 'utf8',
    });
  expect(await readPdf(params)).toContain('(riddor-2027-v1)');

  // An assessment whose file was missing before the upgrade is not evaluated by other rules.
  const body = { version: 1, ...fractureAnswers };
  await expect(admin(api.saveAssessment, { params: lost, body })).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('riddor-1999-v1 are missing'),
  });
  expect(await readPdf(lost)).toContain('cannot be printed');
  await server.stop();
});

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import cases from '#shared/law/rules/riddor-2013-v1.cases.json' with { type: 'json' };
import rules from '#shared/law/rules/riddor-2013-v1.json' with { type: 'json' };
import { createClock } from '../clock.ts';
import { fractureAnswers } from '../testing/assessments.ts';
import { newReport } from '../testing/factories.ts';
import { engines, startTestServer } from '../testing/server.ts';
import { loadRuleSets } from './rule-sets.ts';

describe('rule files of the operator', () => {
  const createFolder = async (files: Record<string, unknown>, root: string) => {
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

  test.each(engines)('a rule set for 2027 applies only to accidents from 2027, on %s', async (engine) => {
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
    };
    const server = await startTestServer(
      engine,
      {},
      createClock(() => Date.parse('2027-06-01T09:00:00Z')),
      undefined,
      async ({ dataDir }) => {
        await createFolder(
          { 'riddor-2027-v1.json': next, 'end.json': { id: 'riddor-2013-v1', validTo: '2026-12-31' } },
          dataDir,
        );
      },
    );
    const admin = await server.as('Admin');
    const submitAndAssess = async (date: string) => {
      const { id } = await admin(api.submitAccident, { body: await newReport(admin) });
      await server.db.updateTable('reports').set({ date }).where('id', '=', id).execute();
      const body = { version: 0, ...sixDayAbsence } as never;
      const { ruleSet, result } = await admin(api.saveAssessment, { params: { id }, body });
      return [ruleSet, result?.outcome];
    };
    expect(await submitAndAssess('2026-12-31')).toEqual(['riddor-2013-v1', 'record']);
    expect(await submitAndAssess('2027-01-01')).toEqual(['riddor-2027-v1', 'reportable']);
    expect((await admin(api.getRuleSet, { params: { id: 'riddor-2013-v1' } })).validTo).toBe('2026-12-31');

    // The rules are replaced while a manager answers the questions of the old ones.
    const submit = async () => {
      const { id } = await admin(api.submitAccident, { body: await newReport(admin) });
      await server.db.updateTable('reports').set({ date: '2027-05-01' }).where('id', '=', id).execute();
      return { id };
    };
    const params = await submit();
    const answers2027 = { ...fractureAnswers, ruleSet: 'riddor-2027-v1' } as never as typeof fractureAnswers;
    const decidedReport = await submit();
    await admin(api.saveAssessment, { params: { id: decidedReport.id }, body: { version: 0, ...answers2027 } });
    const decision = { version: 1, decision: 'reportable' as const };
    await admin(api.decideAssessment, { params: { id: decidedReport.id }, body: decision });
    await admin(api.saveAssessment, { params, body: { version: 0, ...answers2027 } });
    const thirdReport = await submit();
    await createFolder({ 'riddor-2027-v2.json': { ...next, id: 'riddor-2027-v2' } }, server.config.dataDir);
    await server.restart();
    const lateUpdate = { params: { id: thirdReport.id }, body: { version: 0, ...answers2027 } };
    await expect(admin(api.saveAssessment, lateUpdate)).rejects.toMatchObject({ status: 409, code: 'STALE' });
    expect(await admin(api.getAssessment, { params: lateUpdate.params })).toMatchObject({
      version: 0,
      ruleSet: 'riddor-2027-v2',
    });

    // With a corrected rule set, an undecided assessment shows that there is one and keeps its
    // rules until a manager answers the new questions. A decided assessment never changes.
    expect(await admin(api.getAssessment, { params })).toMatchObject({
      ruleSet: 'riddor-2027-v1',
      correctedBy: 'riddor-2027-v2',
    });
    expect(await admin(api.saveAssessment, { params, body: { version: 1, ...fractureAnswers } })).toMatchObject({
      ruleSet: 'riddor-2027-v1',
    });
    const answersToCorrectedRules = { ...fractureAnswers, ruleSet: 'riddor-2027-v2' };
    expect(await admin(api.saveAssessment, { params, body: { version: 2, ...answersToCorrectedRules } })).toMatchObject(
      {
        ruleSet: 'riddor-2027-v2',
        correctedBy: null,
      },
    );
    expect(await admin(api.getAssessment, { params: { id: decidedReport.id } })).toMatchObject({
      ruleSet: 'riddor-2027-v1',
      correctedBy: null,
      decision: 'reportable',
    });
    const body = { version: 2, ...answersToCorrectedRules };
    await expect(admin(api.saveAssessment, { params: { id: decidedReport.id }, body })).rejects.toMatchObject({
      status: 409,
    });

    // If the file of its rules is missing, an assessment is not evaluated by other rules, and its
    // PDF says so.
    rmSync(join(server.config.dataDir, 'law', 'riddor-2027-v1.json'));
    await server.restart();
    await expect(
      admin(api.saveAssessment, { params: { id: decidedReport.id }, body: { version: 2, ...fractureAnswers } }),
    ).rejects.toMatchObject({ status: 409, message: expect.stringContaining('riddor-2027-v1 are missing') });
    const pdf = await admin(api.getReportPdf, { params: { id: decidedReport.id }, query: { assessment: '1' } });
    const text = execFileSync('pdftotext', ['-raw', '-', '-'], { input: pdf, encoding: 'utf8' });
    expect(text).toContain('cannot be printed');
    await server.stop();
  });

  const bad: [string, Record<string, unknown>, RegExp][] = [
    ['is not JSON', { 'bad.json': 'not json' }, /bad\.json cannot be used/],
    ['breaks the schema', { 'bad.json': { ...next, people: [{ id: 'X' }] } }, /bad\.json cannot be used.*people/],
    [
      'names an unknown rule set',
      { 'bad.json': { id: 'riddor-1999-v1', validTo: '2026-12-31' } },
      /no rule set riddor-1999-v1/,
    ],
    ['ends before it begins', { 'bad.json': { id: rules.id, validTo: '2001-01-01' } }, /bad\.json.*before validFrom/],
    [
      'has a weaker result for a worse fact',
      { 'bad.json': { ...next, named: { ...next.named, over7: { not: { longestSpell: ['>', 7] } } } } },
      /worse fact/,
    ],
    ['fails its own cases', { 'next.json': next, 'next.cases.json': cases }, /of its cases pass/],
  ];
  test.each(bad)('a rule file that %s is rejected', async (_what, files, message) => {
    const root = mkdtempSync(join(tmpdir(), 'rules-'));
    const folder = await createFolder(files, root);
    expect(() => loadRuleSets(folder)).toThrow(message);
    rmSync(root, { recursive: true });
  });

  test('a missing rule folder is not an error, and a file of any name can change the days of a rule set', async () => {
    expect(loadRuleSets('/nowhere').list).toHaveLength(1);
    const root = mkdtempSync(join(tmpdir(), 'rules-'));
    const files = { 'a.json': { id: next.id, validTo: '2028-12-31' }, 'riddor-2027-v1.json': next };
    const sets = loadRuleSets(await createFolder(files, root));
    expect(sets.get(next.id)?.validTo).toBe('2028-12-31');
    expect(['2026-12-31', '2027-01-01', '2029-01-01'].map((day) => sets.pick(day).id)).toEqual([
      rules.id,
      next.id,
      rules.id,
    ]);
    rmSync(root, { recursive: true });
  });

  test.each(engines)('the server on %s does not start with an invalid rule file', async (engine) => {
    const start = startTestServer(engine, {}, createClock(), undefined, async ({ dataDir }) => {
      await createFolder({ 'bad.json': { ...next, people: [{ id: 'X' }] } }, dataDir);
    });
    await expect(start).rejects.toThrow(/bad\.json cannot be used/);
  });
});

// Checks this release's rule sets and explains results, without a server or a database:
//   npm run law -- check [FILES OF CASES]
//   npm run law -- explain FILE ID
import { readFileSync } from 'node:fs';
import { parseCases, runCases, runProperties } from '#shared/law/check.ts';
import { evaluate } from '#shared/law/evaluate.ts';
import { explain, getQuestionLabel } from '#shared/law/explain.ts';
import type { RuleSet } from '#shared/law/rule-set.ts';
import { riddor2013v1Cases, riddor2013v2Cases } from '#shared/law/rules/shipped-cases.ts';
import { shippedRuleSets } from '../law/rule-sets.ts';
import { print } from './command.ts';

const usage = 'Usage: npm run law -- check [FILES OF CASES]\n       npm run law -- explain FILE ID';

const shippedCases = [riddor2013v1Cases, riddor2013v2Cases];

/** The number of random accidents that each rule set is tested with. */
const runs = 2000;

const readCases = (path: string) => {
  try {
    return parseCases(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`);
  }
};

function findRuleSet(id = shippedRuleSets[0]?.id): RuleSet {
  const set = shippedRuleSets.find((ruleSet) => ruleSet.id === id);
  if (!set)
    throw new Error(
      `There is no rule set ${id}. There are: ${shippedRuleSets.map((ruleSet) => ruleSet.id).join(', ')}`,
    );
  return set;
}

/** Prints how many cases pass; returns whether all did. */
function report(name: string, set: RuleSet, cases: ReturnType<typeof parseCases>): boolean {
  const { passed, total, failures } = runCases(set, cases.vectors);
  for (const { id, title, differences } of failures) print(`  ${id} ${title}\n    ${differences.join('\n    ')}`);
  print(`${name}: ${passed} of ${total}`);
  return passed === total;
}

function check(files: string[]): boolean {
  let allPass = true;
  for (const set of shippedRuleSets) {
    print(`${set.id}: the schema is right, ${set.people.length + set.event.length} rules`);
    for (const cases of shippedCases.filter(({ ruleSet }) => ruleSet === set.id))
      allPass = report(`${set.id}, its own cases`, set, cases) && allPass;
    const problem = runProperties(set, runs);
    if (problem) print(`  ${problem}`);
    print(`${set.id}, properties: ${problem ? 'one does not hold' : `${runs} of ${runs}`}`);
    allPass = allPass && !problem;
  }
  for (const file of files) {
    const cases = readCases(file);
    allPass = report(file, findRuleSet(cases.ruleSet), cases) && allPass;
  }
  return allPass;
}

function explainCase(file: string, id: string): void {
  const cases = readCases(file);
  const testCase = cases.vectors.find((other) => other.id === id);
  if (!testCase) throw new Error(`${file} has no case ${id}`);
  const set = findRuleSet(cases.ruleSet);
  const { watchFrom, ...result } = evaluate(set, testCase.facts);
  print(`${id}: ${testCase.title}`);
  print(`Outcome: ${result.outcome}${result.regulation.length > 0 ? `, ${result.regulation.join('; ')}` : ''}`);
  if (result.open.length > 0) print(`Open: ${result.open.join('; ')}`);
  if (result.deadline)
    print(`Tell at once: ${result.deadline.notify ? 'yes' : 'no'}; due: ${result.deadline.dueOn ?? 'no day'}`);
  if (result.responsible.length > 0) print(`Who reports: ${result.responsible.join(', ')}`);
  print(`Record: ${result.record ? 'yes' : 'no'}`);
  if (watchFrom) print(`Reportable on ${watchFrom} if still off`);
  for (const { regulation, person, dueOn, notify } of result.duties)
    print(
      `Duty: ${regulation}${person ? `, person ${person}` : ''}, due ${dueOn ?? 'no day'}${notify ? ', tell at once' : ''}`,
    );
  print('');
  for (const { rule, person, truth, reasons } of explain(set, testCase.facts)) {
    print(`${truth.padEnd(7)} ${rule.id} (${rule.regulation})${person ? `, person ${person}` : ''}`);
    for (const { field, answer } of reasons) print(`          ${getQuestionLabel(set, field)} ${answer}`);
  }
  if (testCase.why) print(`\nThe case says: ${testCase.why}`);
}

try {
  const [command, ...rest] = process.argv.slice(2);
  if (command === 'check') process.exitCode = check(rest) ? 0 : 1;
  else if (command === 'explain' && rest.length === 2) explainCase(rest[0] as string, rest[1] as string);
  else throw new Error(usage);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}

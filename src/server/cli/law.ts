// Checks this release's rule sets, without a server or a database: npm run law -- check [FILES OF CASES]
import { readFileSync } from 'node:fs';
import { parseCases, runCases } from '#shared/law/check.ts';
import type { RuleSet } from '#shared/law/rule-set.ts';
import { riddor2013v1Cases, riddor2013v2Cases } from '#shared/law/rules/shipped-cases.ts';
import { shippedRuleSets } from '../law/rule-sets.ts';
import { print } from './command.ts';

const usage = 'Usage: npm run law -- check [FILES OF CASES]';

const shippedCases = [riddor2013v1Cases, riddor2013v2Cases];

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
  }
  for (const file of files) {
    const cases = readCases(file);
    allPass = report(file, findRuleSet(cases.ruleSet), cases) && allPass;
  }
  return allPass;
}

try {
  const [command, ...rest] = process.argv.slice(2);
  if (command === 'check') process.exitCode = check(rest) ? 0 : 1;
  else throw new Error(usage);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}

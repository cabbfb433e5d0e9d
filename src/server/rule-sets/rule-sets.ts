// The rule sets: the shipped ones, and those of the operator in DATA_DIR/law.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseCases, parseRuleSet, runCases, runProperties } from '#shared/law/check.ts';
import { pickRuleSet, type RuleSet } from '#shared/law/rule-set.ts';
import riddor2013 from '#shared/law/rules/riddor-2013-v1.json' with { type: 'json' };

const casesSuffix = '.cases.json';

const listFiles = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json') && !name.endsWith(casesSuffix))
    .sort();

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

export const readShippedRuleSets = (): RuleSet[] => [riddor2013].map(parseRuleSet);

/** The number of random accidents that each rule set of the operator is tested with at start. */
const runs = 300;

/** Parses and checks an operator's rule set. Throws, naming the file, if anything is wrong. */
function readOperatorRuleSet(folder: string, name: string): RuleSet {
  const path = join(folder, name);
  try {
    const set = parseRuleSet(readJson(path));
    const cases = path.replace(/\.json$/, casesSuffix);
    if (existsSync(cases)) {
      const { passed, total, failures } = runCases(set, parseCases(readJson(cases)).vectors);
      if (passed < total)
        throw new Error(`only ${passed} of ${total} of its cases pass, for example ${failures[0]?.id}`);
    }
    const problem = runProperties(set, runs);
    if (problem) throw new Error(problem.slice(0, 300));
    return set;
  } catch (error) {
    throw createFileError(path, (error as Error).message);
  }
}

/**
 * Whether a file contains only an `id` and days: it changes when the rule set with that id is in
 * force.
 */
const isOverlay = (json: unknown): json is { id: string; validFrom?: string; validTo?: string | null } =>
  typeof json === 'object' && json !== null && 'id' in json && !('people' in json);

export type RuleSets = {
  list: RuleSet[];
  get(id: string): RuleSet | undefined;
  /** Returns the rule set in force on a day. */
  pick(on: string): RuleSet;
};

/**
 * Returns the shipped rule sets and those in `folder`. An operator's file replaces a shipped set
 * with the same id.
 */
export function loadRuleSets(folder: string): RuleSets {
  const sets = new Map(readShippedRuleSets().map((set) => [set.id, set]));
  const files = existsSync(folder) ? listFiles(folder) : [];
  const parsed = files.map((name) => ({ name, json: parseFile(join(folder, name)) }));
  for (const { name, json } of parsed) {
    if (isOverlay(json)) continue;
    const set = readOperatorRuleSet(folder, name);
    sets.set(set.id, set);
  }
  // Apply these files last, because they may change any of the rule sets.
  for (const { name, json } of parsed) {
    if (!isOverlay(json)) continue;
    const target = sets.get(json.id);
    if (!target) throw createFileError(join(folder, name), `There is no rule set ${json.id} to change.`);
    sets.set(json.id, withValidity(join(folder, name), target, json));
  }
  const list = [...sets.values()];
  return {
    list,
    get: (id) => sets.get(id),
    pick(on) {
      const set = pickRuleSet(list, on) ?? list.toSorted((a, b) => (a.validFrom < b.validFrom ? -1 : 1))[0];
      if (!set) throw new Error('There is no rule set');
      return set;
    },
  };
}

const createFileError = (path: string, problem: string) =>
  new Error(`The rule file ${path} cannot be used. ${problem}`);

function parseFile(path: string): unknown {
  try {
    return readJson(path);
  } catch (error) {
    throw createFileError(path, (error as Error).message);
  }
}

function withValidity(path: string, set: RuleSet, validity: object): RuleSet {
  try {
    return parseRuleSet({ ...set, ...validity });
  } catch (error) {
    throw createFileError(path, (error as Error).message);
  }
}

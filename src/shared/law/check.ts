// Checks a rule set before it is used: its schema, its own test cases, and properties that must
// hold for any law.
import { type Case, type CaseFile, runCase } from './cases.ts';
import { checkProperties } from './properties.ts';
import { RuleSet } from './rule-set.ts';

type CaseReport = {
  passed: number;
  total: number;
  failures: { id: string; title: string; differences: string[] }[];
};

/** Parses a rule set from JSON. Throws an error that says what is wrong and where. */
export function parseRuleSet(json: unknown): RuleSet {
  const parsed = RuleSet.safeParse(json);
  if (parsed.success) return parsed.data as RuleSet;
  const [issue] = parsed.error.issues;
  throw new Error(`${issue?.path.join('.') || 'The rule set'}: ${issue?.message ?? 'is not valid'}`);
}

export function runCases(set: RuleSet, cases: Case[]): CaseReport {
  const failures = cases.flatMap((one) => {
    const differences = compareCase(set, one);
    return differences.length > 0 ? [{ id: one.id, title: one.title, differences }] : [];
  });
  return { passed: cases.length - failures.length, total: cases.length, failures };
}

function compareCase(set: RuleSet, one: Case): string[] {
  try {
    return runCase(set, one).map(
      ({ key, expected, actual }) => `${key}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`,
    );
  } catch (error) {
    return [`could not be read: ${(error as Error).message}`];
  }
}

/**
 * Tests a rule set with this many random accidents. Returns the first problem found, or undefined.
 */
export function runProperties(set: RuleSet, runs: number, firstSeed = 1): string | undefined {
  for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) {
    const problem = checkProperties(set, seed);
    if (problem) return problem;
  }
  return undefined;
}

/** Parses the cases of a file from JSON. Throws if they are invalid. */
export function parseCases(json: unknown): CaseFile {
  const file = json as CaseFile;
  const isFile =
    typeof file === 'object' &&
    file !== null &&
    Array.isArray(file.vectors) &&
    file.vectors.every((one) => one?.facts && one.expect && typeof one.id === 'string');
  if (!isFile) throw new Error('This is not a file of cases: it needs "vectors", each with id, facts and expect');
  return file;
}

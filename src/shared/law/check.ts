// Runs the test cases of a rule set.
import { type Case, type CaseFile, runCase } from './cases.ts';
import type { RuleSet } from './rule-set.ts';

type CaseReport = {
  passed: number;
  total: number;
  failures: { id: string; title: string; differences: string[] }[];
};

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

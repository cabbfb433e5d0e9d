// Runs test cases of a rule set. Compares only the keys in `expect`, and ignores the order of
// lists.
import { evaluate } from './evaluate.ts';
import type { Facts } from './facts.ts';
import { listAskBacks } from './questions.ts';
import type { RuleSet } from './rule-set.ts';

export type Case = {
  id: string;
  title: string;
  facts: Facts;
  expect: Record<string, unknown>;
  /** The questions that ask back and are not settled; not compared if missing. */
  asksBack?: string[];
  why?: string;
};
export type CaseFile = { ruleSet: string; note?: string; vectors: Case[] };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value contains everything that is expected. */
export function matchesExpected(expected: unknown, actual: unknown): boolean {
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return false;
    const left = [...actual];
    return expected.every((item) => {
      const index = left.findIndex((other) => matchesExpected(item, other));
      if (index >= 0) left.splice(index, 1);
      return index >= 0;
    });
  }
  if (isObject(expected))
    return isObject(actual) && Object.entries(expected).every(([key, value]) => matchesExpected(value, actual[key]));
  return Object.is(expected, actual);
}

/** Returns the keys whose result differs from the expected one; empty if the case passes. */
export function runCase(
  set: RuleSet,
  { facts, expect, asksBack }: Case,
): { key: string; expected: unknown; actual: unknown }[] {
  const listOpenAskBacks = () =>
    listAskBacks(set, facts)
      .filter(({ isConfirmed }) => !isConfirmed)
      .map(({ question }) => question.field);
  const result: Record<string, unknown> = {
    ...evaluate(set, facts),
    ...(asksBack && { asksBack: listOpenAskBacks() }),
  };
  return Object.entries({ ...expect, ...(asksBack && { asksBack }) })
    .filter(([key, expected]) => !matchesExpected(expected, result[key]))
    .map(([key, expected]) => ({ key, expected, actual: result[key] }));
}

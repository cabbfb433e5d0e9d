// A condition is true, false or unknown (Kleene logic): `all` is the minimum of its parts, `any`
// the maximum.
import { addYears } from '../calendar.ts';
import { getLongestSpell } from './absence.ts';
import { getDay, listAnswers, type Subject, unsure } from './facts.ts';
import type { Comparison, RuleSet, Tree } from './rule-set.ts';

export type Truth = 'no' | 'unknown' | 'yes';
const truths: Truth[] = ['no', 'unknown', 'yes'];
export const isMoreTrue = (one: Truth, other: Truth) => truths.indexOf(one) > truths.indexOf(other);
const negate = (truth: Truth): Truth => (truth === 'yes' ? 'no' : truth === 'no' ? 'yes' : 'unknown');

/**
 * Evaluates the parts in order until one equals `end`, which decides the result; otherwise unknown
 * if any part is, else the opposite.
 */
function combine(set: RuleSet, parts: Tree[], subject: Subject, end: Truth): Truth {
  let result = negate(end);
  for (const part of parts) {
    const truth = evaluateTree(set, part, subject);
    if (truth === end) return end;
    if (truth === 'unknown') result = 'unknown';
  }
  return result;
}

const isOver = (value: number, comparison: Comparison, limit: number) =>
  comparison === '>' ? value > limit : value >= limit;

/** Returns the answers that leave a question open. */
export const listOpenAnswers = (set: RuleSet, field: string): string[] => [unsure, ...(set.unknownWhen?.[field] ?? [])];

/**
 * Whether one of the answers is among the wanted ones. Unknown for no answer, and for an answer
 * that leaves the question open.
 */
function matchAnswer(set: RuleSet, { answers }: Subject, [field, ...wantedValues]: [string, ...string[]]): Truth {
  const givenAnswers = listAnswers(answers, field);
  if (givenAnswers.some((value) => wantedValues.includes(value))) return 'yes';
  const openAnswers = listOpenAnswers(set, field);
  return givenAnswers.length === 0 || givenAnswers.some((value) => openAnswers.includes(value)) ? 'unknown' : 'no';
}

export function evaluateTree(set: RuleSet, tree: Tree, subject: Subject): Truth {
  if ('all' in tree) return combine(set, tree.all, subject, 'no');
  if ('any' in tree) return combine(set, tree.any, subject, 'yes');
  if ('not' in tree) return negate(evaluateTree(set, tree.not, subject));
  if ('use' in tree) return evaluateTree(set, set.named[tree.use] as Tree, subject);
  if ('is' in tree) return matchAnswer(set, subject, tree.is);
  if ('has' in tree) return matchAnswer(set, subject, tree.has);
  if ('num' in tree) {
    const [field, comparison, limit] = tree.num;
    const value = subject.answers[field];
    if (typeof value !== 'number' || !Number.isFinite(value)) return 'unknown';
    return isOver(value, comparison, limit) ? 'yes' : 'no';
  }
  if ('longestSpell' in tree) {
    const [comparison, limit] = tree.longestSpell;
    const longest = getLongestSpell(subject);
    if (!longest) return 'unknown';
    if (isOver(longest.days, comparison, limit)) return 'yes';
    return longest.isOpen ? 'unknown' : 'no';
  }
  const [field, from, years] = tree.withinYears;
  const [day, start] = [getDay(subject, field), getDay(subject, from)];
  if (!day || !start) return 'unknown';
  return day <= addYears(start, years) ? 'yes' : 'no';
}

/** Returns the fields that a tree reads if it is a leaf, else none. */
export function listLeafFields(tree: Tree): string[] {
  if ('is' in tree) return [tree.is[0]];
  if ('has' in tree) return [tree.has[0]];
  if ('num' in tree) return [tree.num[0]];
  if ('longestSpell' in tree) return ['absence', 'spells'];
  if ('withinYears' in tree) return [tree.withinYears[0], tree.withinYears[1]];
  return [];
}

/** Returns every field that a tree may read. */
export function listTreeFields(set: RuleSet, tree: Tree): Set<string> {
  const parts = 'all' in tree ? tree.all : 'any' in tree ? tree.any : 'not' in tree ? [tree.not] : [];
  const named = 'use' in tree ? [set.named[tree.use] as Tree] : [];
  return new Set([...listLeafFields(tree), ...[...parts, ...named].flatMap((part) => [...listTreeFields(set, part)])]);
}

type Leaf = { tree: Tree; truth: Truth };

/**
 * Returns the leaves that decide the value of a tree, for example the false ones if it is false,
 * and the open ones if it is unknown.
 */
export function listDecidingLeaves(set: RuleSet, tree: Tree, subject: Subject): Leaf[] {
  const truth = evaluateTree(set, tree, subject);
  const parts = 'all' in tree ? tree.all : 'any' in tree ? tree.any : undefined;
  if (parts) {
    const decidingParts = parts.filter((part) => evaluateTree(set, part, subject) === truth);
    return decidingParts.flatMap((part) => listDecidingLeaves(set, part, subject));
  }
  if ('not' in tree) return listDecidingLeaves(set, tree.not, subject);
  if ('use' in tree) return listDecidingLeaves(set, set.named[tree.use] as Tree, subject);
  return [{ tree, truth }];
}

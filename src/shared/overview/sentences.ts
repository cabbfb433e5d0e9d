// What stands out in the numbers of the overview, in sentences.

import { pluralise } from '../pluralise.ts';
import type { Counted, Measures, Overview } from './overview.ts';

type Rows = Overview['parks'];

/**
 * Returns sentences about the type of report that increased most, missed checks and overdue audits.
 * `years` is how many years earlier the period lies with which the reports are compared.
 */
export function describeOverview(
  { parks: rows, types, missed }: Pick<Overview, 'parks' | 'types' | 'missed'>,
  years: number,
): string[] {
  const sentences = [describeIncrease(types, rows, years), describeMissed(missed), describeOverdue(rows)].filter(
    (sentence) => sentence !== undefined,
  );
  return sentences.length > 0 ? sentences : ['Nothing stands out in these numbers.'];
}

const sum = (rows: Rows, period: 'now' | 'before', name: keyof Measures) =>
  rows.reduce((total, row) => total + (row[period][name] ?? 0), 0);

/** Describes the type of report that has increased most. */
function describeIncrease(types: Counted[], rows: Rows, years: number): string | undefined {
  // Without earlier reports there is nothing to compare.
  if (sum(rows, 'before', 'accidents') + sum(rows, 'before', 'incidents') === 0) return undefined;
  const [most] = types
    .filter(({ isRest }) => !isRest)
    .map(({ name, count, before = 0 }) => ({ name, increase: count - before }))
    .sort((a, b) => b.increase - a.increase);
  if (!most || most.increase <= 0) return undefined;
  return `${nameType(most.name)} up by ${most.increase} on ${describeYearsBefore(years)}.`;
}

/** Names the period with which numbers are compared: `last year`, `2 years earlier`. */
export const describeYearsBefore = (years: number) => (years === 1 ? 'last year' : `${years} years earlier`);

/** The plural if the type, which was typed, is a noun of one word: `Burns`, otherwise `Fall from height:`. */
function nameType(type: string): string {
  const name = type.charAt(0).toUpperCase() + type.slice(1);
  if (!/^[a-z]+$/i.test(name) || /ing$/i.test(name)) return `${name}:`;
  if (/[^s]s$/i.test(name)) return name;
  if (/[^aeiou]y$/i.test(name)) return `${name.slice(0, -1)}ies`;
  return /(s|x|z|ch|sh)$/i.test(name) ? `${name}es` : `${name}s`;
}

/** Describes the park that missed most checks, and the checklist of most of them. */
function describeMissed(missed: Overview['missed']): string | undefined {
  const checks = missed.flatMap(({ checklist_title, parks }) => parks.map((row) => ({ ...row, checklist_title })));
  const rows = [...Map.groupBy(checks, ({ park }) => park)].map(([park, checks]) => ({
    park,
    count: checks.reduce((total, row) => total + row.checks, 0),
    most: checks.toSorted((a, b) => b.checks - a.checks)[0],
  }));
  const [worst] = rows.toSorted((a, b) => b.count - a.count);
  if (!worst?.most) return undefined;
  const { park, count, most } = worst;
  const { places } = most;
  const named =
    places && places.of > 1
      ? `${places.count} of ${places.of} places of ${most.checklist_title}`
      : pluralise(most.checks, nameCheck(most.checklist_title));
  return most.checks === count
    ? `${park} missed ${named}.`
    : `${park} missed ${pluralise(count, 'check')}, including ${named}.`;
}

/** The name of a check within a sentence: `Play area` is a `play area check`, `CO alarms` a `CO alarms check`. */
function nameCheck(title: string): string {
  const name = title.replace(/:.*|\s*check(s|list)?$/i, '');
  // A title with more capitals contains a name, such as `Lido Beach slide`. What follows a colon is usually when.
  return `${name.replace(/^\p{Lu}(?=\P{Lu}*$)/u, (letter) => letter.toLowerCase())} check`.trimStart();
}

function describeOverdue(rows: Rows): string | undefined {
  const total = sum(rows, 'now', 'overdueAudits');
  const text = `${pluralise(total, 'audit')} ${total === 1 ? 'is' : 'are'} overdue`;
  const [worst, next] = rows
    .map(({ park, now }) => ({ park, count: now.overdueAudits ?? 0 }))
    .sort((a, b) => b.count - a.count);
  if (!worst || worst.count === 0) return undefined;
  if (worst.count === total) return `${text} at ${worst.park}.`;
  return worst.count === next?.count ? `${text}.` : `${text}, ${worst.count} of them at ${worst.park}.`;
}

const score = ({ now, before }: Rows[number]) =>
  (now.overdueAudits ?? 0) +
  (now.checks - now.checksOnTime) +
  Math.max(0, now.accidents + now.incidents - before.accidents - before.incidents);

/** Parks with the most overdue audits, late checks and additional reports first. */
export const sortByWorst = (rows: Rows): Rows => rows.toSorted((a, b) => score(b) - score(a));

// What stands out in the numbers of the overview, in sentences.
import type { Counted, Measures, Overview } from './overview.ts';
import { pluralise } from './pluralise.ts';

type Rows = Overview['parks'];

/** Checks that were submitted after their window or never. */
const countLateChecks = ({ checks, checksOnTime }: Measures) => checks - checksOnTime;

/** `years`: how far back `before` is. Unopened reports and legal duties are not in `rows`. */
export function describeOverview({ parks: rows, types }: Pick<Overview, 'parks' | 'types'>, years: number): string[] {
  const sentences = [
    describeIncrease(types, rows, years),
    describeWorstPark(
      rows,
      countLateChecks,
      ({ park }, worst) => `${park} had ${pluralise(worst, 'check')} late or missed.`,
    ),
    describeOverdue(rows),
  ].filter((sentence) => sentence !== undefined);
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
  return `${nameType(most.name)} up by ${most.increase} on ${years === 1 ? 'last year' : `${years} years earlier`}.`;
}

/** The plural if the type, which was typed, is a noun of one word: `Burns`, otherwise `Fall from height:`. */
function nameType(type: string): string {
  const name = type.charAt(0).toUpperCase() + type.slice(1);
  if (!/^[a-z]+$/i.test(name) || /ing$/i.test(name)) return `${name}:`;
  if (/[^s]s$/i.test(name)) return name;
  if (/[^aeiou]y$/i.test(name)) return `${name.slice(0, -1)}ies`;
  return /(s|x|z|ch|sh)$/i.test(name) ? `${name}es` : `${name}s`;
}

function describeOverdue(rows: Rows): string | undefined {
  const total = sum(rows, 'now', 'overdueAudits');
  const text = `${pluralise(total, 'audit')} ${total === 1 ? 'is' : 'are'} overdue`;
  return describeWorstPark(
    rows,
    ({ overdueAudits }) => overdueAudits ?? 0,
    ({ park }, worst) => (worst === total ? `${text} at ${park}.` : `${text}, ${worst} of them at ${park}.`),
  );
}

/** Describes the park with the most, unless no park has any. */
function describeWorstPark(
  rows: Rows,
  count: (measures: Measures) => number,
  describe: (row: Rows[number], worst: number) => string,
): string | undefined {
  const [row] = rows.toSorted((a, b) => count(b.now) - count(a.now));
  const worst = row ? count(row.now) : 0;
  return row && worst > 0 ? describe(row, worst) : undefined;
}

const score = ({ now, before }: Rows[number]) =>
  (now.overdueAudits ?? 0) +
  countLateChecks(now) +
  Math.max(0, now.accidents + now.incidents - before.accidents - before.incidents);

/** Parks with the most overdue audits, late checks and additional reports first. */
export const sortByWorst = (rows: Rows): Rows => rows.toSorted((a, b) => score(b) - score(a));

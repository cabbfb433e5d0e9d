// Parks × measures, compared with the same weeks of an earlier year. Each number links to the list
// that it counts. On a phone each park is a card.
import { Button, Title, UnstyledButton } from '@mantine/core';
import { ArrowDown, ArrowUp, TrendingDown, TrendingUp } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { formatDay } from '#shared/dates.ts';
import { type ListScope, measureLists } from '#shared/overview/lists.ts';
import { emptyMeasures, getPeriodBefore, type Measures, type Overview } from '#shared/overview/overview.ts';
import { describeYearsBefore, sortByWorst } from '#shared/overview/sentences.ts';
import { describeParks } from '../ui/forms/parkChoices.ts';
import { useFilters } from '../ui/navigation/useUrlState.ts';
import { getListUrl } from './links.ts';
import styles from './overview.module.css';

type Row = Overview['parks'][number];

type Column = {
  name: keyof typeof measureLists;
  heading: string;
  /** null if there is nothing to measure, or the user may not see it. */
  value(measures: Measures): number | null;
  unit?: string;
  /** Whether the number needs attention. On a phone, each of several parks shows only such numbers. */
  isAlarming?(row: Pick<Row, 'now' | 'before'>): boolean;
};

const count = (
  name: Exclude<Column['name'], 'checks'>,
  heading: string,
  isAlarming?: Column['isAlarming'],
): Column => ({
  name,
  heading,
  value: (measures) => measures[name],
  ...(isAlarming && { isAlarming }),
});

const columns: Column[] = [
  count('accidents', 'Accidents', ({ now, before }) => now.accidents > before.accidents),
  count('incidents', 'Incidents', ({ now, before }) => now.incidents > before.incidents),
  count('emergencies', 'With emergency services', ({ now, before }) => now.emergencies > before.emergencies),
  count('openAudits', 'Open audits'),
  count('overdueAudits', 'Overdue audits', ({ now }) => (now.overdueAudits ?? 0) > 0),
  {
    name: 'checks',
    heading: 'Checks on time',
    value: ({ checks, checksOnTime }) => (checks === 0 ? null : Math.round((checksOnTime / checks) * 100)),
    unit: '%',
    isAlarming: ({ now }) => now.checksOnTime < now.checks,
  },
];

/** Adds the numbers. Those that the user may not see count as 0. */
const sumMeasures = (rows: Measures[]): Measures => {
  const total = { ...emptyMeasures };
  for (const row of rows)
    for (const name of Object.keys(total) as (keyof Measures)[]) total[name] = (total[name] ?? 0) + (row[name] ?? 0);
  return total;
};

/** Whether a park has no reports and no checks in the period, and no open audits. */
const isQuiet = ({ now }: Row) => now.checks === 0 && columns.every(({ value }) => !value(now));

const isOfAudits = ({ name }: Column) => name === 'openAudits' || name === 'overdueAudits';

type ParksTableProps = {
  rows: Row[];
  scope: ListScope;
  onAllTypes: () => void;
};

export function ParksTable({ rows, scope, onAllTypes }: ParksTableProps) {
  const { park: chosen, type, days, today } = scope;
  const [{ sort }, filter] = useFilters('sort', 'park');
  const [sortedBy = '', direction = ''] = sort.split('.');
  const column = columns.find(({ name }) => name === sortedBy);
  const isAscending = direction === 'up';
  const sorted = column
    ? rows.toSorted((a, b) => ((column.value(a.now) ?? -1) - (column.value(b.now) ?? -1)) * (isAscending ? 1 : -1))
    : sortedBy === 'park'
      ? rows
      : sortByWorst(rows);
  const [isShowingQuiet, setShowingQuiet] = useState(false);
  const quiet = chosen === undefined ? sorted.filter(isQuiet) : [];
  const listed = quiet.length > 1 ? sorted.filter((row) => !isQuiet(row)) : sorted;
  const sum = (rows: Row[]) => ({
    now: sumMeasures(rows.map(({ now }) => now)),
    before: sumMeasures(rows.map(({ before }) => before)),
  });
  // Managers of a park see only its audits.
  const withAudits = rows.filter(({ now }) => now.openAudits !== null);
  const hasUnseenAudits = withAudits.length < rows.length;
  const before = getPeriodBefore(days, today);
  const maximum = columns.map(({ value }) => {
    const values = rows.map(({ now }) => value(now) ?? 0).filter((number) => number > 0);
    return values.length > 1 ? Math.max(...values) : 0;
  });
  const createRow = (row: Row) => (
    <tr key={row.park}>
      <th scope="row">
        {rows.length > 1 ? (
          <button type="button" className={styles.link} onClick={() => filter({ park: row.park })}>
            {row.park}
          </button>
        ) : (
          row.park
        )}
        {!columns.some(({ isAlarming }) => isAlarming?.(row)) && (
          <span className={styles.calm}>Nothing stands out</span>
        )}
      </th>
      {columns.map((column, index) => (
        <td key={column.name} data-alarming={column.isAlarming?.(row) || undefined}>
          <Cell {...{ column, row }} scope={{ ...scope, park: row.park }} maximum={maximum[index] ?? 0} />
        </td>
      ))}
    </tr>
  );
  return (
    <section aria-labelledby="parks">
      <div className={styles.chartHeading}>
        <Title order={2} size="h3" id="parks" tabIndex={-1}>
          Parks{type && `: ${type}`}
        </Title>
        {type && (
          <Button variant="default" size="compact-md" className={styles.noPrint} onClick={onAllTypes}>
            Show All Types
          </Button>
        )}
      </div>
      <p className={styles.note}>
        {type && 'Reports of this type only. '}
        {sortedBy === '' && rows.length > 1 && 'Those with the most to do first. '}In brackets: the same weeks{' '}
        {before.years === 1 ? 'of last year' : `${before.years} years earlier`}, {formatDay(before.from)} to{' '}
        {formatDay(before.to)}.{hasUnseenAudits && ' –: audits of parks that you do not manage.'}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached with the keyboard */}
      <section className={styles.scroller} tabIndex={0} aria-label="Figures for each park">
        <table className={`${styles.table} ${styles.parkTable}`} data-several={rows.length > 1 || undefined}>
          <thead>
            <tr>
              <th scope="col" aria-sort={sortedBy === 'park' ? 'ascending' : undefined}>
                <UnstyledButton
                  className={styles.sort}
                  onClick={() => filter({ sort: sortedBy === 'park' ? '' : 'park' })}
                >
                  {sortedBy === 'park' ? 'Park' : 'Park A to Z'}
                </UnstyledButton>
              </th>
              {columns.map(({ name, heading }) => (
                <th
                  key={name}
                  scope="col"
                  aria-sort={name !== sortedBy ? undefined : isAscending ? 'ascending' : 'descending'}
                >
                  <UnstyledButton
                    className={styles.sort}
                    onClick={() => filter({ sort: name === sortedBy && !isAscending ? `${name}.up` : name })}
                  >
                    {heading}
                    {name === sortedBy &&
                      (isAscending ? <ArrowUp aria-hidden size={14} /> : <ArrowDown aria-hidden size={14} />)}
                  </UnstyledButton>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {listed.map(createRow)}
            {quiet.length > 1 && (
              <tr className={isShowingQuiet ? styles.noPrint : undefined}>
                <th scope="row" colSpan={columns.length + 1}>
                  <button
                    type="button"
                    className={styles.link}
                    aria-expanded={isShowingQuiet}
                    onClick={() => setShowingQuiet(!isShowingQuiet)}
                  >
                    and {quiet.length} quiet parks
                  </button>
                </th>
              </tr>
            )}
            {quiet.length > 1 && isShowingQuiet && quiet.map(createRow)}
          </tbody>
          {rows.length > 1 && (
            <tfoot>
              <tr>
                <th scope="row">{describeParks(chosen)}</th>
                {columns.map((column) => {
                  const isLimited = hasUnseenAudits && isOfAudits(column);
                  const park = isLimited ? withAudits.map(({ park }) => park).join() : chosen;
                  if (isLimited && withAudits.length === 0)
                    return (
                      <td key={column.name}>
                        <span className={styles.cellLabel} aria-hidden>
                          {column.heading}
                        </span>
                        –
                      </td>
                    );
                  return (
                    <td key={column.name}>
                      <Cell
                        column={column}
                        scope={{ ...scope, park }}
                        row={sum(isLimited ? withAudits : rows)}
                        maximum={0}
                      />
                      {isLimited && <span className={styles.before}>{describeParks(park)} only</span>}
                    </td>
                  );
                })}
              </tr>
            </tfoot>
          )}
        </table>
      </section>
    </section>
  );
}

type CellProps = {
  column: Column;
  row: Pick<Row, 'now' | 'before'>;
  scope: ListScope;
  /** The maximum of all parks; 0 for no bar, because a single number compares nothing. */
  maximum: number;
};

function Cell({ column, row, scope, maximum }: CellProps) {
  const { name, value, unit = '', heading } = column;
  const [now, before] = [value(row.now), value(row.before)];
  const format = (number: number | null) => (number === null ? 'none' : `${number}${unit}`);
  const { years } = getPeriodBefore(scope.days, scope.today);
  const label = (
    <span className={styles.cellLabel} aria-hidden>
      {heading}
    </span>
  );
  if (now === null)
    return (
      <>
        {label}
        <span className={styles.before}>{isOfAudits(column) ? '–' : 'None due'}</span>
      </>
    );
  const Trend = now > (before ?? 0) ? TrendingUp : TrendingDown;
  return (
    <>
      {label}
      <span className={styles.numbers}>
        <Link
          to={getListUrl(measureLists[name](scope))}
          aria-label={`${heading}, ${describeParks(scope.park)}: ${format(now)}, ${describeYearsBefore(years)} ${format(before)}`}
        >
          {format(now)}
        </Link>
        {before !== null && now !== before && <Trend aria-hidden size={14} />}
        <span className={styles.before} aria-hidden>
          ({format(before)})
        </span>
      </span>
      {maximum > 0 && (
        <svg className={styles.bar} viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden>
          <rect width={(now / maximum) * 100} height="4" />
        </svg>
      )}
    </>
  );
}

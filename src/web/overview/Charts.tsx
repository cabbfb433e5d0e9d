// The charts of the overview. Each has a title that says what it shows, a summary, and its table
// behind a button.
import '@mantine/charts/styles.layer.css';
import '@mantine/core/styles/ColorSwatch.layer.css';
import { BarChart } from '@mantine/charts';
import { Button, Title } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { formatDay, formatMonth } from '#shared/dates.ts';
import {
  createEmploymentList,
  createHourList,
  createLocationList,
  createMonthList,
  createWeekList,
} from '#shared/overview/lists.ts';
import type { Counted, Overview, Period } from '#shared/overview/overview.ts';
import { pluralise } from '#shared/pluralise.ts';
import { hours as hourNames } from '#shared/reports/report-url.ts';
import { weekdaysFromMonday } from '../schedules/text.ts';
import { getListUrl } from './links.ts';
import styles from './overview.module.css';

type ChartsProps = {
  data: Overview;
  days: Period;
  park: string | undefined;
  type: string | undefined;
  onType: (type: string) => void;
};

const chartHeight = 240;
/** Distinguishable in both modes and by colour-blind users: dark blue-green and light orange. */
const kinds = [
  { name: 'accidents', label: 'Accidents', color: 'var(--chart-first)' },
  { name: 'incidents', label: 'Incidents', color: 'var(--chart-second)' },
];

const getPercentage = (part: number, whole: number) => (whole === 0 ? 0 : Math.round((part / whole) * 100));

export function Charts({ data, days, park, type, onType }: ChartsProps) {
  const { months, weeks, hours, types, locations, hazards, employment } = data;
  const [, navigate] = useLocation();
  const scope = { days, park, type, today: '' };
  const getMonthUrl = (month: string) => getListUrl(createMonthList(month, scope));
  const getWeekUrl = (week: string) => getListUrl(createWeekList(week, scope));
  /** Opens the list of the bar that was pressed. With the keyboard, the table has the same links. */
  const barProps = {
    isAnimationActive: false,
    cursor: 'pointer',
    onClick: ({ payload }: { payload?: { url?: string } }) => void (payload?.url && navigate(payload.url)),
  };
  const total = months.reduce((sum, { accidents, incidents }) => sum + accidents + incidents, 0);
  const busiestMonth = months.toSorted((a, b) => b.accidents + b.incidents - a.accidents - a.incidents)[0];
  const reportsByWeekday = hours.map((day) => day.reduce((sum, count) => sum + count, 0));
  const busiestDay = reportsByWeekday.indexOf(Math.max(...reportsByWeekday));
  const checks = weeks.reduce((sum, week) => sum + week.checks, 0);
  const checksOnTime = weeks.reduce((sum, week) => sum + week.checksOnTime, 0);
  return (
    <div className={`${styles.charts} ${styles.noPrint}`}>
      {total > 0 && (
        <Ranking
          id="by-type"
          title="Reports by type"
          rows={types}
          total={total}
          action={({ name }) => (
            <button
              type="button"
              className={styles.link}
              aria-label={`Show ${name} by park`}
              onClick={() => onType(name)}
            >
              {name}
            </button>
          )}
        />
      )}
      {total > 0 && (
        <Chart
          title="Reports by month"
          summary={`${pluralise(total, 'report')}; most in ${formatMonth(busiestMonth?.month ?? '')}: ${(busiestMonth?.accidents ?? 0) + (busiestMonth?.incidents ?? 0)}.`}
          headings={['Month', 'Accidents', 'Incidents']}
          rows={months.map(({ month, accidents, incidents }) => ({
            name: formatMonth(month),
            url: getMonthUrl(month),
            cells: [accidents, incidents],
          }))}
        >
          <BarChart
            h={chartHeight}
            // Translated labels of a drawing vanish.
            translate="no"
            data={months.map((month) => ({
              ...month,
              month: formatMonth(month.month).slice(0, 3),
              url: getMonthUrl(month.month),
            }))}
            dataKey="month"
            series={kinds}
            withLegend
            tickLine="y"
            valueFormatter={String}
            yAxisProps={{ allowDecimals: false, width: 36 }}
            barProps={barProps}
          />
        </Chart>
      )}
      {checks > 0 && (
        <Chart
          title="Checks on time by week"
          summary={`${checksOnTime} of ${checks} checks were done on time (${getPercentage(checksOnTime, checks)}%).`}
          headings={['Week of', 'Checks', 'On time', 'Share']}
          rows={weeks.map(({ week, checks, checksOnTime }) => ({
            name: formatDay(week),
            url: getWeekUrl(week),
            cells: [checks, checksOnTime, `${getPercentage(checksOnTime, checks)}%`],
          }))}
        >
          <BarChart
            h={chartHeight}
            translate="no"
            data={weeks.map((week) => ({
              week: formatDay(week.week).slice(0, 5),
              share: getPercentage(week.checksOnTime, week.checks),
              url: getWeekUrl(week.week),
            }))}
            dataKey="week"
            series={[{ name: 'share', label: 'On time', color: 'var(--chart-first)' }]}
            unit="%"
            yAxisProps={{ domain: [0, 100], width: 48 }}
            barProps={barProps}
          />
        </Chart>
      )}
      {total > 0 && (
        <>
          <HourTable
            hours={hours}
            summary={`Most on ${weekdaysFromMonday[busiestDay]}: ${reportsByWeekday[busiestDay]}.`}
            getUrl={(weekday, hour) => getListUrl(createHourList(weekday, hour, scope))}
          />
          <Ranking
            id="by-location"
            title="Reports by place"
            rows={locations}
            total={total}
            action={(location) => (
              <Link to={getListUrl(createLocationList(location, scope))} className={styles.link}>
                {location.name}
              </Link>
            )}
          />
          <Ranking
            id="by-status"
            title="Reports by employment status"
            rows={employment}
            total={total}
            action={({ name: status }) => (
              <Link to={getListUrl(createEmploymentList(status, scope))} className={styles.link}>
                {status}
              </Link>
            )}
          />
        </>
      )}
      {hazards.length > 0 && (
        <Ranking
          id="hazards-by-place"
          title="Hazards by place"
          rows={hazards}
          total={hazards.reduce((sum, { count }) => sum + count, 0)}
          counts="Hazards"
          action={({ name, place }) =>
            place ? (
              <Link to={`/places/${place}`} className={styles.link}>
                {name}
              </Link>
            ) : (
              name
            )
          }
        />
      )}
    </div>
  );
}

type ChartProps = {
  title: string;
  summary: string;
  headings: string[];
  rows: { name: string; url: string; cells: (string | number)[] }[];
  children: ReactNode;
};

function Chart({ title, summary, headings, rows, children }: ChartProps) {
  const [isTable, setTable] = useState(false);
  const id = useId();
  return (
    <section className={styles.chart} aria-labelledby={id}>
      <div className={styles.chartHeading}>
        <Title order={3} size="h4" id={id}>
          {title}
        </Title>
        <Button
          variant="default"
          size="compact-sm"
          aria-pressed={isTable}
          aria-label={`Show as table: ${title}`}
          onClick={() => setTable(!isTable)}
        >
          Table
        </Button>
      </div>
      <p className={styles.note}>{summary}</p>
      {isTable ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        <section className={styles.scroller} tabIndex={0} aria-label={`Table: ${title}`}>
          <table className={styles.table}>
            <thead>
              <tr>
                {headings.map((heading) => (
                  <th key={heading} scope="col">
                    {heading}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ name, url, cells }) => (
                <tr key={url}>
                  <th scope="row">
                    <Link to={url}>{name}</Link>
                  </th>
                  {cells.map((cell, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: cells are named by their column
                    <td key={index}>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ) : (
        children
      )}
    </section>
  );
}

type HourTableProps = {
  hours: number[][];
  summary: string;
  /** Returns the list of a weekday, 1 for Monday, and an hour. */
  getUrl: (weekday: number, hour: string) => string;
};

/** A table whose cells are darker the more reports they count. Hours before the first and after the last are left out. */
function HourTable({ hours, summary, getUrl }: HourTableProps) {
  const maximum = Math.max(1, ...hours.flat());
  const isUsed = (_: string, hour: number) => hours.some((day) => day[hour]);
  const shown = hourNames.slice(hourNames.findIndex(isUsed), hourNames.findLastIndex(isUsed) + 1);
  return (
    <section className={styles.chart} aria-labelledby="by-hour">
      <Title order={3} size="h4" id="by-hour">
        Reports by weekday and hour
      </Title>
      <p className={styles.note}>{summary}</p>
      <table className={styles.hours} aria-labelledby="by-hour">
        <thead>
          <tr>
            <th scope="col">
              <span className="hidden">Hour</span>
            </th>
            {weekdaysFromMonday.map((weekday) => (
              <th key={weekday} scope="col" abbr={weekday}>
                {weekday.slice(0, 2)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((hour) => (
            <tr key={hour}>
              <th scope="row">{hour}:00</th>
              {hours.map((day, index) => {
                const count = day[Number(hour)] ?? 0;
                if (count === 0) return <td key={weekdaysFromMonday[index]} />;
                return (
                  <td key={weekdaysFromMonday[index]}>
                    <Link
                      to={getUrl(index + 1, hour)}
                      data-level={Math.ceil((5 * count) / maximum)}
                      aria-label={`${weekdaysFromMonday[index]} ${hour}:00: ${count}`}
                    >
                      {count}
                    </Link>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

type RankingProps = {
  /** The id of its heading. */
  id: string;
  title: string;
  rows: Counted[];
  total: number;
  action: (row: Counted) => ReactNode;
  /** What is counted. */
  counts?: string;
};

/** A table with bars in its cells, if there is something to compare. */
function Ranking({ id, title, rows, total, action, counts = 'Reports' }: RankingProps) {
  const named = rows.filter(({ isRest }) => !isRest);
  const maximum = Math.max(1, ...named.map(({ count }) => count));
  return (
    <section className={styles.chart} aria-labelledby={id}>
      <Title order={3} size="h4" id={id} tabIndex={-1}>
        {title}
      </Title>
      <table className={styles.ranking} aria-labelledby={id}>
        <thead className="hidden">
          <tr>
            <th scope="col">Name</th>
            <th scope="col">{counts}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.isRest ? '' : (row.place ?? `typed ${row.name}`)}>
              <th scope="row">
                {row.isRest ? row.name : action(row)}
                {!row.isRest && named.length > 1 && (
                  <svg className={styles.bar} viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden>
                    <rect width={(row.count / maximum) * 100} height="4" />
                  </svg>
                )}
              </th>
              <td>
                {row.count} <span className={styles.before}>({getPercentage(row.count, total)}%)</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

// The charts of the overview. Each has a title that says what it shows, a summary, and its table
// behind a button.
import '@mantine/charts/styles.layer.css';
import '@mantine/core/styles/ColorSwatch.layer.css';
import { BarChart } from '@mantine/charts';
import { Button, Title } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import { Link } from 'wouter';
import { formatDay, formatMonth } from '#shared/dates.ts';
import type { Counted, Overview } from '#shared/overview.ts';
import { createStatusList } from '#shared/overview-lists.ts';
import { weekdays } from '../schedules/text.ts';
import { getListUrl } from './links.ts';
import styles from './overview.module.css';

type Days = { from: string; to: string };
type ChartsProps = {
  data: Overview;
  days: Days;
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
  const { months, weeks, hours, types, locations, employment } = data;
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
          action={(name) => (
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
          summary={`${total} reports; most in ${formatMonth(busiestMonth?.month ?? '')}: ${(busiestMonth?.accidents ?? 0) + (busiestMonth?.incidents ?? 0)}.`}
          headings={['Month', 'Accidents', 'Incidents']}
          rows={months.map(({ month, accidents, incidents }) => [formatMonth(month), accidents, incidents])}
        >
          <BarChart
            h={chartHeight}
            data={months.map((month) => ({ ...month, month: formatMonth(month.month).slice(0, 3) }))}
            dataKey="month"
            series={kinds}
            withLegend
            tickLine="y"
            valueFormatter={String}
            yAxisProps={{ allowDecimals: false, width: 36 }}
            barProps={{ isAnimationActive: false }}
          />
        </Chart>
      )}
      {checks > 0 && (
        <Chart
          title="Checks on time by week"
          summary={`${checksOnTime} of ${checks} checks were done on time (${getPercentage(checksOnTime, checks)}%).`}
          headings={['Week of', 'Checks', 'On time', 'Share']}
          rows={weeks.map((week) => [
            formatDay(week.week),
            week.checks,
            week.checksOnTime,
            `${getPercentage(week.checksOnTime, week.checks)}%`,
          ])}
        >
          <BarChart
            h={chartHeight}
            data={weeks.map((week) => ({
              week: formatDay(week.week).slice(0, 5),
              share: getPercentage(week.checksOnTime, week.checks),
            }))}
            dataKey="week"
            series={[{ name: 'share', label: 'On time', color: 'var(--chart-first)' }]}
            unit="%"
            yAxisProps={{ domain: [0, 100], width: 48 }}
            barProps={{ isAnimationActive: false }}
          />
        </Chart>
      )}
      {total > 0 && (
        <>
          <Chart
            title="Reports by weekday and hour"
            summary={`Most on ${weekdays[busiestDay]}: ${reportsByWeekday[busiestDay]}.`}
            headings={['Hour', ...weekdays]}
            rows={Array.from({ length: 24 }, (_, hour) => [
              `${String(hour).padStart(2, '0')}:00`,
              ...hours.map((day) => day[hour] ?? 0),
            ])}
          >
            <HourGrid hours={hours} />
          </Chart>
          <Ranking id="by-location" title="Reports by location or plot" rows={locations} total={total} />
          <Ranking
            id="by-status"
            title="Reports by employment status"
            rows={employment}
            total={total}
            action={(status) => (
              <Link to={getListUrl(createStatusList(status, { days, park, type, today: '' }))} className={styles.link}>
                {status}
              </Link>
            )}
          />
        </>
      )}
    </div>
  );
}

type ChartProps = {
  title: string;
  summary: string;
  headings: string[];
  rows: (string | number)[][];
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
              {rows.map(([first, ...cells]) => (
                <tr key={first}>
                  <th scope="row">{first}</th>
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

/** Squares by weekday and hour; the number is in each title and in the table. */
function HourGrid({ hours }: { hours: number[][] }) {
  const maximum = Math.max(1, ...hours.flat());
  return (
    <svg viewBox="0 0 272 96" className={styles.hours} aria-hidden>
      {hours.map((day, weekday) => (
        <g key={weekdays[weekday]}>
          <text x="0" y={weekday * 12 + 9} className={styles.hourLabel}>
            {weekdays[weekday]?.slice(0, 3)}
          </text>
          {day.map((count, hour) => (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: the index is the hour
              key={hour}
              x={24 + hour * 10.3}
              y={weekday * 12}
              width="9.3"
              height="11"
              rx="1.5"
              className={styles.hour}
              fillOpacity={count === 0 ? 0.08 : 0.25 + 0.75 * (count / maximum)}
            >
              <title>{`${weekdays[weekday]} ${hour}:00: ${count}`}</title>
            </rect>
          ))}
        </g>
      ))}
      {[0, 6, 12, 18].map((hour) => (
        <text key={hour} x={24 + hour * 10.3} y="94" className={styles.hourLabel}>
          {`${String(hour).padStart(2, '0')}:00`}
        </text>
      ))}
    </svg>
  );
}

type RankingProps = {
  /** The id of its heading. */
  id: string;
  title: string;
  rows: Counted[];
  total: number;
  action?: (name: string) => ReactNode;
};

/** A table with bars in its cells. */
function Ranking({ id, title, rows, total, action }: RankingProps) {
  const maximum = Math.max(1, ...rows.filter(({ isRest }) => !isRest).map(({ count }) => count));
  return (
    <section className={styles.chart} aria-labelledby={id}>
      <Title order={3} size="h4" id={id} tabIndex={-1}>
        {title}
      </Title>
      <table className={styles.ranking} aria-labelledby={id}>
        <thead className={styles.hidden}>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Reports</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, count, isRest }) => (
            <tr key={isRest ? '' : name}>
              <th scope="row">
                {action && !isRest ? action(name) : name}
                {!isRest && (
                  <svg className={styles.bar} viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden>
                    <rect width={(count / maximum) * 100} height="4" />
                  </svg>
                )}
              </th>
              <td>
                {count} <span className={styles.before}>({getPercentage(count, total)}%)</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

// The charts of the overview. Each has a title that says what it shows, a summary, and its table
// behind a button.
import '@mantine/charts/styles.layer.css';
import '@mantine/core/styles/ColorSwatch.layer.css';
import { BarChart, type BarChartProps } from '@mantine/charts';
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
  type ListScope,
} from '#shared/overview/lists.ts';
import type { Counted, Overview } from '#shared/overview/overview.ts';
import { pluralise } from '#shared/pluralise.ts';
import { hours as hourNames } from '#shared/reports/report-url.ts';
import { weekdaysFromMonday } from '../schedules/text.ts';
import { getListUrl } from './links.ts';
import styles from './overview.module.css';

type ChartsProps = {
  data: Overview;
  scope: ListScope;
  onType: (type: string) => void;
};

/** Distinguishable in both modes and by colour-blind users: dark blue-green and light orange. */
const kinds = [
  { name: 'accidents', label: 'Accidents', color: 'var(--chart-first)' },
  { name: 'incidents', label: 'Incidents', color: 'var(--chart-second)' },
];

const getPercentage = (part: number, whole: number) => (whole === 0 ? 0 : Math.round((part / whole) * 100));

const countReports = ({ accidents, incidents }: Overview['months'][number]) => accidents + incidents;

export function Charts({ data, scope, onType }: ChartsProps) {
  const { months, weeks, hours, types, locations, hazards, employment } = data;
  const total = months.reduce((sum, month) => sum + countReports(month), 0);
  const busiestMonth = months.toSorted((a, b) => countReports(b) - countReports(a))[0];
  const reportsByWeekday = hours.map((day) => day.reduce((sum, count) => sum + count, 0));
  const busiestDay = reportsByWeekday.indexOf(Math.max(...reportsByWeekday));
  const checks = weeks.reduce((sum, week) => sum + week.checks, 0);
  const checksOnTime = weeks.reduce((sum, week) => sum + week.checksOnTime, 0);
  return (
    <div className={`${styles.charts} ${styles.noPrint}`}>
      {total > 0 && <Ranking id="by-type" title="Reports by type" rows={types} total={total} onPress={onType} />}
      {busiestMonth && total > 0 && (
        <Chart
          title="Reports by month"
          summary={`${pluralise(total, 'report')}; most in ${formatMonth(busiestMonth.month)}: ${countReports(busiestMonth)}.`}
          headings={['Month', 'Accidents', 'Incidents']}
          rows={months.map(({ month, accidents, incidents }) => ({
            name: formatMonth(month),
            short: formatMonth(month).slice(0, 3),
            url: getListUrl(createMonthList(month, scope)),
            cells: [accidents, incidents],
            bars: { accidents, incidents },
          }))}
          series={kinds}
          withLegend
          yAxisProps={{ allowDecimals: false, width: 36 }}
        />
      )}
      {checks > 0 && (
        <Chart
          title="Checks on time by week"
          summary={`${checksOnTime} of ${checks} checks were done on time (${getPercentage(checksOnTime, checks)}%).`}
          headings={['Week of', 'Checks', 'On time', 'Share']}
          rows={weeks.map(({ week, checks, checksOnTime }) => {
            const share = getPercentage(checksOnTime, checks);
            return {
              name: formatDay(week),
              short: formatDay(week).slice(0, 5),
              url: getListUrl(createWeekList(week, scope)),
              cells: [checks, checksOnTime, `${share}%`],
              bars: { share },
            };
          })}
          series={[{ name: 'share', label: 'On time', color: 'var(--chart-first)' }]}
          unit="%"
          yAxisProps={{ domain: [0, 100], width: 48 }}
        />
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
            getUrl={(location) => getListUrl(createLocationList(location, scope))}
          />
          <Ranking
            id="by-status"
            title="Reports by employment status"
            rows={employment}
            total={total}
            getUrl={({ name }) => getListUrl(createEmploymentList(name, scope))}
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
          getUrl={({ place }) => place && `/places/${place}`}
        />
      )}
    </div>
  );
}

type CardProps = { id: string; title: string; note?: string; button?: ReactNode; children: ReactNode };

const Card = ({ id, title, note, button, children }: CardProps) => (
  <section className={styles.chart} aria-labelledby={id}>
    <div className={styles.chartHeading}>
      <Title order={3} size="h4" id={id} tabIndex={-1}>
        {title}
      </Title>
      {button}
    </div>
    {note && <p className={styles.note}>{note}</p>}
    {children}
  </section>
);

type ChartProps = Pick<BarChartProps, 'series' | 'unit' | 'withLegend' | 'yAxisProps'> & {
  title: string;
  summary: string;
  /** Of the table. */
  headings: string[];
  /** `short` is the name under the bars. */
  rows: { name: string; short: string; url: string; cells: (string | number)[]; bars: Record<string, number> }[];
};

/** Bars, or their table. A bar that is pressed opens its list. With the keyboard, the table has the same links. */
function Chart({ title, summary, headings, rows, ...props }: ChartProps) {
  const [, navigate] = useLocation();
  const [isTable, setTable] = useState(false);
  const id = useId();
  const button = (
    <Button
      variant="default"
      size="compact-sm"
      aria-pressed={isTable}
      aria-label={`Show as table: ${title}`}
      onClick={() => setTable(!isTable)}
    >
      Table
    </Button>
  );
  return (
    <Card id={id} title={title} note={summary} button={button}>
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
        <BarChart
          h={240}
          // Translated labels of a drawing vanish.
          translate="no"
          data={rows.map(({ short, url, bars }) => ({ short, url, ...bars }))}
          dataKey="short"
          valueFormatter={String}
          barProps={{
            isAnimationActive: false,
            cursor: 'pointer',
            onClick: ({ payload }: { payload?: { url?: string } }) => void (payload?.url && navigate(payload.url)),
          }}
          {...props}
        />
      )}
    </Card>
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
    <Card id="by-hour" title="Reports by weekday and hour" note={summary}>
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
    </Card>
  );
}

type RankingProps = {
  /** The id of its heading. */
  id: string;
  title: string;
  rows: Counted[];
  total: number;
  /** What is counted. */
  counts?: string;
  /** Returns the list of a row, if there is one. */
  getUrl?: (row: Counted) => string | null | undefined;
  /** Called with the type of a row that is pressed, instead. */
  onPress?: (name: string) => void;
};

/** A table with bars in its cells, if there is something to compare. */
function Ranking({ id, title, rows, total, counts = 'Reports', getUrl, onPress }: RankingProps) {
  const named = rows.filter(({ isRest }) => !isRest);
  const maximum = Math.max(1, ...named.map(({ count }) => count));
  const renderName = (row: Counted) => {
    const { name } = row;
    const url = getUrl?.(row);
    if (onPress)
      return (
        <button type="button" className={styles.link} aria-label={`Show ${name} by park`} onClick={() => onPress(name)}>
          {name}
        </button>
      );
    return url ? (
      <Link to={url} className={styles.link}>
        {name}
      </Link>
    ) : (
      name
    );
  };
  return (
    <Card id={id} title={title}>
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
                {row.isRest ? row.name : renderName(row)}
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
    </Card>
  );
}

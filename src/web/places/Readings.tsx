// The numbers that the checks of a place recorded: each question has a curve with its limits, and a table.
import '@mantine/charts/styles.layer.css';
import '@mantine/core/styles/ColorSwatch.layer.css';
import { LineChart, type LineChartSeries } from '@mantine/charts';
import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Link } from 'wouter';
import { api } from '#shared/api.ts';
import { formatInstant } from '#shared/dates.ts';
import { formatRange } from '#shared/failing-answers.ts';
import { type ReadingSeries, readSubmissions } from '#shared/places/readings.ts';
import { pluralise } from '#shared/pluralise.ts';
import { queryFor } from '../client/api.ts';
import { ExportButtons } from '../exports/ExportButtons.tsx';
import { buildUrl } from '../ui/navigation/buildUrl.ts';
import { PageSection } from '../ui/navigation/PageSection.tsx';
import { RecordList } from '../ui/navigation/RecordList.tsx';
import styles from './Readings.module.css';

/** With more readings than these, only failing ones are marked: further dots would cover the curve. */
const maxDots = 60;

export function Readings({ place }: { place: string }) {
  const query = useQuery(queryFor(api.listReadings, { params: { id: place } }));
  return (
    <PageSection title="Readings">
      <RecordList
        query={{ ...query, data: query.data?.series }}
        failed="The readings of this place could not be loaded."
        empty="No check of this place has recorded a number."
        above={<ExportButtons list="readings" name="Readings" filters={{ place }} />}
      >
        {(all) => (
          <>
            {query.data?.isCut && (
              <Text c="dimmed">
                Readings of the newest {readSubmissions.toLocaleString('en-GB')} submissions. The export has all.
              </Text>
            )}
            {all.map((series) => (
              <Series key={`${series.checklistId}\n${series.question}\n${series.unit}`} series={series} />
            ))}
          </>
        )}
      </RecordList>
    </PageSection>
  );
}

function Series({ series: { checklist, question, unit, readings } }: { series: ReadingSeries }) {
  const id = useId();
  const failing = readings.filter((reading) => reading.isFailing).length;
  const newest = readings.at(-1);
  const lines: LineChartSeries[] = [
    { name: 'value', label: question, color: 'var(--reading-color)', curveType: 'linear' },
    { name: 'min', label: 'Lowest allowed', color: 'var(--limit-color)', strokeDasharray: '6 4' },
    { name: 'max', label: 'Highest allowed', color: 'var(--limit-color)', strokeDasharray: '6 4' },
  ];
  const [firstDay, lastDay] = [readings[0], newest].map((reading) => formatInstant(reading?.at ?? '').slice(0, 10));
  // `21/11`, or the times of a single day, in the parks' time zone.
  const formatTick = (at: string) =>
    firstDay === lastDay ? formatInstant(at).slice(-5) : formatInstant(at).slice(0, 5);
  const limits = newest && formatRange({ unit, ...newest });
  const getMark = (index: number) => ({
    isFailing: readings[index]?.isFailing ?? false,
    isShown: readings.length <= maxDots,
  });
  return (
    <section className={styles.series} aria-labelledby={id}>
      <Title order={3} size="h5" id={id}>
        {question}
      </Title>
      <Text size="sm" c="dimmed">
        {checklist}. {pluralise(readings.length, 'reading')}, {failing} failing
        {newest && `; the newest ${newest.value}${unit && ` ${unit}`} on ${formatInstant(newest.at)}`}.
        {limits && ` Limits: ${limits}.`}
      </Text>
      {readings.length > 1 && (
        <LineChart
          h={200}
          aria-hidden
          // Without what can be focused, as the table says the same. Translated labels of a drawing vanish.
          lineChartProps={{ accessibilityLayer: false }}
          translate="no"
          strokeDasharray="0"
          data={readings.map(({ at, value, min, max }) => ({ at: Date.parse(at), value, min, max }))}
          dataKey="at"
          series={lines.filter(
            ({ name }) => name === 'value' || readings.some((reading) => reading[name as 'min' | 'max'] !== null),
          )}
          curveType="stepAfter"
          connectNulls={false}
          withDots={false}
          withTooltip={false}
          tickLine="y"
          lineProps={({ name }) => ({
            isAnimationActive: false,
            dot:
              name === 'value' ? ({ index, cx, cy }) => <Dot key={index} x={cx} y={cy} {...getMark(index)} /> : false,
          })}
          xAxisProps={{
            type: 'number',
            scale: 'time',
            domain: ['dataMin', 'dataMax'],
            padding: { left: 8, right: 8 },
            tickFormatter: (at: number) => formatTick(new Date(at).toISOString()),
          }}
          yAxisProps={{ domain: ['auto', 'auto'], width: 48 }}
        />
      )}
      {readings.length > 1 && limits && (
        <Text size="xs" c="dimmed" aria-hidden>
          Dashed lines are limits. ◆ A failing reading.
        </Text>
      )}
      <details className={styles.details}>
        <summary>Show as table: {question}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
        <section className={styles.scroller} tabIndex={0} aria-label={`Table: ${question}`}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">Filled in</th>
                <th scope="col">Reading</th>
                <th scope="col">Limits</th>
                <th scope="col">Result</th>
              </tr>
            </thead>
            <tbody>
              {readings.toReversed().map(({ submission, at, value, min, max, isFailing }) => (
                <tr key={submission}>
                  <th scope="row">
                    <Link className={styles.link} to={buildUrl('/admin', { tab: 'submissions', submission })}>
                      {formatInstant(at)}
                    </Link>
                  </th>
                  <td>
                    {value} {unit}
                  </td>
                  <td>{formatRange({ unit, min, max }) || 'None'}</td>
                  <td>{isFailing ? 'Failing' : 'OK'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </section>
  );
}

type DotProps = { x: number | undefined; y: number | undefined; isFailing: boolean; isShown: boolean };

/** A diamond at a failing reading, so that its shape says it too, and a small dot at others. */
function Dot({ x = 0, y = 0, isFailing, isShown }: DotProps) {
  if (isFailing)
    return (
      <path
        data-failing
        d={`M${x} ${y - 6} l6 6 l-6 6 l-6 -6 z`}
        fill="var(--limit-color)"
        stroke="var(--mantine-color-body)"
      />
    );
  return isShown ? <circle cx={x} cy={y} r={3} fill="var(--reading-color)" /> : null;
}

// The numbers of the overview, counted with indexes that contain every column they read.
import { type ExpressionBuilder, sql } from 'kysely';
import { canSeePark, type Viewer } from '#shared/access.ts';
import { getIsoWeekday, getMonday, toDayNumber } from '#shared/calendar.ts';
import { getNextDay, getStartOfDay, parseDay } from '#shared/dates.ts';
import {
  type AuditOnDay,
  type AuditsOnDayQuery,
  type Counted,
  emptyMeasures,
  getPeriodBefore,
  type Measures,
  type Overview,
  type OverviewQuery,
  type Period,
} from '#shared/overview/overview.ts';
import { listParks } from '#shared/park-list.ts';
import { selectVisibleAudits } from '../audits/scope.ts';
import { isToVerify } from '../audits/store.ts';
import { parseData } from '../db/audit-data.ts';
import { countRows } from '../db/queries.ts';
import type { Database, Tables } from '../db/schema.ts';
import { countOpenMessages } from '../messages/store.ts';
import { getTypeKey } from '../reports/queries/report-filter.ts';
import { countChecks, isCounted } from '../schedules/store.ts';

const maxRankedNames = 10;

type OverviewCounts = Omit<Overview, 'attention'> & {
  attention: Omit<Overview['attention'], 'openInvestigations' | 'notReady'>;
};

/**
 * Counts the reports, checks and audits of a period and of the one before. Audits are counted as of
 * the last day of the period, or of `today` if that is earlier.
 */
export async function countOverview(
  db: Database,
  viewer: Viewer,
  query: OverviewQuery,
  { today, now }: { today: string; now: string },
): Promise<OverviewCounts> {
  const { park } = query;
  const condition = { park, type: query.type === undefined ? undefined : getTypeKey(query.type) };
  const period = { from: query.from, to: query.to };
  const before = getPeriodBefore(period, today);
  const lastCountedDay = period.to < today ? period.to : today;
  const measuresByPark = new Map<string, { now: Measures; before: Measures }>(
    listParks()
      .filter((name) => park === undefined || park.includes(name))
      .map((name) => {
        const audits = canSeePark(viewer, name) ? 0 : null;
        const measures = { ...emptyMeasures, openAudits: audits, overdueAudits: audits };
        return [name, { now: measures, before: { ...measures } }];
      }),
  );
  const employment = new Map<string, number>();
  for (const [periodName, days] of [['now', period] as const, ['before', before] as const]) {
    for (const row of await countReportsByPark(db, days, condition)) {
      if (periodName === 'now') employment.set(row.status, (employment.get(row.status) ?? 0) + row.count);
      const measures = measuresByPark.get(row.park)?.[periodName];
      if (!measures) continue;
      measures[row.reportType === 'accident' ? 'accidents' : 'incidents'] += row.count;
      measures.emergencies += row.emergencies;
    }
    for (const row of await countChecksBy(db, 'park', days, park, now))
      Object.assign(measuresByPark.get(row.name)?.[periodName] ?? {}, { checks: row.checks, checksOnTime: row.onTime });
    const on = periodName === 'now' ? lastCountedDay : before.to;
    for (const row of await countAudits(db, viewer, on))
      Object.assign(measuresByPark.get(row.park)?.[periodName] ?? {}, {
        openAudits: row.open,
        overdueAudits: row.overdue,
      });
  }
  const parks = [...measuresByPark].map(([park, measures]) => ({ park, ...measures }));
  const seesAudits = parks.some(({ now }) => now.overdueAudits !== null);
  const overdueCounts = (await countAudits(db, viewer, today))
    .filter((row) => measuresByPark.has(row.park))
    .map(({ overdue }) => overdue);
  const reportDays = await countReportsByDay(db, period, condition);
  const missed = await countChecks(db, { state: 'missed', ...period, park }, new Date(now));
  return {
    attention: {
      unopenedReports: await countUnopened(db, park),
      overdueAudits: seesAudits ? sum(overdueCounts) : null,
      auditsToVerify: seesAudits ? await countAuditsToVerify(db, viewer, park) : null,
      missedChecks: sum(missed.map(({ checks }) => checks)),
      guestMessages: await countOpenMessages(db, viewer, park),
    },
    missed,
    parks,
    months: countMonths(period, reportDays),
    hours: countHours(reportDays),
    types: addEarlierCounts(
      rankNames(await countNames(db, 'type', period, condition), 'All other types'),
      await countNames(db, 'type', before, condition),
    ),
    locations: rankNames(await countLocations(db, period, condition), 'All other locations'),
    hazards: rankNames(await countHazards(db, viewer, period, park), 'All other places'),
    employment: rankNames(
      [...employment].map(([name, count]) => ({ name, count })),
      'All other statuses',
    ),
    weeks: countWeeks(await countChecksBy(db, 'day', period, park, now)),
  };
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

type ReportCondition = { park: readonly string[] | undefined; type: string | undefined };

const selectReports = (db: Database, { from, to }: Period, { park, type }: ReportCondition) =>
  db
    .selectFrom('reports')
    .where('deletion_id', 'is', null)
    .where('date', '>=', from)
    .where('date', '<=', to)
    .$if(park !== undefined, (qb) => qb.where('selectedPlace', 'in', park ?? []))
    .$if(type !== undefined, (qb) => qb.where('type_key', '=', type ?? ''));

const countReportsByPark = (db: Database, period: Period, condition: ReportCondition) =>
  selectReports(db, period, condition)
    .select(['selectedPlace as park', 'reportType', 'employmentStatus as status'])
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      sql<number>`count(case when "emergencyService" <> 'None' then 1 end)`.as('emergencies'),
    ])
    .groupBy(['selectedPlace', 'reportType', 'employmentStatus'])
    .execute();

export async function countUnopened(db: Database, park: readonly string[] | undefined): Promise<number> {
  return countRows(
    db
      .selectFrom('reports')
      .where('first_opened_at', 'is', null)
      .where('deletion_id', 'is', null)
      .$if(park !== undefined, (qb) => qb.where('selectedPlace', 'in', park ?? [])),
  );
}

type ReportDay = { date: string; accidents: number; incidents: number; hours: string };

/**
 * Counts by day, because the index has this order and no sorting is needed. `hours` lists the hour
 * of each report, separated by commas.
 */
const countReportsByDay = (db: Database, period: Period, condition: ReportCondition): Promise<ReportDay[]> =>
  selectReports(db, period, condition)
    .select([
      'date',
      sql<number>`count(case when "reportType" = 'accident' then 1 end)`.as('accidents'),
      sql<number>`count(case when "reportType" = 'incident' then 1 end)`.as('incidents'),
      sql<string>`string_agg(substr(time, 1, 2), ',')`.as('hours'),
    ])
    .groupBy('date')
    .execute();

function countMonths(period: Period, days: ReportDay[]): Overview['months'] {
  const months = new Map(listMonths(period).map((month) => [month, { month, accidents: 0, incidents: 0 }]));
  for (const { date, accidents, incidents } of days) {
    const month = months.get(date.slice(0, 7));
    if (!month) continue;
    month.accidents += accidents;
    month.incidents += incidents;
  }
  return [...months.values()];
}

/**
 * Returns every month of the period, including those without reports, so that charts show them as
 * gaps.
 */
function listMonths({ from, to }: Period): string[] {
  const months: string[] = [];
  let [year, month] = [Number(from.slice(0, 4)), Number(from.slice(5, 7))];
  for (;;) {
    const name = `${year}-${String(month).padStart(2, '0')}`;
    if (name > to.slice(0, 7)) return months;
    months.push(name);
    [year, month] = month === 12 ? [year + 1, 1] : [year, month + 1];
  }
}

const hourNames = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));

/** Counts reports by weekday, Monday first, and hour. Leaves out those without a readable day or time. */
function countHours(days: ReportDay[]): number[][] {
  const weekdays = Array.from({ length: 7 }, () => new Map(hourNames.map((hour) => [hour, 0])));
  for (const { date, hours } of days) {
    if (!parseDay(date)) continue;
    const weekday = weekdays[getIsoWeekday(toDayNumber(date)) - 1];
    for (const hour of hours.split(',')) {
      const count = weekday?.get(hour);
      if (count !== undefined) weekday?.set(hour, count + 1);
    }
  }
  return weekdays.map((weekday) => [...weekday.values()]);
}

const countNames = (
  db: Database,
  column: 'type' | 'location',
  period: Period,
  condition: ReportCondition,
): Promise<Counted[]> =>
  selectReports(db, period, condition)
    .select(`${column} as name`)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .groupBy(column)
    .orderBy(column)
    .execute();

const namePlace = ({ name, park }: { name: string; park: string }) => `${name}, ${park}`;

/**
 * Counts reports by place, and those without a place by their typed location. The latter are counted by
 * subtraction: an index has the typed locations of all reports, and few reports are linked to a place.
 */
async function countLocations(db: Database, period: Period, condition: ReportCondition): Promise<Counted[]> {
  const typed = await countNames(db, 'location', period, condition);
  const linked = await selectReports(db, period, condition)
    .innerJoin('place_links', 'place_links.thing_id', 'reports.id')
    .innerJoin('places', 'places.id', 'place_links.place_id')
    .select(['places.id', 'places.name', 'places.park', 'reports.location'])
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .groupBy(['places.id', 'places.name', 'places.park', 'reports.location'])
    .execute();
  const places = linked.map(({ id, count, ...place }) => ({ name: namePlace(place), place: id, count }));
  const withPlace = Map.groupBy(linked, ({ location }) => location);
  const withoutPlace = typed.map(({ name, count }) => ({
    name,
    count: count - sum((withPlace.get(name) ?? []).map((row) => row.count)),
  }));
  return [...places, ...withoutPlace.filter(({ count }) => count > 0)];
}

/** Counts hazards, including those from guests, by place, or by typed location if they have none. */
async function countHazards(
  db: Database,
  viewer: Viewer,
  { from, to }: Period,
  park: readonly string[] | undefined,
): Promise<Counted[]> {
  const hazards = await selectVisibleAudits(db, viewer)
    .leftJoin('place_links', 'place_links.thing_id', 'audits.id')
    .leftJoin('places', 'places.id', 'place_links.place_id')
    .select(['audits.data', 'places.id', 'places.name', 'places.park'])
    .where('audits.source_thing', 'in', ['hazard', 'message'])
    .where('audits.created_at', '>=', getStartOfDay(from))
    .where('audits.created_at', '<', getStartOfDay(getNextDay(to)))
    .$if(park !== undefined, (qb) => qb.where('folders.park', 'in', park ?? []))
    .execute();
  return hazards.map(({ data, id, name, park }) =>
    id
      ? { name: namePlace({ name: name ?? '', park: park ?? '' }), place: id, count: 1 }
      : { name: parseData(data).data.location, count: 1 },
  );
}

/**
 * Returns the most frequent values, and one row for the rest. Counts values that differ only in case
 * together.
 */
export function rankNames(rows: Counted[], restName: string): Counted[] {
  const countsByFoldedName = new Map<string, Counted & { most: number }>();
  for (const { name, count, place } of rows) {
    const key = place ?? getTypeKey(name);
    const existing = countsByFoldedName.get(key);
    if (!existing) countsByFoldedName.set(key, { name, count, most: count, ...(place && { place }) });
    else {
      existing.count += count;
      // Values that differ only in case are shown in the most frequent spelling.
      if (count > existing.most) Object.assign(existing, { name, most: count });
    }
  }
  const sorted = [...countsByFoldedName.values()].sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
  const restCount = sum(sorted.slice(maxRankedNames).map(({ count }) => count));
  return [
    ...sorted.slice(0, maxRankedNames).map(({ most: _, ...row }) => row),
    ...(restCount > 0 ? [{ name: restName, count: restCount, isRest: true as const }] : []),
  ];
}

/** Adds to each name how often it occurred in the period before, in any spelling. */
function addEarlierCounts(ranked: Counted[], earlier: Counted[]): Counted[] {
  const counts = new Map<string, number>();
  for (const { name, count } of earlier) counts.set(getTypeKey(name), (counts.get(getTypeKey(name)) ?? 0) + count);
  return ranked.map((row) => (row.isRest ? row : { ...row, before: counts.get(getTypeKey(row.name)) ?? 0 }));
}

const countChecksBy = (
  db: Database,
  by: 'park' | 'day',
  { from, to }: Period,
  park: readonly string[] | undefined,
  now: string,
) =>
  db
    .selectFrom('due_checks')
    .select([
      `${by} as name`,
      sql<number>`count(*)`.as('checks'),
      sql<number>`count(case when filled_in_at < closes_at then 1 end)`.as('onTime'),
    ])
    .where('day', '>=', from)
    .where('day', '<=', to)
    .$if(park !== undefined, (qb) => qb.where('park', 'in', park ?? []))
    .where('opens_at', '<=', now)
    .where((eb) => eb.or([eb('filled_in_at', 'is not', null), eb('closes_at', '<=', now)]))
    .where(isCounted)
    .groupBy(by)
    .execute();

function countWeeks(days: { name: string; checks: number; onTime: number }[]): Overview['weeks'] {
  const weeks = new Map<string, Overview['weeks'][number]>();
  for (const { name, checks, onTime } of days) {
    const week = getMonday(name);
    const counts = weeks.get(week) ?? { week, checks: 0, checksOnTime: 0 };
    counts.checks += checks;
    counts.checksOnTime += onTime;
    weeks.set(week, counts);
  }
  return [...weeks.values()].sort((a, b) => (a.week < b.week ? -1 : 1));
}

/** The condition for audits that existed and were incomplete at the end of a day. */
const wasOpen = (on: string) => (eb: ExpressionBuilder<Tables, 'audits'>) => {
  const end = getStartOfDay(getNextDay(on));
  return eb.and([
    eb('audits.created_at', '<', end),
    eb.or([eb('audits.completed', '=', 0), eb('audits.completed_at', '>=', end)]),
  ]);
};

const countAudits = (db: Database, viewer: Viewer, on: string) =>
  selectVisibleAudits(db, viewer)
    .select([
      'folders.park',
      sql<number>`count(*)`.as('open'),
      sql<number>`count(case when audits.date <> '' and audits.date < ${on} then 1 end)`.as('overdue'),
    ])
    .where(wasOpen(on))
    .groupBy('folders.park')
    .execute();

async function countAuditsToVerify(db: Database, viewer: Viewer, park: readonly string[] | undefined): Promise<number> {
  return countRows(
    selectVisibleAudits(db, viewer)
      .where(isToVerify)
      .$if(park !== undefined, (qb) => qb.where('folders.park', 'in', park ?? [])),
  );
}

/** The condition for audits that were open or overdue at the end of a day, or wait for their verification now. */
export const isInStateOn =
  (state: AuditsOnDayQuery['state'], on: string) => (eb: ExpressionBuilder<Tables, 'audits'>) =>
    state === 'toVerify'
      ? isToVerify(eb)
      : eb.and([
          wasOpen(on)(eb),
          ...(state === 'overdue' ? [eb('audits.date', '<>', ''), eb('audits.date', '<', on)] : []),
        ]);

/** Returns the audits that a number of the overview counts, earliest date first. */
export async function listAuditsOnDay(
  db: Database,
  viewer: Viewer,
  { state, on, park }: AuditsOnDayQuery,
): Promise<AuditOnDay[]> {
  const rows = await selectVisibleAudits(db, viewer)
    .select(['audits.id', 'audits.title', 'audits.date', 'audits.data', 'audits.is_urgent', 'audits.completed'])
    .select(['folders.park', 'folders.name as folder_name', 'audits.verify_by'])
    .where(isInStateOn(state, on))
    .$if(park !== undefined, (qb) => qb.where('folders.park', 'in', park ?? []))
    .orderBy('audits.due')
    .orderBy('audits.id')
    .execute();
  return rows.map(({ data, ...row }) => ({
    ...row,
    assignee: parseData(data).data.assignee,
    is_urgent: row.is_urgent === 1,
    completed: row.completed === 1,
  }));
}

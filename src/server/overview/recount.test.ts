// Compares the numbers of the overview with a slow second count of random data.
import fc from 'fast-check';
import { type RawBuilder, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { fromDayNumber, toDayNumber } from '#shared/calendar.ts';
import { defaultParks as parks } from '#shared/choices.ts';
import { getPeriodBefore, type Period } from '#shared/overview/overview.ts';
import { getEngine } from '../db/connect.ts';
import type { Database, Tables } from '../db/schema.ts';
import { getTypeKey } from '../reports/queries/report-filter.ts';
import { insertRow } from '../testing/rows.ts';
import { engines } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';
import { countOverview, listAuditsOnDay } from './store.ts';

type RandomReport = Pick<
  Tables['reports'],
  'reportType' | 'selectedPlace' | 'date' | 'time' | 'type' | 'emergencyService' | 'employmentStatus'
> & { isOpened: boolean; isDeleted: boolean };
type RandomAudit = { park: string; created: string; date: string | null; completedOn: string | null };
type RandomCheck = { park: string; day: string; filledInAfter: number | null };

const arbitraryDayIn = (from: string, days: number) =>
  fc.nat(days).map((offset) => fromDayNumber(toDayNumber(from) + offset));
const place = fc.constantFrom(...parks.slice(0, 3));
const randomReport: fc.Arbitrary<RandomReport> = fc.record({
  reportType: fc.constantFrom('accident', 'incident'),
  selectedPlace: place,
  date: fc.oneof({ weight: 9, arbitrary: arbitraryDayIn('2025-01-01', 760) }, fc.constantFrom('unknown', '2026-13-40')),
  time: fc.constantFrom('00:00', '09:59', '23:59', '12:30'),
  type: fc.constantFrom('Slip', 'slip ', 'SLIP', 'Burn', 'Cut', 'Fall', 'Trip', 'A', 'B', 'C', 'D', 'E', 'F', 'G'),
  emergencyService: fc.constantFrom('None', 'None', 'Ambulance'),
  employmentStatus: fc.constantFrom('Staff', 'Guest'),
  isOpened: fc.boolean(),
  isDeleted: fc.boolean(),
});
const randomAudit: fc.Arbitrary<RandomAudit> = fc.record({
  park: place,
  created: arbitraryDayIn('2025-01-01', 700),
  date: fc.option(arbitraryDayIn('2025-01-01', 760)),
  completedOn: fc.option(arbitraryDayIn('2025-01-01', 760)),
});
const randomCheck: fc.Arbitrary<RandomCheck> = fc.record({
  park: place,
  day: arbitraryDayIn('2025-06-01', 400),
  filledInAfter: fc.option(fc.nat(8)),
});

describe.each(engines)('the numbers of the overview on %s', (engine) => {
  const { server, admin } = createTestServer(engine);

  test('every number of the overview equals a slow recount of random data', async () => {
    const { id: checklist_id } = await admin(api.createChecklist, {
      body: { title: 'Pool', sections: [{ title: 'Clear?', type: 'checkbox', required: false }] },
    });
    const schedule = { parks: [...parks], repeat: 'daily' as const, opens_at: '06:00', closes_at: '10:00' };
    const { id: schedule_id } = await admin(api.createSchedule, {
      body: { checklist_id, ...schedule, starts_on: '2099-01-01' },
    });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(randomReport, { maxLength: 40 }),
        fc.array(randomAudit, { maxLength: 20 }),
        fc.uniqueArray(randomCheck, { maxLength: 30, selector: ({ park, day }) => `${park} ${day}` }),
        fc.option(fc.subarray(parks.slice(0, 3), { minLength: 1 }), { nil: undefined }),
        arbitraryDayIn('2025-11-01', 200),
        fc.nat(120),
        async (reports, audits, checks, park, from, length) => {
          run += 1;
          const { db } = server;
          await empty(db);
          await fill(db, { reports, audits, checks }, { by: admin.id, checklist_id, schedule_id, run });
          const period = { from, to: fromDayNumber(toDayNumber(from) + length) };
          const today = '2026-03-15';
          const now = `${today}T12:00:00.000Z`;
          const countedOverview = await countOverview(
            db,
            { role: 'Admin', parks: null },
            { ...period, park },
            { today, now },
          );
          const missed = countedOverview.missed.flatMap(({ parks }) => parks);
          expect({ ...countedOverview, missed }).toEqual(await recount(db, period, park, today, now));
          for (const state of ['open', 'overdue'] as const) {
            const on = period.to < today ? period.to : today;
            const listed = await listAuditsOnDay(db, { role: 'Admin', parks: null }, { state, on, park });
            const total = countedOverview.parks.reduce(
              (sum, { now }) => sum + ((state === 'open' ? now.openAudits : now.overdueAudits) ?? 0),
              0,
            );
            expect(listed).toHaveLength(total);
          }
        },
      ),
      { numRuns: 25 },
    );
  });
});

async function empty(db: Database) {
  await db.deleteFrom('due_checks').execute();
  await db.deleteFrom('audits').execute();
  await db.deleteFrom('folders').execute();
  await db.deleteFrom('reports').execute();
}

type RandomRecords = { reports: RandomReport[]; audits: RandomAudit[]; checks: RandomCheck[] };
const opensAt = ({ day }: RandomCheck) => `${day}T06:00:00.000Z`;
const closesAt = ({ day }: RandomCheck) => `${day}T10:00:00.000Z`;
const filledInAt = ({ day, filledInAfter }: RandomCheck) =>
  filledInAfter === null ? null : `${day}T${String(6 + filledInAfter).padStart(2, '0')}:00:00.000Z`;

async function fill(
  db: Database,
  { reports, audits, checks }: RandomRecords,
  { by, checklist_id, schedule_id, run }: { by: string; checklist_id: string; schedule_id: string; run: number },
) {
  const at = '2026-01-01T00:00:00.000Z';
  const deletion = { thing: 'report', thing_id: 'x', label: '', deleted_at: at, deleted_by: by, deleted_by_name: '' };
  await insertRow(db, 'deletions', { ...deletion, id: `d${run}` });
  for (const [index, { isOpened, isDeleted, ...report }] of reports.entries())
    await insertRow(db, 'reports', {
      ...report,
      id: `r${run}-${index}`,
      position: run * 1000 + index,
      number: `N${run}-${index}`,
      month: report.date.slice(0, 7),
      location: report.type,
      mediaFiles: '[]',
      created_at: at,
      created_by: by,
      first_opened_at: isOpened ? at : null,
      type_key: getTypeKey(report.type),
      deletion_id: isDeleted ? `d${run}` : null,
    });
  for (const park of parks.slice(0, 3))
    await insertRow(db, 'folders', {
      id: `f${run}-${park}`,
      name: park,
      park,
      version: 1,
      created_at: at,
      created_by: by,
    });
  for (const [index, { park, created, date, completedOn }] of audits.entries())
    await insertRow(db, 'audits', {
      id: `a${run}-${index}`,
      folder_id: `f${run}-${park}`,
      title: 'A',
      date,
      completed: completedOn ? 1 : 0,
      completed_by: completedOn ? 'x' : null,
      completed_at: completedOn ? `${completedOn}T12:00:00.000Z` : null,
      data: '{}',
      position: run * 1000 + index,
      version: 1,
      created_at: `${created}T12:00:00.000Z`,
      created_by: by,
      verify_by: completedOn && index % 2 ? completedOn : null,
    });
  for (const [index, check] of checks.entries())
    await insertRow(db, 'due_checks', {
      id: `c${run}-${index}`,
      schedule_id,
      checklist_id,
      park: check.park,
      day: check.day,
      opens_at: opensAt(check),
      closes_at: closesAt(check),
      filled_in_at: filledInAt(check),
      received_at: filledInAt(check),
    });
}

/**
 * Counts the same numbers with different SQL: a calendar of the period joined with the rows, one
 * count for each cell, and window functions for the rankings.
 */
async function recount(
  db: Database,
  period: Period,
  chosen: readonly string[] | undefined,
  today: string,
  now: string,
): Promise<unknown> {
  const isSqlite = getEngine(db) === 'sqlite';
  const numbers = async <Row>(query: RawBuilder<unknown>) => {
    const { rows } = await query.execute(db);
    return (rows as Record<string, unknown>[]).map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [name, /^\d+$/.test(`${value}`) ? Number(value) : value]),
      ),
    ) as Row[];
  };
  const requestedParks = sql`(values ${sql.join((chosen ?? parks).map((park) => sql`(${park})`))})`;
  const fieldTypes = isSqlite
    ? sql`(select column1 as park from ${requestedParks} as v)`
    : sql`(select v.park from ${requestedParks} as v (park))`;
  const isInPark = (column: string) => sql`${sql.ref(column)} in (select park from ${fieldTypes} as here)`;
  const isBetween = ({ from, to }: Period, day: string) => sql`${sql.ref(day)} between ${from} and ${to}`;
  const isNotDeleted = sql`reports.deletion_id is null`;
  const isSettled = sql`opens_at <= ${now} and coalesce(filled_in_at, '') || case when closes_at <= ${now} then '!' else '' end <> ''`;
  const isMissed = sql`${isInPark('park')} and ${isBetween(period, 'day')} and filled_in_at is null and not closes_at > ${now}`;
  const isOnTime = sql`coalesce(filled_in_at, '9') < closes_at`;
  const wasOpen = (on: string) =>
    sql`substr(audits.created_at, 1, 10) <= ${on} and substr(coalesce(audits.completed_at, '9999-12-31'), 1, 10) > ${on}`;
  const wasOverdue = (on: string) => sql`${wasOpen(on)} and coalesce(audits.date, '9') < ${on}`;
  const audits = sql`audits join folders on folders.id = audits.folder_id`;
  const readNumber = async (query: RawBuilder<unknown>) =>
    (await numbers<{ n: number }>(sql`select count(*) as n from ${query}`))[0]?.n;

  const measure = async (park: string, days: Period, on: string) => {
    const reports = (condition: RawBuilder<unknown>) =>
      readNumber(
        sql`reports where ${isNotDeleted} and "selectedPlace" = ${park} and ${isBetween(days, 'date')} and ${condition}`,
      );
    const checks = (condition: RawBuilder<unknown>) =>
      readNumber(sql`due_checks where park = ${park} and ${isBetween(days, 'day')} and ${isSettled} and ${condition}`);
    return {
      accidents: await reports(sql`"reportType" = 'accident'`),
      incidents: await reports(sql`"reportType" = 'incident'`),
      emergencies: await reports(sql`not "emergencyService" = 'None'`),
      openAudits: await readNumber(sql`${audits} where folders.park = ${park} and ${wasOpen(on)}`),
      overdueAudits: await readNumber(sql`${audits} where folders.park = ${park} and ${wasOverdue(on)}`),
      checks: await checks(sql`1 = 1`),
      checksOnTime: await checks(isOnTime),
    };
  };

  const on = period.to < today ? period.to : today;
  const before = getPeriodBefore(period, today);
  const rows = [];
  for (const park of parks.filter((name) => chosen === undefined || chosen.includes(name)))
    rows.push({
      park,
      now: await measure(park, period, on),
      before: await measure(park, before, before.to),
    });

  const nextDay = isSqlite ? sql`date(day, '+1 day')` : sql`to_char(cast(day as date) + 1, 'YYYY-MM-DD') collate "C"`;
  // Monday is 0.
  const weekday = isSqlite
    ? sql`(strftime('%w', day) + 6) % 7`
    : sql`cast(extract(isodow from cast(day as date)) as integer) - 1`;
  const monday = isSqlite
    ? sql`date(day, '-' || ((strftime('%w', day) + 6) % 7) || ' days')`
    : sql`to_char(date_trunc('week', cast(day as date)), 'YYYY-MM-DD')`;
  const start = isSqlite ? sql`${period.from}` : sql`cast(${period.from} as text) collate "C"`;
  const calendar = sql`with recursive days (day) as (select ${start} union all select ${nextDay} from days where day < ${period.to})`;

  const months = await numbers(sql`${calendar}
    select substr(day, 1, 7) as month,
      count(case when "reportType" = 'accident' then 1 end) as accidents,
      count(case when "reportType" = 'incident' then 1 end) as incidents
    from days left join reports on reports.date = days.day and ${isNotDeleted} and ${isInPark('selectedPlace')}
    group by substr(day, 1, 7) order by 1`);
  const hours = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0));
  for (const { weekday: at, hour, count } of await numbers<{
    weekday: number;
    hour: number;
    count: number;
  }>(sql`${calendar}
    select ${weekday} as weekday, substr(time, 1, 2) as hour, count(*) as count
    from days join reports on reports.date = days.day where ${isNotDeleted} and ${isInPark('selectedPlace')}
    group by 1, 2`))
    hours[at]?.splice(hour, 1, count);
  const weeks = await numbers(sql`${calendar}
    select ${monday} as week, count(*) as checks, count(case when ${isOnTime} then 1 end) as "checksOnTime"
    from days join due_checks using (day) where ${isInPark('park')} and ${isSettled}
    group by 1 order by 1`);
  const rank = async (column: string, restName: string) => {
    const ranked = await numbers<{ name: string; count: number; place: number }>(sql`
    with spelt as (
      select lower(trim(${sql.ref(column)})) as word, ${sql.ref(column)} as spelling, count(*) as times
      from reports where ${isNotDeleted} and ${isInPark('selectedPlace')} and ${isBetween(period, 'date')} group by 1, 2
    ), words as (
      select word, sum(times) over (partition by word) as total, spelling,
        row_number() over (partition by word order by times desc, spelling) as place from spelt
    ), ranked as (
      select spelling as name, total, row_number() over (order by total desc, spelling) as place from words where place = 1
    )
    select name, count, place from (
      select name, total as count, place from ranked where place <= 10
      union all select '', sum(total), 11 from ranked where place > 10 having sum(total) > 0
    ) as listed order by place`);
    return ranked.map(({ name, count, place }) =>
      place > 10 ? { name: restName, count, isRest: true } : { name, count },
    );
  };
  return {
    attention: {
      unopenedReports: await readNumber(
        sql`reports where ${isNotDeleted} and first_opened_at is null and ${isInPark('selectedPlace')}`,
      ),
      overdueAudits: await readNumber(sql`${audits} where ${isInPark('folders.park')} and ${wasOverdue(today)}`),
      auditsToVerify: await readNumber(sql`${audits} where ${isInPark('folders.park')} and verify_by is not null`),
      missedChecks: await readNumber(sql`due_checks where ${isMissed}`),
      guestMessages: 0,
    },
    missed: await numbers(
      sql`select park, count(*) as checks from due_checks where ${isMissed} group by park order by min(park)`,
    ),
    parks: rows,
    months,
    hours,
    types: await Promise.all(
      (await rank('type', 'All other types')).map(async (row) => ({
        ...row,
        ...(!('isRest' in row) && {
          before: await readNumber(
            sql`reports where ${isNotDeleted} and ${isInPark('selectedPlace')} and ${isBetween(before, 'date')} and lower(trim(type)) = lower(trim(${row.name}))`,
          ),
        }),
      })),
    ),
    locations: await rank('location', 'All other locations'),
    hazards: [],
    employment: await rank('employmentStatus', 'All other statuses'),
    weeks,
  };
}

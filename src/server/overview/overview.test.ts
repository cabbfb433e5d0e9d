import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { parks } from '#shared/choices.ts';
import { noMeasures } from '#shared/overview.ts';
import { dayNumber, dayOfNumber } from '#shared/schedules/park-time.ts';
import type { Database, Tables } from '../db/schema.ts';
import { getTypeKey } from '../reports/filter.ts';
import { newAudit, newFolder, newReport } from '../testing/factories.ts';
import { engines, startTestServer, type TestClient, type TestServer } from '../testing/server.ts';
import { countOverview, getPeriodBefore, listStandingAudits } from './store.ts';

type RandomReport = Pick<
  Tables['reports'],
  'reportType' | 'selectedPlace' | 'date' | 'time' | 'type' | 'emergencyService' | 'employmentStatus'
> & { isOpened: boolean; isDeleted: boolean };
type RandomAudit = { park: string; created: string; date: string | null; completedOn: string | null };
type RandomCheck = { park: string; day: string; filledInAfter: number | null };

const dayIn = (from: string, days: number) => fc.nat(days).map((offset) => dayOfNumber(dayNumber(from) + offset));
const place = fc.constantFrom(...parks.slice(0, 3));
const randomReport: fc.Arbitrary<RandomReport> = fc.record({
  reportType: fc.constantFrom('accident', 'incident'),
  selectedPlace: place,
  date: fc.oneof({ weight: 9, arbitrary: dayIn('2025-01-01', 760) }, fc.constantFrom('unknown', '2026-13-40')),
  time: fc.constantFrom('00:00', '09:59', '23:59', '12:30'),
  type: fc.constantFrom('Slip', 'slip ', 'SLIP', 'Burn', 'Cut', 'Fall', 'Trip', 'A', 'B', 'C', 'D', 'E', 'F', 'G'),
  emergencyService: fc.constantFrom('None', 'None', 'Ambulance'),
  employmentStatus: fc.constantFrom('Staff', 'Guest'),
  isOpened: fc.boolean(),
  isDeleted: fc.boolean(),
});
const randomAudit: fc.Arbitrary<RandomAudit> = fc.record({
  park: place,
  created: dayIn('2025-01-01', 700),
  date: fc.option(dayIn('2025-01-01', 760)),
  completedOn: fc.option(dayIn('2025-01-01', 760)),
});
const randomCheck: fc.Arbitrary<RandomCheck> = fc.record({
  park: place,
  day: dayIn('2025-06-01', 400),
  filledInAfter: fc.option(fc.nat(8)),
});

describe.each(engines)('the overview on %s', (engine) => {
  let server: TestServer;
  let admin: TestClient;
  let manager: TestClient;
  beforeAll(async () => {
    server = await startTestServer(engine);
    admin = await server.as('Admin');
    manager = await server.as('Health & Safety Manager');
  });
  afterAll(() => server.stop());

  const year = { from: '2026-01-01', to: '2026-12-31' };

  test('a report needs attention until a reviewer other than its author opens it', async () => {
    const unopened = async () => (await admin(api.getOverview, { query: year })).attention.unopenedReports;
    const listed = async () => (await admin(api.listReports, { query: { unopened: '1', limit: 100 } })).length;
    const before = await unopened();
    const { id } = await manager(api.submitAccident, { body: await newReport(manager) });
    await manager(api.getReport, { params: { id } });
    expect([await unopened(), await listed()]).toEqual([before + 1, before + 1]);
    await admin(api.getReportPdf, { params: { id } });
    expect([await unopened(), await listed()]).toEqual([before, before]);
  });

  test('reports are filtered by park, days, status and emergency service, in lists, months and exports', async () => {
    const file = async (changes: Record<string, unknown>) =>
      admin(api.submitIncident, { body: await newReport(admin, { selectedPlace: 'Winkups', ...changes }) });
    await file({ date: '2025-02-10', employmentStatus: 'Staff' });
    const { id } = await file({ date: '2025-02-11', employmentStatus: 'Owner', emergencyService: 'Police' });
    await file({ date: '2025-02-12', employmentStatus: 'Owner' });
    const found = async (query: object) =>
      (await admin(api.listReports, { query: { reportType: 'incident', park: 'Winkups', limit: 50, ...query } })).map(
        ({ date }) => date.slice(8),
      );
    expect(await found({})).toEqual(['12', '11', '10']);
    expect(await found({ from: '2025-02-11' })).toEqual(['12', '11']);
    expect(await found({ to: '2025-02-11' })).toEqual(['11', '10']);
    expect(await found({ employmentStatus: 'Owner' })).toEqual(['12', '11']);
    expect(await found({ emergencyService: 'Any' })).toEqual(['11']);
    expect(await found({ emergencyService: 'Ambulance' })).toEqual([]);
    const emergency = { park: 'Winkups', emergencyService: 'Any' } as const;
    expect(await admin(api.listReportMonths, { query: { reportType: 'incident', ...emergency } })).toEqual([
      { month: '2025-02', count: 1 },
    ]);
    const csv = await admin(api.exportReports, { query: { format: 'csv', ...emergency } });
    expect(parse(Buffer.from(csv), { bom: true, columns: true })).toHaveLength(1);
    expect((await admin(api.getReport, { params: { id } })).selectedPlace).toBe('Winkups');
    await expect(admin(api.listReports, { query: { park: 'Atlantis' as never } })).rejects.toMatchObject({
      status: 400,
      fields: { park: 'Choose a park' },
    });
  });

  test('reports of a type count and are listed together, however it was written', async () => {
    for (const type of ['Wasp sting', 'wasp STING ', 'Bee sting'])
      await admin(api.submitAccident, { body: await newReport(admin, { type, selectedPlace: 'Oakfield' }) });
    const query = { ...year, park: 'Oakfield', type: 'WASP sting' } as const;
    const { parks, types } = await admin(api.getOverview, { query });
    expect([parks[0]?.now.accidents, types]).toEqual([2, [{ name: 'Wasp sting', count: 2 }]]);
    expect(await admin(api.listReports, { query: { ...query, limit: 50 } })).toHaveLength(2);
  });

  test("audits are counted by the person's own parks, and each number is a list of as many", async () => {
    for (const park of ['Mounds', 'Kingsley'] as const)
      await admin(api.createAudit, { body: newAudit(await newFolder(admin, { park }), { date: '2026-03-20' }) });
    const here = await server.as('Health & Safety Manager', 'Mounds');
    const { attention, parks } = await here(api.getOverview, { query: year });
    expect(parks.filter(({ now }) => now.openAudits > 0).map(({ park }) => park)).toEqual(['Mounds']);
    const on = new Date().toISOString().slice(0, 10);
    const overdue = await here(api.listStandingAudits, { query: { state: 'overdue', on } });
    expect([attention.overdueAudits, overdue.map(({ park }) => park)]).toEqual([1, ['Mounds']]);
  });

  test('a period that ends before it begins is refused', async () => {
    const wrong = admin(api.getOverview, { query: { from: '2026-02-01', to: '2026-01-01' } });
    await expect(wrong).rejects.toMatchObject({ status: 400, fields: { to: 'The last day is before the first' } });
  });

  test('every number equals a slow recount of random data', async () => {
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
        fc.option(place, { nil: undefined }),
        dayIn('2025-11-01', 200),
        fc.nat(120),
        async (reports, audits, checks, park, from, length) => {
          run += 1;
          const { db } = server;
          await empty(db);
          await fill(db, { reports, audits, checks }, { by: admin.id, checklist_id, schedule_id, run });
          const period = { from, to: dayOfNumber(dayNumber(from) + length) };
          const today = '2026-03-15';
          const now = `${today}T12:00:00.000Z`;
          const counted = await countOverview(db, { role: 'Admin', park: '' }, { ...period, park }, { today, now });
          const known = { reports: reports.filter(({ isDeleted }) => !isDeleted), audits, checks };
          expect(counted).toEqual(recount(known, period, park, today, now));
          for (const state of ['open', 'overdue'] as const) {
            const on = period.to < today ? period.to : today;
            const listed = await listStandingAudits(db, { role: 'Admin', park: '' }, { state, on, park });
            const total = counted.parks.reduce(
              (sum, { now }) => sum + (state === 'open' ? now.openAudits : now.overdueAudits),
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

type Filled = { reports: RandomReport[]; audits: RandomAudit[]; checks: RandomCheck[] };
const opensAt = ({ day }: RandomCheck) => `${day}T06:00:00.000Z`;
const closesAt = ({ day }: RandomCheck) => `${day}T10:00:00.000Z`;
const filledInAt = ({ day, filledInAfter }: RandomCheck) =>
  filledInAfter === null ? null : `${day}T${String(6 + filledInAfter).padStart(2, '0')}:00:00.000Z`;

async function fill(
  db: Database,
  { reports, audits, checks }: Filled,
  { by, checklist_id, schedule_id, run }: { by: string; checklist_id: string; schedule_id: string; run: number },
) {
  const at = '2026-01-01T00:00:00.000Z';
  const deletion = { thing: 'report', thing_id: 'x', label: '', deleted_at: at, deleted_by: by, deleted_by_name: '' };
  await db
    .insertInto('deletions')
    .values({ ...deletion, id: `d${run}`, park: null })
    .execute();
  for (const [index, { isOpened, isDeleted, ...report }] of reports.entries())
    await db
      .insertInto('reports')
      .values({
        ...report,
        id: `r${run}-${index}`,
        position: run * 1000 + index,
        number: `N${run}-${index}`,
        name: '',
        age: null,
        contactNumber: '',
        reporter: '',
        month: report.date.slice(0, 7),
        location: report.type,
        details: '',
        mediaFiles: '[]',
        signature: null,
        affectedUserSignature: null,
        affectedUserSignedBy: null,
        search_text: '',
        fingerprint: '',
        created_at: at,
        created_by: by,
        created_by_name: '',
        captured_at: null,
        first_opened_at: isOpened ? at : null,
        type_key: getTypeKey(report.type),
        deletion_id: isDeleted ? `d${run}` : null,
      })
      .execute();
  for (const park of parks.slice(0, 3))
    await db
      .insertInto('folders')
      .values({
        id: `f${run}-${park}`,
        name: park,
        description: '',
        thumbnail: null,
        park,
        version: 1,
        created_at: at,
        created_by: by,
        deletion_id: null,
      })
      .execute();
  for (const [index, { park, created, date, completedOn }] of audits.entries())
    await db
      .insertInto('audits')
      .values({
        id: `a${run}-${index}`,
        folder_id: `f${run}-${park}`,
        title: 'A',
        date,
        time: null,
        is_urgent: 0,
        completed: completedOn ? 1 : 0,
        completed_by: completedOn ? 'x' : null,
        completed_at: completedOn ? `${completedOn}T12:00:00.000Z` : null,
        data: '{}',
        version: 1,
        created_at: `${created}T12:00:00.000Z`,
        created_by: by,
        captured_at: null,
        deletion_id: null,
      } as never)
      .execute();
  for (const [index, check] of checks.entries())
    await db
      .insertInto('due_checks')
      .values({
        id: `c${run}-${index}`,
        schedule_id,
        checklist_id,
        park: check.park,
        day: check.day,
        opens_at: opensAt(check),
        closes_at: closesAt(check),
        gate: '',
        submission_id: null,
        filled_in_at: filledInAt(check),
        received_at: filledInAt(check),
        failures: 0,
        reason: null,
        reason_by_name: null,
        reason_at: null,
      })
      .execute();
}

/** The same numbers, each by looking at every row. */
function recount(
  { reports, audits, checks }: Filled,
  period: { from: string; to: string },
  park: string | undefined,
  today: string,
  now: string,
) {
  const isHere = (where: string) => park === undefined || where === park;
  const isWithin = (day: string, { from, to }: typeof period) => day >= from && day <= to;
  const inPeriod = reports.filter(({ selectedPlace, date }) => isHere(selectedPlace) && isWithin(date, period));
  const settled = checks.filter(
    (check) => isHere(check.park) && opensAt(check) <= now && (filledInAt(check) !== null || closesAt(check) <= now),
  );
  const isOnTime = (check: RandomCheck) => (filledInAt(check) ?? '9') < closesAt(check);
  const wasOpen = ({ created, completedOn }: RandomAudit, on: string) =>
    created <= on && (completedOn === null || completedOn > on);
  const wasOverdue = (audit: RandomAudit, on: string) => wasOpen(audit, on) && audit.date !== null && audit.date < on;
  const measure = (name: string, days: typeof period, on: string) => {
    const own = reports.filter(({ selectedPlace, date }) => selectedPlace === name && isWithin(date, days));
    const ownChecks = settled.filter((check) => check.park === name && isWithin(check.day, days));
    const ownAudits = audits.filter((audit) => audit.park === name);
    return {
      ...noMeasures,
      accidents: own.filter(({ reportType }) => reportType === 'accident').length,
      incidents: own.filter(({ reportType }) => reportType === 'incident').length,
      emergencies: own.filter(({ emergencyService }) => emergencyService !== 'None').length,
      openAudits: ownAudits.filter((audit) => wasOpen(audit, on)).length,
      overdueAudits: ownAudits.filter((audit) => wasOverdue(audit, on)).length,
      checks: ownChecks.length,
      checksOnTime: ownChecks.filter(isOnTime).length,
    };
  };
  const on = period.to < today ? period.to : today;
  const onBefore = dayOfNumber(dayNumber(on) - 364);
  const monday = (day: string) => dayOfNumber(dayNumber(day) - ((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));
  const monthsOf = [...new Set(listDays(period).map((day) => day.slice(0, 7)))];
  const names = (pick: (report: RandomReport) => string) => {
    const groups = [...Map.groupBy(inPeriod, (report) => pick(report).trim().toLowerCase()).values()];
    const counted = groups.map((group) => {
      const spellings = [...Map.groupBy(group, pick)].sort(
        (a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1),
      );
      return { name: spellings[0]?.[0] ?? '', count: group.length };
    });
    const sorted = counted.sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
    const others = sorted.slice(10).reduce((sum, { count }) => sum + count, 0);
    return [...sorted.slice(0, 10), ...(others ? [{ name: 'Other', count: others }] : [])];
  };
  const readable = inPeriod.filter(({ date }) => /^\d{4}-\d\d-\d\d$/.test(date) && !Number.isNaN(Date.parse(date)));
  const weeks = Map.groupBy(
    settled.filter(({ day }) => isWithin(day, period)),
    ({ day }) => monday(day),
  );
  return {
    attention: {
      unopenedReports: reports.filter(({ isOpened, selectedPlace }) => !isOpened && isHere(selectedPlace)).length,
      overdueAudits: audits.filter((audit) => isHere(audit.park) && wasOverdue(audit, today)).length,
      missedChecks: settled.filter((check) => isWithin(check.day, period) && filledInAt(check) === null).length,
    },
    parks: parks.filter(isHere).map((name) => ({
      park: name,
      now: measure(name, period, on),
      before: measure(name, getPeriodBefore(period), onBefore),
    })),
    months: monthsOf.map((month) => {
      const own = inPeriod.filter(({ date }) => date.slice(0, 7) === month);
      const count = (type: string) => own.filter(({ reportType }) => reportType === type).length;
      return { month, accidents: count('accident'), incidents: count('incident') };
    }),
    hours: Array.from({ length: 7 }, (_, weekday) =>
      Array.from(
        { length: 24 },
        (_, hour) =>
          readable.filter(
            ({ date, time }) =>
              (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7 === weekday && Number(time.slice(0, 2)) === hour,
          ).length,
      ),
    ),
    types: names(({ type }) => type),
    locations: names(({ type }) => type),
    employment: names(({ employmentStatus }) => employmentStatus),
    weeks: [...weeks]
      .map(([week, own]) => ({ week, checks: own.length, checksOnTime: own.filter(isOnTime).length }))
      .sort((a, b) => (a.week < b.week ? -1 : 1)),
  };
}

const listDays = ({ from, to }: { from: string; to: string }) =>
  Array.from({ length: dayNumber(to) - dayNumber(from) + 1 }, (_, index) => dayOfNumber(dayNumber(from) + index));

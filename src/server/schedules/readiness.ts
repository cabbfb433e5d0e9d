// Facilities that are ready to open: all their checks passed, and none is due yet.
import { canSeePark, type ParkViewer, type Viewer } from '#shared/access.ts';
import { getToday } from '#shared/dates.ts';
import { getFilledInAt } from '#shared/schedules/check-state.ts';
import { expandSchedule, toRule } from '#shared/schedules/expand-schedule.ts';
import { fromDayNumber, toDayNumber } from '#shared/schedules/park-time.ts';
import type { Readiness } from '#shared/schedules/schedules.ts';
import { getNameKey } from '#shared/text.ts';
import type { Database } from '../db/schema.ts';
import { findClosedDays, parseSchedule, type StoredSchedule, selectActiveSchedules } from './due-checks.ts';

/**
 * How far ahead to look for the next check. Even a monthly check with a season is due again within
 * a year.
 */
const daysToLookAhead = 370;

type OpeningSchedule = StoredSchedule & { checklist_title: string };
type Facility = { park: string; gate: string; schedules: OpeningSchedule[] };
type CheckResult = Pick<Readiness, 'is_ready' | 'checked_at' | 'valid_until' | 'due_since' | 'failures' | 'audits'>;

/**
 * Returns for each facility at the `shown` parks whether its scheduled checks say that it may open, sorted by park
 * and facility. With `name`, returns only facilities of that name. Leaves out the titles of audits that the viewer
 * may not see.
 */
export async function listReadiness(
  db: Database,
  viewer: Viewer,
  shown: ParkViewer,
  now: Date,
  name?: string,
): Promise<Readiness[]> {
  const schedules = await listOpeningSchedules(db, name);
  if (schedules.length === 0) return [];
  const from = getToday(now);
  const until = fromDayNumber(toDayNumber(from) + daysToLookAhead);
  const closedDays = await findClosedDays(db, from, until);
  return Promise.all(
    listFacilities(schedules, shown).map(async ({ park, gate, schedules }) => {
      const results = await Promise.all(
        schedules.map((schedule) =>
          getCheckResult(db, viewer, schedule, park, now, () =>
            findNextOpening(schedule, now, { from, until }, closedDays.get(park)),
          ),
        ),
      );
      const checklists = new Map(schedules.map((one) => [one.checklist_id, one.checklist_title]));
      return {
        park,
        ...{ gate, place: gate, place_id: gate },
        ...{ not_in_use: null, not_in_use_until: null, check_again: null },
        ...combineResults(results),
        checklists: [...checklists].map(([id, title]) => ({ id, title })),
      };
    }),
  );
}

async function listOpeningSchedules(db: Database, name?: string): Promise<OpeningSchedule[]> {
  const rows = await selectActiveSchedules(db).where('schedules.gate', '<>', '').execute();
  return rows.filter(({ gate }) => name === undefined || getNameKey(gate) === getNameKey(name)).map(parseSchedule);
}

/** Whether scheduled checks say when a facility of this name is ready to open at the park. */
export const isOpenedByChecks = async (db: Database, park: string, name: string): Promise<boolean> =>
  (await listOpeningSchedules(db, name)).some(({ parks }) => parks.includes(park));

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function listFacilities(schedules: OpeningSchedule[], shown: ParkViewer): Facility[] {
  const facilities = new Map<string, Facility>();
  for (const schedule of schedules)
    for (const park of schedule.parks) {
      if (!canSeePark(shown, park)) continue;
      const key = `${park}\n${schedule.gate}`;
      const facility = facilities.get(key) ?? { park, gate: schedule.gate, schedules: [] };
      facility.schedules.push(schedule);
      facilities.set(key, facility);
    }
  return [...facilities.values()].sort((a, b) => compare(a.park, b.park) || compare(a.gate, b.gate));
}

function findNextOpening(
  schedule: StoredSchedule,
  now: Date,
  { from, until }: { from: string; until: string },
  closedDays?: Set<string>,
): string | null {
  const rule = toRule(schedule);
  const findOpeningUntil = (to: string) =>
    expandSchedule(rule, from, to, closedDays).find(({ opensAt }) => opensAt > now.toISOString())?.opensAt;
  // Looks a few days ahead first, because most checks are due again within days.
  return findOpeningUntil(fromDayNumber(toDayNumber(from) + 8)) ?? findOpeningUntil(until) ?? null;
}

/**
 * Returns the result of a schedule's last check: that of the last submission since its window
 * opened.
 */
async function getCheckResult(
  db: Database,
  viewer: Viewer,
  { id, checklist_id }: StoredSchedule,
  park: string,
  now: Date,
  getNextOpening: () => string | null,
): Promise<CheckResult> {
  const notReady = { is_ready: false, checked_at: null, valid_until: null, due_since: null, failures: 0, audits: [] };
  const check = await db
    .selectFrom('due_checks')
    .select('opens_at')
    .where('schedule_id', '=', id)
    .where('park', '=', park)
    .where('opens_at', '<=', now.toISOString())
    .orderBy('opens_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!check) return { ...notReady, valid_until: getNextOpening() };
  const submissions = await db
    .selectFrom('submissions')
    .selectAll()
    .where('checklist_id', '=', checklist_id)
    .where('park', '=', park)
    .where('deletion_id', 'is', null)
    .where('submitted_at', '>=', check.opens_at)
    .execute();
  const lastSubmission = submissions
    .map((row) => ({ row, at: getFilledInAt({ receivedAt: row.submitted_at, capturedAt: row.captured_at }) }))
    .filter(({ at }) => at >= check.opens_at)
    .sort((a, b) => compare(b.at, a.at))[0];
  if (!lastSubmission) return { ...notReady, due_since: check.opens_at };
  if (lastSubmission.row.failures > 0)
    return {
      ...notReady,
      failures: lastSubmission.row.failures,
      audits: await listAuditTitles(db, viewer, lastSubmission.row.id),
    };
  return { ...notReady, is_ready: true, checked_at: lastSubmission.at, valid_until: getNextOpening() };
}

async function listAuditTitles(db: Database, viewer: Viewer, submissionId: string): Promise<string[]> {
  const audits = await db
    .selectFrom('audits')
    .innerJoin('folders', 'folders.id', 'audits.folder_id')
    .select(['title', 'park'])
    .where('source_id', '=', submissionId)
    .where('completed', '=', 0)
    .where('audits.deletion_id', 'is', null)
    .orderBy('title')
    .execute();
  // The folder may have been moved to another park.
  return audits.filter(({ park }) => canSeePark(viewer, park)).map(({ title }) => title);
}

/**
 * Combines the results of a facility's schedules. It is ready if all passed, was checked at the
 * latest submission, and stays ready until the first check is due again.
 */
function combineResults(results: CheckResult[]): CheckResult {
  const list = (name: 'checked_at' | 'valid_until' | 'due_since') =>
    results.flatMap((result) => result[name] ?? []).sort();
  const is_ready = results.every((result) => result.is_ready);
  return {
    is_ready,
    checked_at: is_ready ? (list('checked_at').at(-1) ?? null) : null,
    valid_until: list('valid_until')[0] ?? null,
    due_since: list('due_since')[0] ?? null,
    failures: results.reduce((sum, { failures }) => sum + failures, 0),
    audits: results.flatMap(({ audits }) => audits),
  };
}

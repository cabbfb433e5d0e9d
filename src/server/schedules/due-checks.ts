// The checks that schedules make due: rows that are inserted in advance, and linked to the
// submission that fulfils each.
import { getToday } from '#shared/dates.ts';
import { getCheckState, getFilledInAt } from '#shared/schedules/check-state.ts';
import { expandSchedule, type Occurrence, type ScheduleRule } from '#shared/schedules/expand-schedule.ts';
import { countFailures } from '#shared/schedules/failures.ts';
import { fromDayNumber, toDayNumber } from '#shared/schedules/park-time.ts';
import { serverActor } from '../db/activity-log.ts';
import type { Database, Tables } from '../db/schema.ts';
import { writeTransaction } from '../db/write-transaction.ts';
import { newId } from '../ids.ts';

export type ScheduleRow = Tables['schedules'];

/** Checks are inserted this many days ahead, so that they exist even after a downtime. */
const daysAhead = 21;
const dayMs = 24 * 60 * 60_000;
const rowsPerInsert = 400;

/** Returns a schedule's fields in the form that shared/schedules expands into days. */
export const toRule = (row: ScheduleRow): ScheduleRule => ({
  repeat: row.repeat,
  weekday: row.weekday,
  monthDay: row.month_day,
  season: row.season_from && row.season_to ? { from: row.season_from, to: row.season_to } : null,
  opensAt: row.opens_at,
  closesAt: row.closes_at,
  startsOn: row.starts_on,
  endsOn: row.ends_on,
});

export const getParks = ({ parks }: Pick<ScheduleRow, 'parks'>) => JSON.parse(parks) as string[];

/** Selects the schedules in force whose checklists were not deleted. */
export const selectActiveSchedules = (db: Database) =>
  db
    .selectFrom('schedules')
    .innerJoin('checklists', 'checklists.id', 'schedules.checklist_id')
    .selectAll('schedules')
    .select('checklists.title as checklist_title')
    .where('schedules.ended_at', 'is', null)
    .where('checklists.deletion_id', 'is', null);

/** Returns, for each park, the days from `from` to `to` on which it is closed. */
export async function findClosedDays(db: Database, from: string, to: string): Promise<Map<string, Set<string>>> {
  const closures = await db
    .selectFrom('park_closures')
    .select(['park', 'starts_on', 'ends_on'])
    .where('starts_on', '<=', to)
    .where('ends_on', '>=', from)
    .execute();
  const closedDays = new Map<string, Set<string>>();
  for (const { park, starts_on, ends_on } of closures) {
    const days = closedDays.get(park) ?? new Set();
    for (let day = toDayNumber(starts_on); day <= toDayNumber(ends_on); day += 1) days.add(fromDayNumber(day));
    closedDays.set(park, days);
  }
  return closedDays;
}

/**
 * Inserts the checks of the coming days, and of days missed while the server was stopped. Every
 * instance computes the same rows; the first to insert one wins. If the clock may be wrong
 * (`isClockTrusted`), it inserts only checks that can still be filled in, and again an hour later:
 * a wrong clock then adds no missed checks, and a long stop delays no check.
 */
export async function insertComingChecks(db: Database, now: Date, { isClockTrusted = true } = {}): Promise<void> {
  const today = toDayNumber(getToday(now));
  const until = fromDayNumber(today + daysAhead);
  const listIncomplete = (db: Database) =>
    selectActiveSchedules(db)
      // A schedule was completed further than that if it was changed while the clock was ahead.
      .where('schedules.written_until', isClockTrusted ? '<>' : '<', until)
      .execute();
  if ((await listIncomplete(db)).length === 0) return;
  await writeTransaction(db, serverActor, now, async (db) => {
    const schedules = await listIncomplete(db);
    // A window that opened yesterday may still be open after midnight.
    const yesterday = fromDayNumber(today - 1);
    const [earliest = until] = [yesterday, ...schedules.map(({ written_until }) => written_until)].sort();
    const closedDays = await findClosedDays(db, earliest, until);
    for (const schedule of schedules) {
      const shared = { until, closedDays, parks: getParks(schedule) };
      if (isClockTrusted && schedule.written_until < until) {
        const from = fromDayNumber(toDayNumber(schedule.written_until) + 1);
        await insertChecks(db, schedule, { ...shared, from, isWanted: () => true });
        await setWrittenUntil(db, schedule, until);
      } else await insertChecks(db, schedule, { ...shared, from: yesterday, isWanted: isStillOpen(now) });
    }
  });
}

const isStillOpen =
  (now: Date) =>
  ({ closesAt }: Occurrence) =>
    closesAt > now.toISOString();

const setWrittenUntil = (db: Database, { id }: ScheduleRow, until: string) =>
  db
    .updateTable('schedules')
    .set({ written_until: until })
    .where('id', '=', id)
    .where('written_until', '<', until)
    .execute();

type ScheduleCondition = { schedule_id: string } | { checklist_id: string } | { park: string };

/** Deletes checks whose window has not opened yet; keeps all other checks. */
export async function removeUnopenedChecks(db: Database, condition: ScheduleCondition, now: Date): Promise<void> {
  const [[column, value] = ['schedule_id', '']] = Object.entries(condition);
  await db
    .deleteFrom('due_checks')
    .where(column as 'schedule_id', '=', value)
    .where('opens_at', '>', now.toISOString())
    .execute();
}

/**
 * After a change, inserts the coming checks of these schedules again, including a missing one whose
 * window is open.
 */
export async function replaceComingChecks(db: Database, condition: ScheduleCondition, now: Date): Promise<void> {
  await removeUnopenedChecks(db, condition, now);
  const today = toDayNumber(getToday(now));
  // A window that opened yesterday may still be open after midnight.
  const [from, until] = [fromDayNumber(today - 1), fromDayNumber(today + daysAhead)];
  const closedDays = await findClosedDays(db, from, until);
  const isAffected = ({ id, checklist_id }: ScheduleRow) =>
    'park' in condition ||
    ('schedule_id' in condition ? id === condition.schedule_id : checklist_id === condition.checklist_id);
  for (const schedule of (await selectActiveSchedules(db).execute()).filter(isAffected)) {
    const parks = getParks(schedule).filter((park) => !('park' in condition) || park === condition.park);
    await insertChecks(db, schedule, { from, until, closedDays, parks, isWanted: isStillOpen(now) });
    await setWrittenUntil(db, schedule, until);
  }
}

type InsertOptions = {
  from: string;
  until: string;
  closedDays: Map<string, Set<string>>;
  parks: string[];
  isWanted(occurrence: Occurrence): boolean;
};

async function insertChecks(
  db: Database,
  schedule: ScheduleRow,
  { from, until, closedDays: closed, parks, isWanted }: InsertOptions,
) {
  const rule = toRule(schedule);
  const rows = parks.flatMap((park) =>
    expandSchedule(rule, from, until, closed.get(park))
      .filter(isWanted)
      .map(({ day, opensAt, closesAt }) => ({
        id: newId(),
        schedule_id: schedule.id,
        checklist_id: schedule.checklist_id,
        park,
        day,
        opens_at: opensAt,
        closes_at: closesAt,
        gate: schedule.gate,
        submission_id: null,
        filled_in_at: null,
        received_at: null,
        failures: 0,
        reason: null,
        reason_by_name: null,
        reason_at: null,
      })),
  );
  for (let start = 0; start < rows.length; start += rowsPerInsert)
    await db
      .insertInto('due_checks')
      .values(rows.slice(start, start + rowsPerInsert))
      .onConflict((conflict) => conflict.columns(['schedule_id', 'park', 'day']).doNothing())
      .execute();
}

type AnsweringSubmission = { checklist_id: string; park: string; submitted_at: string; captured_at: string | null };

/**
 * After a submission was added or deleted, links each check that it may fulfil to the right
 * submission.
 */
export async function updateAnsweredChecks(db: Database, submission: AnsweringSubmission): Promise<void> {
  const { checklist_id, park } = submission;
  const at = getFilledInAt({ receivedAt: submission.submitted_at, capturedAt: submission.captured_at });
  // The last check of each schedule whose window had opened by the time of the submission.
  const openedChecks = await db
    .selectFrom('due_checks')
    .select(['schedule_id', (eb) => eb.fn.max('opens_at').as('opens_at')])
    .where('checklist_id', '=', checklist_id)
    .where('park', '=', park)
    .where('opens_at', '<=', at)
    .groupBy('schedule_id')
    .execute();
  for (const { schedule_id, opens_at } of openedChecks) {
    const [check, next] = await db
      .selectFrom('due_checks')
      .select(['id', 'day', 'opens_at', 'closes_at'])
      .where('checklist_id', '=', checklist_id)
      .where('park', '=', park)
      .where('schedule_id', '=', schedule_id)
      .where('opens_at', '>=', opens_at)
      .orderBy('opens_at')
      .limit(2)
      .execute();
    if (check) await linkSubmission(db, submission, check, next?.opens_at);
  }
}

async function linkSubmission(
  db: Database,
  { checklist_id, park }: AnsweringSubmission,
  check: { id: string; day: string; opens_at: string; closes_at: string },
  nextOpensAt: string | undefined,
): Promise<void> {
  const submissions = await db
    .selectFrom('submissions')
    .selectAll()
    .where('checklist_id', '=', checklist_id)
    .where('park', '=', park)
    .where('deletion_id', 'is', null)
    .where('submitted_at', '>=', check.opens_at)
    .$if(nextOpensAt !== undefined, (qb) =>
      // A submission may arrive up to a day after it was filled in, so submissions after the window
      // count too.
      qb.where('submitted_at', '<=', new Date(Date.parse(nextOpensAt ?? '') + dayMs).toISOString()),
    )
    .execute();
  const filledIn = submissions.map((row) => ({
    id: row.id,
    receivedAt: row.submitted_at,
    capturedAt: row.captured_at,
    failures: countFailures(row),
  }));
  const occurrence = { day: check.day, opensAt: check.opens_at, closesAt: check.closes_at };
  const state = getCheckState(occurrence, nextOpensAt, filledIn, '9999');
  const answer = 'submissionId' in state ? filledIn.find(({ id }) => id === state.submissionId) : undefined;
  await db
    .updateTable('due_checks')
    .set({
      submission_id: answer?.id ?? null,
      filled_in_at: answer ? getFilledInAt(answer) : null,
      received_at: answer?.receivedAt ?? null,
      failures: answer?.failures ?? 0,
    })
    .where('id', '=', check.id)
    .execute();
}

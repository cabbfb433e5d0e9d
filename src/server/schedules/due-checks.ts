// The checks that schedules make due: rows that are inserted in advance, and linked to the
// submission that fulfils each.
import { getToday } from '#shared/dates.ts';
import { assignSubmissions, getFilledInAt } from '#shared/schedules/check-state.ts';
import { expandSchedule, type Occurrence, toRule } from '#shared/schedules/expand-schedule.ts';
import { fromDayNumber, toDayNumber } from '#shared/schedules/park-time.ts';
import type { Window } from '#shared/schedules/schedules.ts';
import { serverActor } from '../db/activity-log.ts';
import type { Database, Tables } from '../db/schema.ts';
import { writeTransaction } from '../db/write-transaction.ts';
import { newId } from '../ids.ts';

/** Checks are inserted this many days ahead, so that they exist even after a downtime. */
const daysAhead = 21;
const dayMs = 24 * 60 * 60_000;
const rowsPerInsert = 400;

export type StoredSchedule = ReturnType<typeof parseSchedule<Tables['schedules']>>;

/** Parses the columns of a schedule that are lists. */
export const parseSchedule = <Row extends Pick<Tables['schedules'], 'parks' | 'more_windows'>>(row: Row) => ({
  ...row,
  parks: JSON.parse(row.parks) as string[],
  more_windows: JSON.parse(row.more_windows) as Window[],
});

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
      // `written_until` is later than `until` if the schedule was changed while the clock was ahead.
      .where('schedules.written_until', isClockTrusted ? '<>' : '<', until)
      .execute();
  if ((await listIncomplete(db)).length === 0) return;
  await writeTransaction(db, serverActor, now, async (db) => {
    const schedules = (await listIncomplete(db)).map(parseSchedule);
    // A window that opened yesterday may still be open after midnight.
    const yesterday = fromDayNumber(today - 1);
    const [earliest = until] = [yesterday, ...schedules.map(({ written_until }) => written_until)].sort();
    const closedDays = await findClosedDays(db, earliest, until);
    for (const schedule of schedules) {
      const shared = { now, until, closedDays, parks: schedule.parks };
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

const setWrittenUntil = (db: Database, { id }: StoredSchedule, until: string) =>
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
  const isAffected = ({ id, checklist_id }: StoredSchedule) =>
    'park' in condition ||
    ('schedule_id' in condition ? id === condition.schedule_id : checklist_id === condition.checklist_id);
  const schedules = (await selectActiveSchedules(db).execute()).map(parseSchedule);
  for (const schedule of schedules.filter(isAffected)) {
    const parks = schedule.parks.filter((park) => !('park' in condition) || park === condition.park);
    await insertChecks(db, schedule, { now, from, until, closedDays, parks, isWanted: isStillOpen(now) });
    await setWrittenUntil(db, schedule, until);
  }
}

type InsertOptions = {
  now: Date;
  from: string;
  until: string;
  closedDays: Map<string, Set<string>>;
  parks: string[];
  isWanted(occurrence: Occurrence): boolean;
};

async function insertChecks(
  db: Database,
  schedule: StoredSchedule,
  { now, from, until, closedDays: closed, parks, isWanted }: InsertOptions,
) {
  const rule = toRule(schedule);
  const existing = await db
    .selectFrom('due_checks')
    .select(['park', 'day', 'opens_at', 'closes_at'])
    .where('schedule_id', '=', schedule.id)
    .where('day', '>=', from)
    .where('day', '<=', until)
    .execute();
  const rows = parks.flatMap((park) => {
    const occurrences = expandSchedule(rule, from, until, closed.get(park));
    // A window that was moved while its check was due makes no second check due.
    const moved = existing.filter(
      (check) => check.park === park && !occurrences.some(({ opensAt }) => opensAt === check.opens_at),
    );
    return occurrences
      .filter(isWanted)
      .filter(
        ({ day, opensAt, closesAt }) =>
          !moved.some((check) => check.day === day && check.opens_at < closesAt && opensAt < check.closes_at),
      )
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
      }));
  });
  for (let start = 0; start < rows.length; start += rowsPerInsert)
    await db
      .insertInto('due_checks')
      .values(rows.slice(start, start + rowsPerInsert))
      .onConflict((conflict) => conflict.columns(['schedule_id', 'park', 'day', 'opens_at']).doNothing())
      .execute();
  // A submission may have answered a check before its row existed.
  const openedAt = rows.map(({ opens_at }) => opens_at).filter((opensAt) => opensAt <= now.toISOString());
  const [first, last] = [openedAt.toSorted()[0], openedAt.toSorted().at(-1)];
  if (first) for (const park of parks) await linkSubmissions(db, { ...schedule, park }, first, last);
}

type AnsweringSubmission = { checklist_id: string; park: string; submitted_at: string; captured_at: string | null };

/** After a submission was added or deleted, links the checks to the submissions that answer them. */
export const updateAnsweredChecks = (db: Database, submission: AnsweringSubmission): Promise<void> =>
  linkSubmissions(
    db,
    submission,
    getFilledInAt({ receivedAt: submission.submitted_at, capturedAt: submission.captured_at }),
  );

const shiftInstant = (instant: string, days: number) => new Date(Date.parse(instant) + days * dayMs).toISOString();

/**
 * Links the checks of a checklist at a park to its submissions, as far as these were filled in
 * between `from` and three days after `to`: a submission changes what later ones of its day answer,
 * and, by a window over midnight, of the next day.
 */
async function linkSubmissions(
  db: Database,
  { checklist_id, park }: Pick<AnsweringSubmission, 'checklist_id' | 'park'>,
  from: string,
  to = from,
): Promise<void> {
  const end = shiftInstant(to, 3);
  const isInRange = (at: string) => from <= at && at < end;
  const checks = await db
    .selectFrom('due_checks')
    .select(['id', 'opens_at', 'closes_at', 'submission_id', 'filled_in_at'])
    .where('checklist_id', '=', checklist_id)
    .where('park', '=', park)
    // A window is at most a day long, and a late submission counts on the day when it closed.
    .where('opens_at', '>', shiftInstant(from, -3))
    .where('opens_at', '<', end)
    .execute();
  if (checks.length === 0) return;
  const submissions = await db
    .selectFrom('submissions')
    .select(['id', 'submitted_at as receivedAt', 'captured_at as capturedAt', 'failures'])
    .where('checklist_id', '=', checklist_id)
    .where('park', '=', park)
    .where('deletion_id', 'is', null)
    .where('submitted_at', '>=', from)
    // A submission may arrive up to a day after it was filled in.
    .where('submitted_at', '<=', shiftInstant(end, 1))
    .execute();
  const answers = assignSubmissions(
    checks.map(({ id, opens_at, closes_at, filled_in_at }) => ({
      ...{ id, opensAt: opens_at, closesAt: closes_at },
      isAnswered: filled_in_at !== null && !isInRange(filled_in_at),
    })),
    submissions.filter((submission) => isInRange(getFilledInAt(submission))),
  );
  for (const { id, submission_id, filled_in_at } of checks) {
    const answer = answers.get(id);
    if (submission_id === (answer?.id ?? null) || (filled_in_at !== null && !isInRange(filled_in_at))) continue;
    await db
      .updateTable('due_checks')
      .set({
        submission_id: answer?.id ?? null,
        filled_in_at: answer ? getFilledInAt(answer) : null,
        received_at: answer?.receivedAt ?? null,
        failures: answer?.failures ?? 0,
      })
      .where('id', '=', id)
      .execute();
  }
}

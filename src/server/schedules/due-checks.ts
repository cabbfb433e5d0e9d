// The checks that schedules make due: rows that are inserted in advance.
import { sql } from 'kysely';
import { addDays } from '#shared/calendar.ts';
import { getToday } from '#shared/dates.ts';
import { listParks } from '#shared/park-list.ts';
import { expandSchedule, type Occurrence, toRule } from '#shared/schedules/expand-schedule.ts';
import { serverActor } from '../db/activity-log.ts';
import { splitList } from '../db/queries.ts';
import type { Database } from '../db/schema.ts';
import { afterCommit, writeTransaction } from '../db/write-transaction.ts';
import { nextSlice } from '../event-loop.ts';
import { newId } from '../ids.ts';
import { linkToInsertedChecks } from './link-submissions.ts';
import { type CheckedPlace, listCheckedPlaces } from './schedule-places.ts';
import { findClosedDays, parseSchedule, type StoredSchedule, selectActiveSchedules } from './stored-schedules.ts';

/** Checks are inserted this many days ahead, so that they exist even after a downtime. */
const daysAhead = 21;
const rowsPerInsert = 400;
/** A change writes at most this many rows in its own transaction; the rest follow in the background. */
const maxRowsAtOnce = 2500;
const rowsPerSlice = 400;

/**
 * Inserts the checks of the coming days, and of days missed while the server was stopped, in slices. Every
 * instance computes the same rows; the first to insert one wins. If the clock may be wrong
 * (`isClockTrusted`), it inserts only checks that can still be filled in, and again an hour later:
 * a wrong clock then adds no missed checks, and a long stop delays no check.
 */
export async function insertComingChecks(db: Database, now: Date, { isClockTrusted = true } = {}): Promise<void> {
  await writeChangedChecks(db, now, { isClockTrusted });
  const today = getToday(now);
  const until = addDays(today, daysAhead);
  const schedules = await selectActiveSchedules(db)
    // `written_until` is later than `until` if the schedule was changed while the clock was ahead.
    .where('schedules.written_until', isClockTrusted ? '<>' : '<', until)
    .where('changed_at', 'is', null)
    .execute();
  for (const schedule of schedules.map(parseSchedule)) {
    const isExtended = isClockTrusted && schedule.written_until < until;
    // A window that opened yesterday may still be open after midnight.
    const from = isExtended ? addDays(schedule.written_until, 1) : addDays(today, -1);
    const closedDays = await findClosedDays(db, from, until);
    const isWanted = isExtended ? () => true : isOpenAfter(now.toISOString());
    const options = { now, from, until, closedDays, isWanted };
    const areWritten = await writeSlices(db, schedule, now, options, (db, places) =>
      insertChecks(db, schedule, places, options),
    );
    if (isExtended && areWritten)
      await writeTransaction(db, serverActor, now, async (db) => {
        if (await isAtChange(db, schedule)) await setWrittenUntil(db, schedule, until);
      });
  }
}

const isOpenAfter =
  (instant: string) =>
  ({ closesAt }: Occurrence) =>
    closesAt > instant;

/**
 * Runs `write` for all that a schedule checks, each time for as many places as have about `rowsPerSlice` rows, in a
 * transaction of its own. Returns false as soon as the schedule was changed.
 */
async function writeSlices(
  db: Database,
  schedule: StoredSchedule,
  now: Date,
  range: { from: string; until: string },
  write: (db: Database, places: CheckedPlace[]) => Promise<unknown>,
): Promise<boolean> {
  const places = await listPlacesToWrite(db, schedule);
  const placesPerSlice = Math.ceil(rowsPerSlice / Math.max(1, countOccurrences(schedule, range)));
  for (const some of splitList(places, placesPerSlice)) {
    await nextSlice();
    const isUnchanged = await writeTransaction(db, serverActor, now, async (db) => {
      if (!(await isAtChange(db, schedule))) return false;
      await write(db, some);
      return true;
    });
    if (!isUnchanged) return false;
  }
  return true;
}

const countOccurrences = (schedule: StoredSchedule, { from, until }: { from: string; until: string }) =>
  expandSchedule(toRule(schedule), from, until).length;

const isAtChange = async (db: Database, { id, changes }: StoredSchedule) =>
  (await db.selectFrom('schedules').select('changes').where('id', '=', id).executeTakeFirst())?.changes === changes;

const setWrittenUntil = (db: Database, { id }: StoredSchedule, until: string) =>
  db
    .updateTable('schedules')
    .set({ written_until: until })
    .where('id', '=', id)
    .where('written_until', '<', until)
    .execute();

/** What was changed; `places` limits it to these places of the park. */
type Change = { schedule_id: string } | { checklist_id: string } | { park: string; places?: string[] };
type Scope = { park?: string | undefined; places?: string[] | undefined };

const isInScope = ({ park, places }: Scope, { park: ofPark, place_id }: Pick<CheckedPlace, 'park' | 'place_id'>) =>
  (park === undefined || park === ofPark) && (places === undefined || places.includes(place_id));

/**
 * After a change, makes the coming checks of these schedules those of their rules, including a missing one whose window is
 * open. Checks whose window has opened stay. Many rows follow in the background: `changed_at` says since when they are
 * missing, so that none is lost if the server stops before.
 */
export async function updateComingChecks(db: Database, change: Change, now: Date): Promise<void> {
  const scope: Scope = 'park' in change ? change : {};
  const rows = await db
    .selectFrom('schedules')
    .selectAll()
    .$if('schedule_id' in change, (qb) => qb.where('id', '=', (change as { schedule_id: string }).schedule_id))
    .$if('checklist_id' in change, (qb) =>
      qb.where('checklist_id', '=', (change as { checklist_id: string }).checklist_id),
    )
    .$if(!('schedule_id' in change), (qb) => qb.where('ended_at', 'is', null))
    .execute();
  const schedules = rows
    .map(parseSchedule)
    .filter(({ parks }) => scope.park === undefined || parks.includes(scope.park));
  const until = addDays(getToday(now), daysAhead);
  let rowsLeft = maxRowsAtOnce;
  for (const schedule of schedules) {
    const places = (await listPlacesToWrite(db, schedule)).filter((place) => isInScope(scope, place));
    const expected = places.length * countOccurrences(schedule, { from: addDays(getToday(now), -1), until });
    const existing = await countUnopened(db, schedule, scope, now.toISOString(), rowsLeft + 1);
    rowsLeft -= Math.max(expected, existing);
    const { id, changes, changed_at } = schedule;
    const isLater = changed_at !== null || rowsLeft < 0;
    // What is being written in slices stops, because it is of the rule before.
    const change = { changes: changes + 1, changed_at: isLater ? (changed_at ?? now.toISOString()) : null };
    await db.updateTable('schedules').set(change).where('id', '=', id).execute();
    if (isLater) {
      afterCommit(db, (db) => writeChangedChecks(db, now).catch(() => undefined)); // tried again every minute
    } else {
      const options = await createOptions(db, now.toISOString(), now);
      await removeOtherChecks(db, schedule, places, { now, scope });
      await replaceChecks(db, schedule, places, options);
      if (scope.park === undefined) await setWrittenUntil(db, schedule, options.until);
    }
  }
}

const runs = new WeakMap<Database, Promise<void>>();
const hourMs = 60 * 60_000;

/**
 * Writes the checks of schedules that were changed, as far as that is not done yet, in slices. Runs one after another. Call
 * it every minute and at the start. If the clock may be wrong, and the change was not in the last hour, it leaves out checks
 * that can no longer be filled in, and does it again later.
 */
export function writeChangedChecks(db: Database, now: Date, { isClockTrusted = true } = {}): Promise<void> {
  const run = (runs.get(db) ?? Promise.resolve())
    .catch(() => undefined)
    .then(() => writeChanged(db, now, isClockTrusted));
  runs.set(db, run);
  return run;
}

async function writeChanged(db: Database, now: Date, isClockRight: boolean): Promise<void> {
  const changed = await db.selectFrom('schedules').selectAll().where('changed_at', 'is not', null).execute();
  for (const schedule of changed.map(parseSchedule)) {
    const { id, changed_at } = schedule;
    const options = await createOptions(db, changed_at ?? '', now);
    const isClockTrusted = isClockRight || Math.abs(now.getTime() - Date.parse(options.since)) < hourMs;
    if (!isClockTrusted) options.isWanted = isOpenAfter(now.toISOString());
    while (
      await writeTransaction(db, serverActor, now, async (inner) => {
        if (!(await isAtChange(inner, schedule))) return false;
        const places = await listPlacesToWrite(inner, schedule);
        return removeOtherChecks(inner, schedule, places, { now, maxRows: rowsPerSlice });
      })
    )
      await nextSlice();
    const isDone = await writeSlices(db, schedule, now, options, (db, places) =>
      replaceChecks(db, schedule, places, options),
    );
    if (!isDone || !isClockTrusted) continue;
    await writeTransaction(db, serverActor, now, async (db) => {
      if (!(await isAtChange(db, schedule))) return;
      await setWrittenUntil(db, schedule, options.until);
      await db.updateTable('schedules').set({ changed_at: null }).where('id', '=', id).execute();
    });
  }
}

type WriteOptions = {
  now: Date;
  /** When it was changed: checks that could be filled in since are inserted. */
  since: string;
  from: string;
  until: string;
  closedDays: Map<string, Set<string>>;
  isWanted(occurrence: Occurrence): boolean;
};

async function createOptions(db: Database, since: string, now: Date): Promise<WriteOptions> {
  // A window that opened yesterday may still be open after midnight.
  const [from, until] = [addDays(getToday(new Date(since)), -1), addDays(getToday(now), daysAhead)];
  return { now, since, from, until, closedDays: await findClosedDays(db, from, until), isWanted: isOpenAfter(since) };
}

/** Returns what the schedule checks; nothing if it has ended or its checklist was deleted. */
async function listPlacesToWrite(db: Database, schedule: StoredSchedule): Promise<CheckedPlace[]> {
  const active = await selectActiveSchedules(db).where('schedules.id', '=', schedule.id).executeTakeFirst();
  return active ? listCheckedPlaces(db, schedule) : [];
}

async function countUnopened(
  db: Database,
  { id }: StoredSchedule,
  { park, places }: Scope,
  after: string,
  max: number,
) {
  const unopened = db
    .selectFrom('due_checks')
    .select('id')
    .where('schedule_id', '=', id)
    .where('opens_at', '>', after)
    .$if(park !== undefined, (qb) => qb.where('park', '=', park ?? ''))
    .$if(places !== undefined, (qb) => qb.where('place_id', 'in', places ?? []))
    .limit(Math.max(0, max));
  return (await unopened.execute()).length;
}

/**
 * Deletes checks that have not opened at places other than those that the schedule checks, as far as they are in the scope:
 * at about `maxRows`. Returns whether there may be more.
 */
async function removeOtherChecks(
  db: Database,
  schedule: StoredSchedule,
  checked: CheckedPlace[],
  { now, scope: { park, places } = {}, maxRows }: { now: Date; scope?: Scope; maxRows?: number },
): Promise<boolean> {
  const at = now.toISOString();
  // Implied by its opening time; with it the rows of one place are found without those of the past. SQLite would look for all
  // rows of the schedule by the opening time if it were a plain column.
  const fromDay = addDays(getToday(now), -1);
  const isUnopened = sql<boolean>`due_checks.schedule_id = ${schedule.id} and due_checks.day >= ${fromDay}
    and due_checks.opens_at || '' > ${at} and due_checks.filled_in_at is null`;
  if (places === undefined) {
    const wholeParks = new Set(checked.filter(({ place_id }) => place_id === '').map((whole) => whole.park));
    const others = (park === undefined ? listParks() : [park]).filter((name) => !wholeParks.has(name));
    if (others.length > 0)
      await deleteChecks(
        db,
        await db
          .selectFrom('due_checks')
          .select('due_checks.id')
          .where(isUnopened)
          .where('due_checks.park', 'in', others)
          .where('due_checks.place_id', '=', '')
          .execute(),
      );
  }
  const ids = new Set(checked.map(({ place_id }) => place_id));
  const candidates = await db
    .selectFrom('places')
    .select(['places.id', 'places.park'])
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('due_checks')
          .select('due_checks.id')
          .where(isUnopened)
          .whereRef('due_checks.park', '=', 'places.park')
          .whereRef('due_checks.place_id', '=', 'places.id'),
      ),
    )
    .$if(park !== undefined, (qb) => qb.where('places.park', '=', park ?? ''))
    .$if(places !== undefined, (qb) => qb.where('places.id', 'in', places ?? []))
    .execute();
  const others = candidates.filter(({ id }) => !ids.has(id));
  const perPlace = Math.max(1, countOccurrences(schedule, { from: fromDay, until: addDays(fromDay, daysAhead + 1) }));
  const removed = others.slice(0, maxRows === undefined ? undefined : Math.ceil(maxRows / perPlace));
  for (const [ofPark, places] of Map.groupBy(removed, (place) => place.park))
    for (const some of splitList(places, rowsPerInsert)) {
      const ids = some.map(({ id }) => id);
      await db
        .deleteFrom('due_checks')
        .where(isUnopened)
        .where('park', '=', ofPark)
        .where('place_id', 'in', ids)
        .execute();
    }
  return removed.length < others.length;
}

async function deleteChecks(db: Database, checks: { id: string }[]): Promise<void> {
  const all = checks.map(({ id }) => id);
  for (const ids of splitList(all, rowsPerInsert)) await db.deleteFrom('due_checks').where('id', 'in', ids).execute();
}

const selectChecksAt = (db: Database, { id }: StoredSchedule, places: CheckedPlace[], from: string) =>
  db
    .selectFrom('due_checks')
    .select(['id', 'park', 'place_id', 'day', 'opens_at', 'closes_at', 'gate', 'filled_in_at'])
    .where('schedule_id', '=', id)
    .where('park', 'in', [...new Set(places.map(({ park }) => park))])
    .where('place_id', 'in', [...new Set(places.map(({ place_id }) => place_id))])
    .where('day', '>=', from)
    .execute();

/** Deletes the checks that have not opened and are not those of the rule, and inserts those that are missing. */
async function replaceChecks(
  db: Database,
  schedule: StoredSchedule,
  places: CheckedPlace[],
  options: WriteOptions,
): Promise<void> {
  if (places.length === 0) return;
  const { now, from, until, closedDays } = options;
  const existing = await selectChecksAt(db, schedule, places, from);
  const byPark = new Map(
    places.map(({ park }) => [park, expandSchedule(toRule(schedule), from, until, closedDays.get(park))]),
  );
  const isOfRule = (check: (typeof existing)[number]) =>
    (check.gate !== '') === (schedule.opens === 1) &&
    byPark.get(check.park)?.some(({ opensAt, closesAt }) => opensAt === check.opens_at && closesAt === check.closes_at);
  await deleteChecks(
    db,
    existing.filter((check) => check.opens_at > now.toISOString() && check.filled_in_at === null && !isOfRule(check)),
  );
  await insertChecks(db, schedule, places, options);
}

async function insertChecks(
  db: Database,
  schedule: StoredSchedule,
  places: CheckedPlace[],
  { now, from, until, closedDays, isWanted }: Omit<WriteOptions, 'since'>,
): Promise<void> {
  if (places.length === 0) return;
  const rule = toRule(schedule);
  const existing = await selectChecksAt(db, schedule, places, from);
  const existingByPlace = Map.groupBy(existing, ({ park, place_id }) => `${park}\n${place_id}`);
  // Ids that begin alike are next to each other in the indexes: random ones would change a page of the file for each row.
  const batch = newId().slice(0, 10);
  const rows = places.flatMap((place) => {
    const { park, place_id, name } = place;
    const occurrences = expandSchedule(rule, from, until, closedDays.get(park));
    const ofPlace = existingByPlace.get(`${park}\n${place_id}`) ?? [];
    const known = new Set(ofPlace.map(({ day, opens_at }) => `${day} ${opens_at}`));
    // A window that was moved while its check was due makes no second check due.
    const moved = ofPlace.filter((check) => !occurrences.some(({ opensAt }) => opensAt === check.opens_at));
    return occurrences
      .filter(isWanted)
      .filter(
        ({ day, opensAt, closesAt }) =>
          !known.has(`${day} ${opensAt}`) &&
          !moved.some((check) => check.day === day && check.opens_at < closesAt && opensAt < check.closes_at),
      )
      .map(({ day, opensAt, closesAt }) => ({
        ...{ id: batch + newId().slice(10), schedule_id: schedule.id, checklist_id: schedule.checklist_id },
        ...{ park, place_id, day, opens_at: opensAt, closes_at: closesAt, gate: schedule.opens === 1 ? name : '' },
        ...{ submission_id: null, filled_in_at: null, received_at: null, failures: 0 },
        ...{ reason: null, reason_by_name: null, reason_at: null },
      }));
  });
  for (const some of splitList(rows, rowsPerInsert))
    await db
      .insertInto('due_checks')
      .values(some)
      .onConflict((conflict) => conflict.columns(['schedule_id', 'park', 'place_id', 'day', 'opens_at']).doNothing())
      .execute();
  // A submission may have answered a check before its row existed.
  const opened = rows.filter(({ opens_at }) => opens_at <= now.toISOString());
  for (const [park, checks] of Map.groupBy(opened, (row) => row.park)) {
    const openedAt = checks.map(({ opens_at }) => opens_at).sort();
    const ids = [...new Set(checks.map(({ place_id }) => place_id))].filter((id) => id !== '');
    const range = { from: openedAt[0] ?? '', to: openedAt.at(-1) ?? '', now };
    await linkToInsertedChecks(db, { ...schedule, park }, ids, range);
  }
}

// Schedules, closed days and checks in the database.
import { type ExpressionBuilder, sql } from 'kysely';
import { canSeePark, type ParkViewer } from '#shared/access.ts';
import { addDays } from '#shared/calendar.ts';
import { getToday } from '#shared/dates.ts';
import {
  type Check,
  type CheckCount,
  type CheckQuery,
  type CheckStateName,
  type Closure,
  getWindows,
  type NewSchedule,
  type Schedule,
  type Window,
} from '#shared/schedules/schedules.ts';
import { pageSize } from '../db/page-size.ts';
import { countRows, readPages } from '../db/queries.ts';
import type { Database, Tables } from '../db/schema.ts';
import { newId } from '../ids.ts';
import { isOfVisiblePark } from '../user-parks.ts';
import { updateComingChecks } from './due-checks.ts';
import { keepClosed } from './readiness.ts';
import { type ChosenPlace, groupChosenPlaces, setChosenPlaces } from './schedule-places.ts';
import { parseSchedule, selectActiveSchedules } from './stored-schedules.ts';

type ScheduleFields = Omit<NewSchedule, 'checklist_id' | 'places' | 'opens' | 'gate' | 'weekday'> & {
  every: number;
  weekdays: number[];
  month: number | null;
  opens: boolean;
  /** The ids of its places; undefined if they stay. */
  places: string[] | undefined;
};

/** Returns the schedules as they are shown, with the places that the viewer sees. */
export async function listSchedules(db: Database, viewer: ParkViewer): Promise<Schedule[]> {
  const rows = await selectActiveSchedules(db)
    .orderBy('checklists.title')
    .orderBy('schedules.opens_at')
    .orderBy('schedules.id')
    .execute();
  const places = await groupChosenPlaces(db);
  return rows.map((row) => toSchedule(row, places.get(row.id) ?? [], viewer));
}

type ScheduleRow = Tables['schedules'] & { checklist_title: string };

/** Returns a schedule as it is shown to a viewer. */
export function toSchedule(
  row: ScheduleRow,
  places: { id: string; park: string; name: string }[],
  viewer: ParkViewer,
): Schedule {
  const seen = places.filter(({ park }) => canSeePark(viewer, park));
  const [first, ...others] = seen;
  const hasOneName = first && others.every(({ name }) => name === first.name);
  const schedule = parseSchedule(row);
  return {
    ...schedule,
    weekday: schedule.weekdays[0] ?? null,
    places: seen.map(({ id }) => id),
    ...(viewer.parks !== null && { other_places: places.length - seen.length }),
    opens: row.opens === 1,
    gate: row.opens === 1 && hasOneName ? first.name : '',
  };
}

export const findSchedule = (db: Database, id: string) =>
  selectActiveSchedules(db).where('schedules.id', '=', id).executeTakeFirst();

/**
 * Returns the columns of a schedule, with the earliest window first. Leaves out weekdays, a month and a day of the
 * month that the repetition does not use.
 */
const toColumns = ({ parks, weekdays, month, month_day, opens, places: _, ...fields }: ScheduleFields) => ({
  ...fields,
  ...toWindowColumns(getWindows(fields)),
  parks: JSON.stringify(parks),
  weekdays: JSON.stringify(fields.repeat === 'weekly' ? weekdays.toSorted() : []),
  month: fields.repeat === 'yearly' ? month : null,
  month_day: fields.repeat === 'monthly' || fields.repeat === 'yearly' ? month_day : null,
  opens: opens ? (1 as const) : (0 as const),
});

const toWindowColumns = ([first, ...more]: Window[]) => ({ ...first, more_windows: JSON.stringify(more) });

type ChangedBy = { user: ParkViewer & { id: string }; now: Date };

export async function insertSchedule(
  db: Database,
  checklist_id: string,
  fields: ScheduleFields,
  { user, now }: ChangedBy,
): Promise<string> {
  const id = newId();
  const row = {
    ...toColumns(fields),
    ...{ id, checklist_id, gate: '', version: 1, changed_at: null, changes: 0 },
    written_until: addDays(getToday(now), -1),
    created_at: now.toISOString(),
    created_by: user.id,
    ended_at: null,
  };
  await keepClosed(db, { schedule: id }, { what: 'A schedule was added', now }, async () => {
    await db.insertInto('schedules').values(row).execute();
    await setChosenPlaces(db, { id, parks: fields.parks, before: [] }, fields.places, user);
    await updateComingChecks(db, { schedule_id: id }, now);
  });
  return id;
}

/** Updates a schedule and its coming checks. `version` and `before` are its version and its chosen places until now. */
export const updateSchedule = (
  db: Database,
  { id, version, before }: { id: string; version: number; before: ChosenPlace[] },
  fields: ScheduleFields,
  { user, now }: ChangedBy,
): Promise<void> =>
  keepClosed(db, { schedule: id }, { what: 'The schedule was changed', now }, async () => {
    await db
      .updateTable('schedules')
      .set({ ...toColumns(fields), version: version + 1 })
      .where('id', '=', id)
      .execute();
    await setChosenPlaces(db, { id, parks: fields.parks, before }, fields.places, user);
    await updateComingChecks(db, { schedule_id: id }, now);
  });

export const endSchedule = (db: Database, id: string, now: Date): Promise<void> =>
  keepClosed(db, { schedule: id }, { what: 'A schedule was ended', now }, async () => {
    await db.updateTable('schedules').set({ ended_at: now.toISOString() }).where('id', '=', id).execute();
    await updateComingChecks(db, { schedule_id: id }, now);
  });

/** Returns closures that users entered and that have not ended, soonest first. */
export const listClosures = (db: Database, now: Date): Promise<Closure[]> =>
  db
    .selectFrom('park_closures')
    .select(['id', 'park', 'starts_on', 'ends_on'])
    .where('ends_on', '>=', getToday(now))
    .where('created_by', 'is not', null)
    .orderBy('starts_on')
    .orderBy('park')
    .execute();

export const findClosure = (db: Database, id: string) =>
  db
    .selectFrom('park_closures')
    .selectAll()
    .where('id', '=', id)
    .where('created_by', 'is not', null)
    .executeTakeFirst();

/** `by` is null if the list of parks says that the park is closed. */
export async function insertClosure(db: Database, closure: Omit<Closure, 'id'>, by: string | null, now: Date) {
  const id = newId();
  const row = { ...closure, id, created_at: now.toISOString(), created_by: by };
  await changeClosures(db, closure.park, now, () => db.insertInto('park_closures').values(row).execute());
  return id;
}

export const deleteClosure = (db: Database, { id, park }: Pick<Closure, 'id' | 'park'>, now: Date) =>
  changeClosures(db, park, now, () => db.deleteFrom('park_closures').where('id', '=', id).execute());

/** Ends a closure on the day before; one of today is deleted. */
export async function endClosure(db: Database, closure: Closure, now: Date): Promise<void> {
  const ends_on = addDays(getToday(now), -1);
  if (ends_on < closure.starts_on) return deleteClosure(db, closure, now);
  await changeClosures(db, closure.park, now, () =>
    db.updateTable('park_closures').set({ ends_on }).where('id', '=', closure.id).execute(),
  );
}

const changeClosures = (db: Database, park: string, now: Date, change: () => Promise<unknown>) =>
  keepClosed(db, { park }, { what: 'The closed days of the park were changed', now }, async () => {
    await change();
    await updateComingChecks(db, { park }, now);
  });

type StoredAnswer = Pick<Tables['due_checks'], 'opens_at' | 'closes_at' | 'filled_in_at' | 'failures'>;

/** Returns the state of a stored check, which depends on its linked submission and the time. */
export function getCheckState(
  { opens_at, closes_at, filled_in_at, failures }: StoredAnswer,
  now: string,
): CheckStateName {
  if (filled_in_at === null) return now < opens_at ? 'upcoming' : now < closes_at ? 'due' : 'missed';
  if (filled_in_at >= closes_at) return 'late';
  return failures > 0 ? 'doneWithFailures' : 'done';
}

/** The reason of a check that was missed because its place was retired. */
export const placeRetired = 'Place retired';
const isMissedByRetirement = ({ retired_at, closes_at }: Pick<CheckRow, 'retired_at' | 'closes_at'>) =>
  retired_at !== null && retired_at < closes_at;

/** The condition for checks that count: not those that were missed because their place was retired. */
export const isCounted = sql<boolean>`(due_checks.filled_in_at is not null or not (
  coalesce(due_checks.reason, '') = ${placeRetired}
  or exists (select 1 from places where places.id = due_checks.place_id and retired_at < due_checks.closes_at)))`;

/** The condition for checks that are in a state now. */
export const isInState = (state: CheckStateName, now: string) => (eb: ExpressionBuilder<Tables, 'due_checks'>) => {
  const isNotFilledIn = eb('due_checks.filled_in_at', 'is', null);
  const isOnTime = eb('due_checks.filled_in_at', '<', eb.ref('due_checks.closes_at'));
  const conditions = {
    upcoming: [isNotFilledIn, eb('due_checks.opens_at', '>', now)],
    due: [isNotFilledIn, eb('due_checks.opens_at', '<=', now), eb('due_checks.closes_at', '>', now)],
    missed: [isNotFilledIn, eb('due_checks.closes_at', '<=', now), isCounted],
    late: [eb('due_checks.filled_in_at', '>=', eb.ref('due_checks.closes_at'))],
    done: [isOnTime, eb('due_checks.failures', '=', 0)],
    doneWithFailures: [isOnTime, eb('due_checks.failures', '>', 0)],
  };
  return eb.and(conditions[state]);
};

const joinChecks = (db: Database) =>
  db
    .selectFrom('due_checks')
    .innerJoin('checklists', 'checklists.id', 'due_checks.checklist_id')
    .leftJoin('submissions', 'submissions.id', 'due_checks.submission_id')
    .leftJoin('places', 'places.id', 'due_checks.place_id');

const selectChecks = (db: Database) =>
  joinChecks(db)
    .selectAll('due_checks')
    .select(['checklists.title as checklist_title', 'submissions.submitted_by_name as filled_in_by'])
    .select(['places.name as place', 'places.retired_at']);

type CheckRow = Tables['due_checks'] & {
  checklist_title: string;
  filled_in_by: string | null;
  place: string | null;
  retired_at: string | null;
};

const toCheck =
  (now: string) =>
  (row: CheckRow): Check => ({
    ...row,
    place_id: row.place_id || null,
    place: row.place ?? '',
    gate: row.gate && (row.place ?? row.gate),
    state: getCheckState(row, now),
    reason: row.reason ?? (getCheckState(row, now) === 'missed' && isMissedByRetirement(row) ? placeRetired : null),
    reason_by: row.reason_by_name,
    is_time_from_device:
      row.filled_in_at !== null && row.filled_in_at < row.closes_at && (row.received_at ?? '') >= row.closes_at,
  });

/** The condition for checks of these parks that have opened today, and those still open. */
const isShownToday = (shown: ParkViewer, now: Date) => {
  const [at, today] = [now.toISOString(), getToday(now)];
  return (eb: ExpressionBuilder<Pick<Tables, 'due_checks' | 'checklists'>, 'due_checks' | 'checklists'>) =>
    eb.and([
      eb('due_checks.day', '>=', addDays(today, -1)),
      eb('due_checks.day', '<=', today),
      eb('due_checks.opens_at', '<=', at),
      eb.or([eb('due_checks.day', '=', today), eb('due_checks.closes_at', '>', at)]),
      eb.or([eb('checklists.deletion_id', 'is', null), eb('due_checks.filled_in_at', 'is not', null)]),
      isOfVisiblePark('due_checks.park', shown),
    ]);
};

/**
 * Returns the checks of these parks today and those still open, soonest first. With `max`, only so many: those that are due
 * first, then those that were missed.
 */
export async function listDueChecks(db: Database, shown: ParkViewer, now: Date, max?: number): Promise<Check[]> {
  const at = now.toISOString();
  const first = joinChecks(db)
    .select('due_checks.id')
    .where(isShownToday(shown, now))
    .orderBy(
      sql`case when due_checks.filled_in_at is not null then 2 when due_checks.closes_at <= ${at} then 1 else 0 end`,
    )
    .orderBy('due_checks.closes_at')
    .orderBy('checklists.title')
    .orderBy('due_checks.park')
    .orderBy('places.name')
    .limit(max ?? 0);
  const rows = await selectChecks(db)
    .$if(max === undefined, (qb) => qb.where(isShownToday(shown, now)))
    .$if(max !== undefined, (qb) => qb.where('due_checks.id', 'in', first))
    .orderBy('due_checks.closes_at')
    .orderBy('checklists.title')
    .orderBy('due_checks.park')
    .orderBy('places.name')
    .execute();
  return rows.map(toCheck(at));
}

/** Counts what `listDueChecks` returns. */
export async function countTodaysChecks(db: Database, shown: ParkViewer, now: Date) {
  const isOpen = sql`due_checks.closes_at > ${now.toISOString()}`;
  const { checks, due, unanswered } = await db
    .selectFrom('due_checks')
    .innerJoin('checklists', 'checklists.id', 'due_checks.checklist_id')
    .select(({ fn }) => fn.countAll<number>().as('checks'))
    .select(sql<number>`count(case when filled_in_at is null and ${isOpen} then 1 end)`.as('due'))
    .select(sql<number>`count(case when filled_in_at is null then 1 end)`.as('unanswered'))
    .where(isShownToday(shown, now))
    .executeTakeFirstOrThrow();
  return { checks, due, missed: unanswered - due };
}

/** Returns how many checks are due in the parks that the viewer sees. */
export async function countDueChecks(db: Database, viewer: ParkViewer, now: Date): Promise<number> {
  const at = now.toISOString();
  return countRows(
    db
      .selectFrom('due_checks')
      .innerJoin('checklists', 'checklists.id', 'due_checks.checklist_id')
      // A window that opened yesterday may still be open.
      .where('due_checks.day', '>=', addDays(getToday(now), -1))
      .where('due_checks.day', '<=', getToday(now))
      .where('due_checks.opens_at', '<=', at)
      .where('due_checks.closes_at', '>', at)
      .where('due_checks.filled_in_at', 'is', null)
      .where('checklists.deletion_id', 'is', null)
      .where(isOfVisiblePark('due_checks.park', viewer)),
  );
}

const maxNextChecks = 3;

/** Returns the next three checks of a place that can still be done, soonest first. */
export async function listNextChecks(
  db: Database,
  { park, id }: { park: string; id: string },
  now: Date,
): Promise<Check[]> {
  const rows = await selectChecks(db)
    .where('due_checks.park', '=', park)
    .where('due_checks.place_id', 'in', ({ selectFrom }) =>
      selectFrom('places as members')
        .select('members.id')
        .where(sql<boolean>`coalesce(members.joined_into, members.id) = ${id}`),
    )
    // A window that opened yesterday may still be open after midnight.
    .where('due_checks.day', '>=', addDays(getToday(now), -1))
    .where('due_checks.closes_at', '>', now.toISOString())
    .where('due_checks.filled_in_at', 'is', null)
    .where('checklists.deletion_id', 'is', null)
    .orderBy('due_checks.opens_at')
    .orderBy('checklists.title')
    .orderBy('places.name')
    .limit(maxNextChecks)
    .execute();
  return rows.map(toCheck(now.toISOString()));
}

/** The condition for checks whose window has opened and that match the filters. */
const matchesQuery =
  ({ park, from, to, state, checklist, settled }: CheckQuery, now: string) =>
  (eb: ExpressionBuilder<Tables, 'due_checks'>) =>
    eb.and([
      eb('due_checks.opens_at', '<=', now),
      ...(park ? [eb('due_checks.park', 'in', park)] : []),
      ...(from ? [eb('due_checks.day', '>=', from)] : []),
      ...(to ? [eb('due_checks.day', '<=', to)] : []),
      ...(state ? [isInState(state, now)(eb)] : []),
      ...(checklist ? [eb('due_checks.checklist_id', '=', checklist)] : []),
      ...(settled
        ? [eb.or([eb('due_checks.filled_in_at', 'is not', null), eb('due_checks.closes_at', '<=', now)]), isCounted]
        : []),
    ]);

/** Returns checks whose window has opened, newest first. */
export async function listChecks(db: Database, query: CheckQuery, now: Date, limit: number): Promise<Check[]> {
  const at = now.toISOString();
  const after = query.after
    ? await db.selectFrom('due_checks').select(['opens_at', 'id']).where('id', '=', query.after).executeTakeFirst()
    : undefined;
  if (query.after && !after) return [];
  const rows = await selectChecks(db)
    .where(matchesQuery(query, at))
    .$if(after !== undefined, (qb) =>
      qb.where(sql<boolean>`(due_checks.opens_at, due_checks.id) < (${after?.opens_at}, ${after?.id})`),
    )
    .orderBy('due_checks.opens_at', 'desc')
    .orderBy('due_checks.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(toCheck(at));
}

const countPlaces = sql<number>`count(distinct nullif(due_checks.place_id, ''))`;

/** Counts checks by checklist, the one with most checks first. */
export async function countChecks(db: Database, query: CheckQuery, now: Date): Promise<CheckCount[]> {
  const rows = await db
    .selectFrom('due_checks')
    .innerJoin('checklists', 'checklists.id', 'due_checks.checklist_id')
    .select(['due_checks.checklist_id', 'checklists.title as checklist_title', 'due_checks.park'])
    .select((eb) => eb.fn.countAll<number>().as('checks'))
    .select(countPlaces.as('places'))
    .where(matchesQuery(query, now.toISOString()))
    .groupBy(['due_checks.checklist_id', 'checklists.title', 'due_checks.park'])
    .orderBy('due_checks.park')
    .execute();
  const { park, from, to } = query;
  const checked = rows.some(({ places }) => places > 0)
    ? await db
        .selectFrom('due_checks')
        .select(['checklist_id', 'park', countPlaces.as('places')])
        .where(matchesQuery({ park, from, to }, now.toISOString()))
        .groupBy(['checklist_id', 'park'])
        .execute()
    : [];
  const all = new Map(checked.map((row) => [`${row.checklist_id} ${row.park}`, row.places]));
  return [...Map.groupBy(rows, ({ checklist_id }) => checklist_id)]
    .map(([checklist_id, parks]) => ({
      checklist_id,
      checklist_title: parks[0]?.checklist_title ?? '',
      checks: parks.reduce((sum, { checks }) => sum + checks, 0),
      parks: parks.map(({ park, checks, places }) => ({
        ...{ park, checks },
        ...(places > 0 && { places: { count: places, of: all.get(`${checklist_id} ${park}`) ?? places } }),
      })),
    }))
    .sort((a, b) => b.checks - a.checks || (a.checklist_title < b.checklist_title ? -1 : 1));
}

/** Yields the checks that match the filters, newest first, page by page. */
export const readCheckPages = (db: Database, query: CheckQuery, now: Date) =>
  readPages<Check>((last) => listChecks(db, { ...query, after: last?.id }, now, pageSize));

/** Returns a check if its window has opened. */
export async function findCheck(db: Database, id: string, now: Date): Promise<Check | undefined> {
  const at = now.toISOString();
  const row = await selectChecks(db)
    .where('due_checks.id', '=', id)
    .where('due_checks.opens_at', '<=', at)
    .executeTakeFirst();
  return row && toCheck(at)(row);
}

export async function setReason(db: Database, id: string, reason: string, by: string, now: Date): Promise<void> {
  await db
    .updateTable('due_checks')
    .set({ reason, reason_by_name: by, reason_at: now.toISOString() })
    .where('id', '=', id)
    .execute();
}

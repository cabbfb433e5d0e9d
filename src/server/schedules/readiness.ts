// Reads the facts from which shared/schedules/readiness.ts says which places are ready to open, and keeps places closed that
// a change would have made ready.
import { sql } from 'kysely';
import { canSeePark, type ParkViewer, type Viewer } from '#shared/access.ts';
import { addDays } from '#shared/calendar.ts';
import { getToday } from '#shared/dates.ts';
import { type Occurrence, type ScheduleRule, toRule } from '#shared/schedules/expand-schedule.ts';
import {
  type CheckAgain,
  getOpenWindow,
  getReadiness,
  getState,
  type JudgedSubmission,
  type OpeningSchedule,
} from '#shared/schedules/readiness.ts';
import { isNotReady, type Readiness } from '#shared/schedules/schedules.ts';
import { getCounter } from '../db/counters.ts';
import { splitList } from '../db/queries.ts';
import type { Database } from '../db/schema.ts';
import { isOfVisiblePark } from '../user-parks.ts';
import { findClosedDays, parseSchedule, type StoredSchedule } from './stored-schedules.ts';

/** Which places to read: all of these parks, or some by id. */
type Scope = { parks: ParkViewer['parks']; places?: string[]; checklist?: string; schedule?: string };

/** Even a closure of a year ends within this time. */
const daysToLookAhead = 370;

type OpenedPlace = {
  park: string;
  place_id: string;
  name: string;
  isRetired: boolean;
  /** Those in force: none if all have ended. */
  schedules: (OpeningSchedule & { id: string; title: string })[];
  again: CheckAgain[];
  closedDays: ReadonlySet<string>;
};

/**
 * Returns for each place at the `shown` parks whether its scheduled checks say that it may open, sorted by park
 * and place; with `place`, only for that one. Leaves out the titles of audits that the viewer may not see.
 */
export const listReadiness = async (
  db: Database,
  viewer: Viewer,
  shown: ParkViewer,
  now: Date,
  place?: string,
): Promise<Readiness[]> => describePlaces(db, viewer, await judgePlaces(db, shown, now, place));

/** Counts the places of which `listReadiness` returns all, and returns `max` of them: those that are not ready first. */
export async function listFirstReadiness(db: Database, viewer: Viewer, shown: ParkViewer, now: Date, max: number) {
  const judged = await judgePlaces(db, shown, now);
  const [notReady = [], others = []] = [true, false].map((isWanted) =>
    judged.filter(({ result }) => isNotReady(result) === isWanted),
  );
  const first = new Set([...notReady, ...others].slice(0, max));
  const ready = judged.filter((one) => first.has(one));
  return {
    ready: await describePlaces(db, viewer, ready),
    counts: { ready: judged.length, notReady: notReady.length },
  };
}

/** Returns what the checks of each place say, sorted by park and place. */
async function judgePlaces(db: Database, shown: ParkViewer, now: Date, place?: string) {
  const opened = await readOpenedPlaces(db, { ...shown, ...(place && { places: [place] }) }, now);
  return opened
    .filter(({ isRetired }) => !isRetired)
    .map((one) => ({ one, result: getReadiness(one, now.toISOString()) }))
    .sort((a, b) => compare(a.one.park, b.one.park) || compare(a.one.name, b.one.name));
}

async function describePlaces(
  db: Database,
  viewer: Viewer,
  judged: Awaited<ReturnType<typeof judgePlaces>>,
): Promise<Readiness[]> {
  const failing = judged.flatMap(({ result }) => result.failing);
  const audits = await listAuditTitles(db, viewer, failing);
  return judged.map(({ one, result: { failing, ...result } }) => ({
    ...{ park: one.park, place_id: one.place_id, place: one.name, gate: one.name },
    ...result,
    audits: failing.flatMap((id) => audits.get(id) ?? []),
    checklists: [...new Map(one.schedules.map(({ checklistId: id, title }) => [id, { id, title }])).values()],
  }));
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

const noDays: ReadonlySet<string> = new Set();

type OpeningRow = Pick<StoredSchedule, 'id' | 'checklist_id'> & {
  rule: ScheduleRule;
  title: string;
  isInForce: boolean;
  /** When the last window of its checks opened, of all places; null if none has. */
  lastOpenedAt: string | null;
};

/** Returns the schedules that open places, by id, with those that have ended and those whose checklist was deleted. */
async function listOpeningSchedules(
  db: Database,
  { checklist, schedule }: Scope,
  at: string,
): Promise<Map<string, OpeningRow>> {
  const rows = await db
    .selectFrom('schedules')
    .innerJoin('checklists', 'checklists.id', 'schedules.checklist_id')
    .selectAll('schedules')
    .select(['checklists.title', 'checklists.deletion_id'])
    .select(({ selectFrom }) =>
      selectFrom('due_checks')
        .select('due_checks.opens_at')
        .whereRef('due_checks.schedule_id', '=', 'schedules.id')
        .where('due_checks.opens_at', '<=', at)
        .orderBy('due_checks.opens_at', 'desc')
        .limit(1)
        .as('lastOpenedAt'),
    )
    .where('opens', '=', 1)
    .$if(checklist !== undefined, (qb) => qb.where('checklist_id', '=', checklist ?? ''))
    .$if(schedule !== undefined, (qb) => qb.where('schedules.id', '=', schedule ?? ''))
    .execute();
  return new Map(
    rows.map(({ deletion_id, ...row }) => [
      row.id,
      { ...row, rule: toRule(parseSchedule(row)), isInForce: row.ended_at === null && deletion_id === null },
    ]),
  );
}

const selectChosen = (db: Database, scope: Scope) =>
  db
    .selectFrom('schedule_places')
    .innerJoin('schedules', 'schedules.id', 'schedule_places.schedule_id')
    .innerJoin('places', 'places.id', 'schedule_places.place_id')
    .where('schedules.opens', '=', 1)
    .where(isOfVisiblePark('places.park', scope))
    .$if(scope.places !== undefined, (qb) => qb.where('places.id', 'in', scope.places ?? []))
    .$if(scope.checklist !== undefined, (qb) => qb.where('checklist_id', '=', scope.checklist ?? ''))
    .$if(scope.schedule !== undefined, (qb) => qb.where('schedules.id', '=', scope.schedule ?? ''));

/** Returns the places that schedules open, with the facts about each. */
async function readOpenedPlaces(db: Database, scope: Scope, now: Date): Promise<OpenedPlace[]> {
  const at = now.toISOString();
  const schedules = await listOpeningSchedules(db, scope, at);
  if (schedules.size === 0) return [];
  const rows = await selectChosen(db, scope)
    .select(['schedule_places.schedule_id', 'places.id', 'places.park', 'places.name', 'places.retired_at'])
    .execute();
  const today = at.slice(0, 10);
  const closedDays = await findClosedDays(db, addDays(today, -2), addDays(today, daysToLookAhead));
  const atParks = [...Map.groupBy(rows, ({ schedule_id, park }) => `${schedule_id}${park}`)].flatMap(
    ([key, ofPark]) => {
      const { schedule_id = '', park = '' } = ofPark[0] ?? {};
      const schedule = schedules.get(schedule_id);
      if (!schedule?.isInForce) return [];
      const open = getOpenWindow(schedule.rule, closedDays.get(park) ?? noDays, at);
      return [{ key, schedule, park, open, ids: ofPark.map(({ id }) => id) }];
    },
  );
  const windows = await readLastWindows(db, scope, atParks.filter(mayHaveOpenedLater), now);
  const opened = atParks.map(({ schedule, open, ids, ...rest }) => ({
    ...{ ...rest, schedule },
    places: ids.map((id) => ({ id, opened: windows.get(`${schedule.id} ${id}`) ?? open ?? null })),
  }));
  const submissions = await listSubmissions(db, scope, opened, at);
  // Read last: what changed since the other queries, and would make a place ready, keeps it closed.
  const again = await db
    .selectFrom('passes_needed')
    .select(['place_id', 'checklist_id as checklistId', 'arrival', 'at', 'what'])
    .$if(scope.places !== undefined, (qb) => qb.where('place_id', 'in', scope.places ?? []))
    .execute();
  const againByPlace = Map.groupBy(again, ({ place_id }) => place_id);
  const places = new Map<string, OpenedPlace>();
  for (const { id, park, name, retired_at } of rows)
    if (!places.has(id))
      places.set(id, {
        ...{ park, place_id: id, name, isRetired: retired_at !== null, schedules: [] },
        again: againByPlace.get(id) ?? [],
        closedDays: closedDays.get(park) ?? noDays,
      });
  for (const { schedule, places: ofSchedule } of opened)
    for (const { id, opened } of ofSchedule)
      places.get(id)?.schedules.push({
        ...{ id: schedule.id, title: schedule.title, checklistId: schedule.checklist_id, rule: schedule.rule, opened },
        submissions: submissions.get(`${schedule.checklist_id}\n${id}`) ?? [],
      });
  return [...places.values()];
}

/** Whether a check may have opened later than the window that is open by the rule, or there is no such window. */
const mayHaveOpenedLater = ({ schedule, open }: { schedule: OpeningRow; open: Occurrence | undefined }) =>
  schedule.lastOpenedAt !== null && !(open && schedule.lastOpenedAt <= open.opensAt);

type Opened = NonNullable<OpeningSchedule['opened']>;

type AtPark = { key: string; schedule: OpeningRow; ids: string[] };

/** Returns the window of the last check that has opened, by schedule and place, of these schedules and parks. */
async function readLastWindows(db: Database, scope: Scope, atParks: AtPark[], now: Date): Promise<Map<string, Opened>> {
  // Most places have a check of the schedule's last window. Of all parks, reading these takes a third of looking for each.
  const isOfAll = scope.parks === null && scope.places === undefined;
  const found = isOfAll ? await readLatestChecks(db, [...new Set(atParks.map(({ schedule }) => schedule))]) : new Map();
  const missing = atParks.filter(({ schedule, ids }) => ids.some((id) => !found.has(`${schedule.id} ${id}`)));
  if (missing.length === 0) return found;
  const keys = missing.map(({ key }) => key);
  const rows = await selectChosen(db, scope)
    // Until the next window, the checks of places that were joined into it count too. SQLite uses the index of the expression
    // only if what it is compared with is no plain column.
    .innerJoin('places as members', (join) =>
      join.on(sql<boolean>`coalesce(members.joined_into, members.id) = schedule_places.place_id || ''`),
    )
    .select(['schedule_places.schedule_id', 'places.id'])
    .select(({ selectFrom }) =>
      selectFrom('due_checks')
        .select(sql<string>`opens_at || ' ' || closes_at`.as('window'))
        .whereRef('due_checks.schedule_id', '=', 'schedule_places.schedule_id')
        .whereRef('due_checks.park', '=', 'places.park')
        .whereRef('due_checks.place_id', '=', 'members.id')
        // Implied by the next condition; with it SQLite reads one row, not all of the schedule.
        .where('day', '<=', getToday(now))
        .where('opens_at', '<=', now.toISOString())
        .orderBy('day', 'desc')
        .orderBy('opens_at', 'desc')
        .limit(1)
        .as('window'),
    )
    .where(sql`schedule_places.schedule_id || places.park`, 'in', keys)
    .execute();
  for (const { schedule_id, id, window } of rows) {
    const [opensAt = '', closesAt = ''] = window?.split(' ') ?? [];
    const key = `${schedule_id} ${id}`;
    if (opensAt > (found.get(key)?.opensAt ?? '')) found.set(key, { opensAt, closesAt });
  }
  return found;
}

/** Returns the windows of the checks that opened last, of all of a schedule's, by schedule and place. */
async function readLatestChecks(db: Database, schedules: OpeningRow[]): Promise<Map<string, Opened>> {
  if (schedules.length === 0) return new Map();
  const last = schedules.map(({ id, lastOpenedAt }) => sql`(${id}, ${lastOpenedAt})`);
  const rows = await db
    .selectFrom('due_checks')
    .select(['schedule_id', 'place_id', 'opens_at', 'closes_at'])
    .where(sql<boolean>`(schedule_id, opens_at) in (values ${sql.join(last)})`)
    .execute();
  return new Map(
    rows.map((row) => [`${row.schedule_id} ${row.place_id}`, { opensAt: row.opens_at, closesAt: row.closes_at }]),
  );
}

/** Returns the submissions since the last windows opened, by checklist and place. */
async function listSubmissions(
  db: Database,
  { places }: Scope,
  opened: { schedule: OpeningRow; park: string; places: { opened: Opened | null }[] }[],
  now: string,
): Promise<Map<string, JudgedSubmission[]>> {
  const found = new Map<string, JudgedSubmission[]>();
  // A check that is not inserted yet opened yesterday at the earliest.
  const earliest = new Date(Date.parse(now) - 2 * 24 * 60 * 60_000).toISOString();
  for (const [checklistId, ofChecklist] of Map.groupBy(opened, ({ schedule }) => schedule.checklist_id)) {
    const since = ofChecklist.flatMap(({ places }) => places.map(({ opened }) => opened?.opensAt ?? earliest));
    const from = since.reduce((first, one) => (one < first ? one : first), now);
    const submissions = await db
      .selectFrom('submissions')
      .innerJoin('place_links', 'place_links.thing_id', 'submissions.id')
      .select(['submissions.id', 'position', 'submitted_at', 'filled_in_at', 'passed', 'failures', 'place_id'])
      .where('checklist_id', '=', checklistId)
      .where('deletion_id', 'is', null)
      .where('submitted_at', '>=', from)
      .where('park', 'in', [...new Set(ofChecklist.map(({ park }) => park))])
      .$if(places !== undefined, (qb) => qb.where('place_id', 'in', places ?? []))
      .execute();
    for (const { position, submitted_at, filled_in_at, passed, place_id, ...row } of submissions) {
      const key = `${checklistId}\n${place_id}`;
      const judged = {
        ...row,
        arrival: toArrival(position),
        ...{ receivedAt: submitted_at, filledInAt: filled_in_at, hasPassed: passed === 1 },
      };
      const list = found.get(key);
      if (list) list.push(judged);
      else found.set(key, [judged]);
    }
  }
  return found;
}

/** The number of a submission among all, from its position (db/position.ts). */
const toArrival = (position: number) => position % 2 ** 24;

async function listAuditTitles(db: Database, viewer: Viewer, submissions: string[]): Promise<Map<string, string[]>> {
  if (submissions.length === 0) return new Map();
  const audits = await db
    .selectFrom('audits')
    .innerJoin('folders', 'folders.id', 'audits.folder_id')
    .select(['title', 'park', 'source_id'])
    .where('source_id', 'in', submissions)
    .where('completed', '=', 0)
    .where('audits.deletion_id', 'is', null)
    .orderBy('title')
    .execute();
  // The folder may have been moved to another park.
  const visible = audits.filter(({ park }) => canSeePark(viewer, park));
  const bySubmission = Map.groupBy(visible, ({ source_id }) => source_id ?? '');
  return new Map([...bySubmission].map(([id, rows]) => [id, rows.map(({ title }) => title)]));
}

/** What each schedule says about each place: whether it lets it open, which those of retired places never do. */
async function readStates(db: Database, scope: Scope, now: Date) {
  const places = await readOpenedPlaces(db, scope, now);
  return places.flatMap((place) =>
    place.schedules.map((schedule) => {
      const state = getState(schedule, place, now.toISOString());
      return {
        ...{ place: place.place_id, checklist: schedule.checklistId, schedule: schedule.id },
        ...{ isOpened: !place.isRetired && state === 'ready', isKeptClosed: state === 'failing' || state === 'again' },
      };
    }),
  );
}

type States = Awaited<ReturnType<typeof readStates>>;

/**
 * Makes a change that is no new submission. Where a schedule would then let a place open that it kept closed before, the
 * place stays closed until its checklist passes again; where a schedule that kept it closed is gone, until any passes. The
 * same if an earlier pass, which is still to arrive, could let it open: where the change takes a failing answer away, and at
 * places that are joined.
 * `scope` is what the change is about, `what` describes it, and `joinedInto` is the place into which others are joined.
 */
export async function keepClosed<T>(
  db: Database,
  scope: Omit<Scope, 'parks'> & { park?: string },
  { what, joinedInto, now }: { what: string; joinedInto?: string; now: Date },
  change: () => Promise<T>,
): Promise<T> {
  const { park, ...rest } = scope;
  const read = () => readStates(db, { ...rest, parks: park === undefined ? null : [park] }, now);
  const before = (await read()).map((state) => ({ ...state, place: joinedInto ?? state.place }));
  const result = await change();
  const after = await read();
  const closed = before.filter(({ isOpened }) => !isOpened);
  const isClosedBefore = createLookup(closed);
  const isKnownBefore = createLookup(before);
  const isKnownAfter = createLookup(after);
  const isKeptClosedBefore = createLookup(before.filter(({ isKeptClosed }) => isKeptClosed));
  const needed = [
    ...after.filter((one) => one.isOpened && (isClosedBefore(one) || !isKnownBefore(one))),
    ...after.filter(
      (one) => !one.isOpened && isClosedBefore(one) && (joinedInto || (isKeptClosedBefore(one) && !one.isKeptClosed)),
    ),
    ...closed.filter((one) => !isKnownAfter(one)).map((one) => ({ ...one, checklist: '' })),
  ];
  if (needed.length > 0) await insertPassesNeeded(db, needed, what, now);
  return result;
}

/** Returns a function that says whether there is a state of the same place and schedule. */
function createLookup(states: States) {
  const toKey = ({ place, schedule }: States[number]) => `${place} ${schedule}`;
  const keys = new Set(states.map(toKey));
  return (state: States[number]) => keys.has(toKey(state));
}

const rowsPerInsert = 200;

async function insertPassesNeeded(db: Database, states: States, what: string, now: Date): Promise<void> {
  const arrival = await getCounter(db, 'submissions');
  const values = { arrival, at: now.toISOString(), what };
  const unique = new Map(states.map(({ place, checklist }) => [`${place} ${checklist}`, { place, checklist }]));
  const rows = [...unique.values()].map((one) => ({ place_id: one.place, checklist_id: one.checklist, ...values }));
  for (const some of splitList(rows, rowsPerInsert))
    await db
      .insertInto('passes_needed')
      .values(some)
      .onConflict((conflict) => conflict.columns(['place_id', 'checklist_id']).doUpdateSet(values))
      .execute();
}

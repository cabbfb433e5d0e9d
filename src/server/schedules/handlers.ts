// Endpoints of scheduled checks.
import { canSeePark, type Parks, type ParkViewer } from '#shared/access.ts';
import type { Section } from '#shared/checklists.ts';
import { formatDay } from '#shared/dates.ts';
import { canFail } from '#shared/failing-answers.ts';
import { findRepeatProblem, maxDueRows, type NewSchedule, Schedule } from '#shared/schedules/schedules.ts';
import type { LogActivity } from '../db/activity-log.ts';
import { diffFields } from '../db/diff-fields.ts';
import { splitList } from '../db/queries.ts';
import { getReader } from '../db/reader.ts';
import type { Database } from '../db/schema.ts';
import { createFieldError, createStaleError, HttpError, required } from '../errors/http-error.ts';
import type { Handlers } from '../http/handler-context.ts';
import type { SignedInUser } from '../sign-in/session/session.ts';
import { assertShowsParks, isOfVisiblePark } from '../user-parks.ts';
import { listComingChecks } from './coming.ts';
import { listFirstReadiness } from './readiness.ts';
import { findOrCreatePlaces } from './retired-places.ts';
import { type ChosenPlace, listChosenPlaces } from './schedule-places.ts';
import {
  countChecks,
  countTodaysChecks,
  deleteClosure,
  endSchedule,
  findCheck,
  findClosure,
  findSchedule,
  insertClosure,
  insertSchedule,
  listChecks,
  listClosures,
  listDueChecks,
  listSchedules,
  setReason,
  toSchedule,
  updateSchedule,
} from './store.ts';
import { parseSchedule } from './stored-schedules.ts';

export const scheduleHandlers = {
  async listDueChecks({ db, user, query, now }) {
    const shown = { parks: chooseParks(user, query.park) };
    const max = shown.parks?.length === 1 ? undefined : maxDueRows;
    const { ready, counts } = await listFirstReadiness(db, user, shown, now, max ?? Number.POSITIVE_INFINITY);
    return {
      ...{ checks: await listDueChecks(db, shown, now, max), ready },
      counts: { ...(await countTodaysChecks(db, shown, now)), ...counts },
    };
  },

  listComingChecks({ db, user, query: { park }, now }) {
    // Staff of other parks learn nothing of it; reviewers see the checks of all parks.
    if (user.role === 'None' && !canSeePark(user, park)) throw new HttpError(403, 'You cannot see this park');
    return listComingChecks(db, park, now);
  },

  listSchedules: ({ db, user }) => listSchedules(db, user),

  createSchedule: ({ body, user, now, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      const { title } = await requireChecklist(db, body.checklist_id);
      const { checklist_id, gate, places, opens = false, every = 1, month = null, weekday, ...rest } = body;
      const weekdays = rest.weekdays ?? (weekday === null ? [] : [weekday]);
      const chosen = await choosePlaces(db, logActivity, { user, now, parks: rest.parks, places, gate, before: [] });
      const isOpening = opens || (places === undefined && gate !== '');
      const fields = { ...rest, every, weekdays, month, places: chosen, opens: isOpening };
      await assertCanOpen(db, checklist_id, { ...fields, kept: [] });
      const id = await insertSchedule(db, checklist_id, fields, { user, now });
      const changes = describePlaces([], await listChosenPlaces(db, id));
      const hasPlaces = Object.keys(changes).length > 0;
      logActivity({ action: 'created', thing: 'schedule', thing_id: id, label: title, ...(hasPlaces && { changes }) });
      return { success: true, id } as const;
    }),

  updateSchedule: ({ params, body, user, now, knowsParkList, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      const schedule = await requireSchedule(db, params.id);
      const { id, checklist_id, checklist_title: label } = schedule;
      const before = { ...parseSchedule(schedule), opens: schedule.opens === 1 };
      const placesBefore = await listChosenPlaces(db, id);
      const { version = before.version, gate, places, opens, weekday, ...sent } = body;
      const rest = { ...sent, ...chooseRepeat(before, body) };
      // A page of an earlier version does not show which places it changes. With the schedule it would send the same again.
      if (placesBefore.length > 0 && places === undefined)
        throw new HttpError(409, 'This schedule has places. Reload the page to change it.', { code: 'STALE' });
      if (version !== before.version) {
        const current = Schedule.parse(toSchedule(schedule, placesBefore, user));
        throw createStaleError('Someone else has changed this schedule', current);
      }
      const { parks } = rest;
      assertShowsParks({ knowsParkList }, before.parks, parks);
      const chosen = await choosePlaces(db, logActivity, { user, now, parks, places, gate, before: placesBefore });
      const isOpening = opens ?? (before.opens || (places === undefined && gate !== ''));
      const fields = { ...rest, places: chosen, opens: isOpening };
      const kept = placesBefore.filter(({ park }) => chosen === undefined || !canSeePark(user, park));
      await assertCanOpen(db, before.opens ? undefined : checklist_id, { ...fields, kept });
      await updateSchedule(db, { id, version, before: placesBefore }, fields, { user, now });
      const names = Object.keys({ ...rest, opens }) as (keyof typeof rest | 'opens')[];
      const changes = {
        ...diffFields(before, { ...before, ...fields } as never, names),
        ...describePlaces(placesBefore, await listChosenPlaces(db, id)),
      };
      logActivity({ action: 'changed', thing: 'schedule', thing_id: id, label, changes });
    }),

  endSchedule: ({ params, now, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      const { id, checklist_title } = await requireSchedule(db, params.id);
      await endSchedule(db, id, now);
      logActivity({ action: 'ended', thing: 'schedule', thing_id: id, label: checklist_title });
    }),

  listClosures: ({ db, now }) => listClosures(db, now),

  createClosure: ({ body, user, now, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      const id = await insertClosure(db, body, user.id, now);
      logActivity({ action: 'closed', thing: 'park', thing_id: id, label: describeClosure(body) });
      return { success: true, id } as const;
    }),

  deleteClosure: ({ params, now, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      const closure = required(await findClosure(db, params.id), 'These closed days were not found');
      await deleteClosure(db, closure, now);
      logActivity({ action: 'opened again', thing: 'park', thing_id: closure.id, label: describeClosure(closure) });
    }),

  listChecks: ({ db, query, now }) => listChecks(db, query, now, query.limit ?? 500),

  countChecks: ({ query, now, ...services }) => countChecks(getReader(services), query, now),

  explainMissedCheck: ({ params, body, user, now, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      const check = required(await findCheck(db, params.id, now), 'Check not found');
      if (check.state !== 'missed') throw new HttpError(409, 'This check was not missed');
      await setReason(db, check.id, body.reason, user.username, now);
      const place = check.place && `${check.place}, `;
      const label = `${check.checklist_title}, ${place}${check.park}, ${formatDay(check.day)}`;
      logActivity({ action: 'explained', thing: 'check', thing_id: check.id, label, changes: { fields: ['reason'] } });
    }),
} satisfies Partial<Handlers>;

/** Staff see the checks of their parks only. Requested parks limit what is shown to them. */
function chooseParks(user: SignedInUser, requestedParks: string[] = []): Parks {
  const visibleParks = user.role === 'None' ? user.parks : null;
  const chosenParks = requestedParks.filter((park) => canSeePark({ parks: visibleParks }, park));
  return chosenParks.length > 0 ? chosenParks : visibleParks;
}

const describeClosure = ({ park, starts_on, ends_on }: { park: string; starts_on: string; ends_on: string }) =>
  `${park}, ${formatDay(starts_on)}${ends_on === starts_on ? '' : ` to ${formatDay(ends_on)}`}`;

async function requireChecklist(db: Database, id: string) {
  return required(
    await db
      .selectFrom('checklists')
      .select('title')
      .where('id', '=', id)
      .where('deletion_id', 'is', null)
      .executeTakeFirst(),
    'Checklist not found',
  );
}

type StoredRepeat = Pick<NewSchedule, 'repeat' | 'month_day'> & {
  every: number;
  weekdays: number[];
  month: number | null;
};

/**
 * Returns how often a changed schedule is due. What is absent stays as it is. Pages of earlier versions send one weekday,
 * which counts if it is another one than they got. Throws 400 if it does not fit.
 */
function chooseRepeat(before: StoredRepeat, { repeat, month_day, weekday, ...sent }: RepeatChange): StoredRepeat {
  const isSame = weekday === null || weekday === before.weekdays[0];
  const chosen = {
    ...{
      repeat,
      month_day,
      every: sent.every ?? (repeat === before.repeat ? before.every : 1),
      month: sent.month ?? before.month,
    },
    weekdays: sent.weekdays ?? (isSame ? before.weekdays : [weekday]),
  };
  const problem = findRepeatProblem(chosen);
  if (problem) throw createFieldError(problem.path, problem.message);
  return chosen;
}

type RepeatChange = Pick<NewSchedule, 'repeat' | 'month_day' | 'weekday' | 'weekdays' | 'every' | 'month'>;

type PlaceChoice = {
  user: ParkViewer & { username: string };
  now: Date;
  parks: string[];
  places: string[] | undefined;
  gate: string;
  before: ChosenPlace[];
};

/**
 * Returns the ids of the places that a request chooses, for a joined one that of the place into which it was joined; undefined
 * if they stay. Pages of earlier versions send the name of a place at each park. Throws 400 for a place that the user cannot
 * choose.
 */
async function choosePlaces(
  db: Database,
  logActivity: LogActivity,
  { user, now, parks, places, gate, before }: PlaceChoice,
): Promise<string[] | undefined> {
  const lost = before.find(({ park }) => !parks.includes(park) && !canSeePark(user, park));
  if (lost) throw createFieldError('parks', `You cannot take out ${lost.park}, because its places are checked`);
  if (places === undefined) {
    if (gate === '') return undefined;
    if (!parks.every((park) => canSeePark(user, park))) throw createFieldError('gate', 'Choose parks that you see');
    return findOrCreatePlaces(db, parks, gate, { by: user.username, now }, ({ id, name }, isNew) => {
      const changes = { isRetired: { from: true, to: false } };
      const entry = { action: isNew ? 'added' : 'changed', thing: 'place', thing_id: id, label: name } as const;
      logActivity({ ...entry, ...(!isNew && { changes }) });
    });
  }
  const rows = await db
    .selectFrom('places')
    .select(['id', 'park', 'joined_into'])
    .where(isOfVisiblePark('park', user))
    .execute();
  const known = new Map(rows.map((place) => [place.id, { id: place.joined_into ?? place.id, park: place.park }]));
  const wasChosen = new Set(before.map(({ id }) => id));
  const chosen = new Set<string>();
  for (const sent of places) {
    const place = known.get(sent);
    if (place && parks.includes(place.park)) chosen.add(place.id);
    // The places of a park that was taken out go with it.
    else if (!place || !wasChosen.has(place.id)) throw createFieldError('places', 'Choose places of these parks');
  }
  return [...chosen];
}

/**
 * Throws 400 if a schedule that opens places has a park without any, or a checklist of which no answer can fail; that is not
 * checked without `checklistId`.
 */
async function assertCanOpen(
  db: Database,
  checklistId: string | undefined,
  {
    opens,
    parks,
    places = [],
    kept,
  }: { opens: boolean; parks: string[]; places: string[] | undefined; kept: ChosenPlace[] },
): Promise<void> {
  if (!opens) return;
  const parksOfPlaces = new Set(kept.map(({ park }) => park));
  for (const ids of splitList(places, idsPerQuery)) {
    const rows = await db.selectFrom('places').select('park').distinct().where('id', 'in', ids).execute();
    for (const { park } of rows) parksOfPlaces.add(park);
  }
  if (!parks.every((park) => parksOfPlaces.has(park)))
    throw createFieldError('places', 'Choose at least one place at each park');
  if (checklistId === undefined) return;
  const version = await db
    .selectFrom('checklists')
    .innerJoin('checklist_versions', (join) =>
      join
        .onRef('checklist_versions.checklist_id', '=', 'checklists.id')
        .onRef('checklist_versions.version', '=', 'checklists.version'),
    )
    .select('sections')
    .where('checklists.id', '=', checklistId)
    .executeTakeFirst();
  const sections = JSON.parse(version?.sections ?? '[]') as Section[];
  if (!sections.some(canFail))
    throw createFieldError('opens', 'This checklist has no question that can fail, so it cannot say what may open');
}

const idsPerQuery = 1000;
const maxLoggedPlaces = 50;

/** Returns the places added to a schedule and those removed, for the log. */
function describePlaces(before: ChosenPlace[], after: ChosenPlace[]): Record<string, string[]> {
  const without = (places: ChosenPlace[], others: ChosenPlace[]) => {
    const ids = new Set(others.map(({ id }) => id));
    const names = places.filter(({ id }) => !ids.has(id)).map(({ name, park }) => `${name}, ${park}`);
    const more = names.length - maxLoggedPlaces;
    return more > 0 ? [...names.slice(0, maxLoggedPlaces), `${more} more`] : names;
  };
  const changes = { 'places added': without(after, before), 'places removed': without(before, after) };
  return Object.fromEntries(Object.entries(changes).filter(([, names]) => names.length > 0));
}

const requireSchedule = async (db: Database, id: string) => required(await findSchedule(db, id), 'Schedule not found');

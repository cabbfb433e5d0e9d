// Endpoints of scheduled checks.
import { canSeePark, type Parks, type ParkViewer } from '#shared/access.ts';
import { formatDay } from '#shared/dates.ts';
import { successReply } from '#shared/replies.ts';
import { type Check, type DueChecks, maxDueRows, type Readiness, Schedule } from '#shared/schedules/schedules.ts';
import type { SignedInUser } from '../auth/session.ts';
import { diffFields } from '../db/diff-fields.ts';
import { getReader } from '../db/reader.ts';
import type { Database } from '../db/schema.ts';
import { isOfVisiblePark } from '../db/user-parks.ts';
import { HttpError } from '../errors/http-error.ts';
import type { Handlers } from '../http/handler-context.ts';
import { parseSchedule } from './due-checks.ts';
import { listReadiness } from './readiness.ts';
import {
  countChecks,
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

type ScheduleEndpoints =
  | 'listDueChecks'
  | 'listSchedules'
  | 'createSchedule'
  | 'updateSchedule'
  | 'endSchedule'
  | 'listClosures'
  | 'createClosure'
  | 'deleteClosure'
  | 'listChecks'
  | 'countChecks'
  | 'explainMissedCheck';

export const scheduleHandlers: Pick<Handlers, ScheduleEndpoints> = {
  async listDueChecks({ db, user, query, now }) {
    const shown = { parks: chooseParks(user, query.park) };
    return toDueChecks(shown, await listDueChecks(db, shown, now), await listReadiness(db, user, shown, now));
  },

  listSchedules: ({ db }) => listSchedules(db),

  createSchedule: ({ body, user, now, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      const { title } = await requireChecklist(db, body.checklist_id);
      await requirePlaces(db, user, body);
      const id = await insertSchedule(db, body, user.id, now);
      logActivity({ action: 'created', thing: 'schedule', thing_id: id, label: title });
      return { success: true, id } as const;
    }),

  updateSchedule: ({ params, body, user, now, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      const schedule = await requireSchedule(db, params.id);
      await requirePlaces(db, user, body);
      const before = parseSchedule(schedule);
      const { version = before.version, places: _, opens: __, ...fields } = body;
      const { id, checklist_title: label } = before;
      if (!(await updateSchedule(db, { id, version }, fields, now)))
        throw new HttpError(409, 'Someone else has changed this schedule', {
          code: 'STALE',
          body: { current: Schedule.parse(toSchedule(before)) },
        });
      const names = Object.keys(fields) as (keyof typeof fields)[];
      const changes = diffFields(before, fields as never, names);
      logActivity({ action: 'changed', thing: 'schedule', thing_id: id, label, changes });
      return successReply;
    }),

  endSchedule: ({ params, now, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      const { id, checklist_title } = await requireSchedule(db, params.id);
      await endSchedule(db, id, now);
      logActivity({ action: 'ended', thing: 'schedule', thing_id: id, label: checklist_title });
      return successReply;
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
      const closure = await findClosure(db, params.id);
      if (!closure) throw new HttpError(404, 'These closed days were not found');
      await deleteClosure(db, closure, now);
      logActivity({ action: 'opened again', thing: 'park', thing_id: closure.id, label: describeClosure(closure) });
      return successReply;
    }),

  listChecks: ({ db, query, now }) => listChecks(db, query, now, query.limit ?? 500),

  countChecks: ({ query, now, ...services }) => countChecks(getReader(services), query, now),

  explainMissedCheck: ({ params, body, user, now, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      const check = await findCheck(db, params.id, now);
      if (!check) throw new HttpError(404, 'Check not found');
      if (check.state !== 'missed') throw new HttpError(409, 'This check was not missed');
      await setReason(db, check.id, body.reason, user.username, now);
      const label = `${check.checklist_title}, ${check.park}, ${formatDay(check.day)}`;
      logActivity({ action: 'explained', thing: 'check', thing_id: check.id, label, changes: { fields: ['reason'] } });
      return successReply;
    }),
};

/** Counts the rows; of several parks, leaves out those that matter less. */
function toDueChecks({ parks }: ParkViewer, checks: Check[], ready: Readiness[]): DueChecks {
  const inState = (state: Check['state']) => checks.filter((check) => check.state === state);
  const [due, missed] = [inState('due'), inState('missed')];
  const others = checks.filter(({ state }) => state !== 'due' && state !== 'missed');
  const notReady = ready.filter(({ is_ready }) => !is_ready);
  const counts = {
    ...{ checks: checks.length, due: due.length, missed: missed.length },
    ...{ ready: ready.length, notReady: notReady.length },
  };
  if (parks?.length === 1) return { checks, ready, counts };
  const first = <Row>(rows: Row[], important: Row[]) => {
    const shown = new Set(important.slice(0, maxDueRows));
    return rows.length > maxDueRows ? rows.filter((row) => shown.has(row)) : rows;
  };
  return {
    checks: first(checks, [...due, ...missed, ...others]),
    ready: first(ready, [...notReady, ...ready.filter(({ is_ready }) => is_ready)]),
    counts,
  };
}

/** Staff see the checks of their parks only. Requested parks limit what is shown to them. */
function chooseParks(user: SignedInUser, requestedParks: string[] = []): Parks {
  const visibleParks = user.role === 'None' ? user.parks : null;
  const chosenParks = requestedParks.filter((park) => canSeePark({ parks: visibleParks }, park));
  return chosenParks.length > 0 ? chosenParks : visibleParks;
}

const describeClosure = ({ park, starts_on, ends_on }: { park: string; starts_on: string; ends_on: string }) =>
  `${park}, ${formatDay(starts_on)}${ends_on === starts_on ? '' : ` to ${formatDay(ends_on)}`}`;

async function requireChecklist(db: Database, id: string) {
  const checklist = await db
    .selectFrom('checklists')
    .select('title')
    .where('id', '=', id)
    .where('deletion_id', 'is', null)
    .executeTakeFirst();
  if (!checklist) throw new HttpError(404, 'Checklist not found');
  return checklist;
}

/** Throws 400 unless all places are places of these parks that the user sees. */
async function requirePlaces(
  db: Database,
  user: ParkViewer,
  { parks, places = [] }: { parks: string[]; places?: string[] | undefined },
) {
  if (places.length === 0) return;
  const rows = await db
    .selectFrom('places')
    .select(['id', 'park'])
    .where('joined_into', 'is', null)
    .where(isOfVisiblePark('park', user))
    .execute();
  const known = new Set(rows.filter(({ park }) => parks.includes(park)).map(({ id }) => id));
  const message = 'Choose places of these parks';
  if (!places.every((id) => known.has(id)))
    throw new HttpError(400, message, { code: 'INVALID', fields: { places: message } });
}

async function requireSchedule(db: Database, id: string) {
  const schedule = await findSchedule(db, id);
  if (!schedule) throw new HttpError(404, 'Schedule not found');
  return schedule;
}

// Endpoints of the overview, for reviewers. SQLite counts in the reader's thread, so that no other
// request waits.
import { isAdminOfAllParks } from '#shared/access.ts';
import { getToday } from '#shared/dates.ts';
import { isNotReady } from '#shared/schedules/schedules.ts';
import { getReader } from '../db/reader.ts';
import { required } from '../errors/http-error.ts';
import type { Handlers } from '../http/handler-context.ts';
import { countOpenInvestigations } from '../investigations/store.ts';
import { findPlace } from '../places/store.ts';
import { listReadiness } from '../schedules/readiness.ts';
import { listSystemProblems } from '../system/lines.ts';
import { listReadings } from './readings.ts';
import { countOverview, listAuditsOnDay } from './store.ts';

export const overviewHandlers = {
  async getOverview({ query, user, now, ...services }) {
    const db = getReader(services);
    const times = { today: getToday(now), now: now.toISOString() };
    const counts = await countOverview(db, user, query, times);
    const ready = await listReadiness(db, user, { parks: null }, now);
    const isRequestedPark = (park: string) =>
      query.park === undefined || query.park.some((requestedPark) => requestedPark === park);
    const openInvestigations = await countOpenInvestigations(db, query.park);
    const notReady = ready.filter((place) => isNotReady(place) && isRequestedPark(place.park)).length;
    const problems = isAdminOfAllParks(user) ? await listSystemProblems({ ...services, now }) : undefined;
    return {
      ...counts,
      ...(problems && { problems }),
      attention: { ...counts.attention, openInvestigations, notReady },
    };
  },

  async listReadings({ user, params, ...services }) {
    const db = getReader(services);
    const place = required(await findPlace(db, user, params.id), 'Place not found');
    return listReadings(db, place.id);
  },

  listAuditsOnDay: ({ query, user, ...services }) => listAuditsOnDay(getReader(services), user, query),
} satisfies Partial<Handlers>;

// Endpoints of the overview, for reviewers. SQLite counts in the reader's thread, so that no other
// request waits.
import { getToday } from '#shared/dates.ts';
import { isNotReady } from '#shared/schedules/schedules.ts';
import { getReader } from '../db/reader.ts';
import type { Handlers } from '../http/handler-context.ts';
import { countOpenInvestigations } from '../investigations/store.ts';
import { listReadiness } from '../schedules/readiness.ts';
import { countOverview, listAuditsOnDay } from './store.ts';

export const overviewHandlers: Pick<Handlers, 'getOverview' | 'listAuditsOnDay'> = {
  async getOverview({ query, user, now, ...services }) {
    const db = getReader(services);
    const times = { today: getToday(now), now: now.toISOString() };
    const counts = await countOverview(db, user, query, times);
    const ready = await listReadiness(db, user, { parks: null }, now);
    const isRequestedPark = (park: string) =>
      query.park === undefined || query.park.some((requestedPark) => requestedPark === park);
    const openInvestigations = await countOpenInvestigations(db, query.park);
    const notReady = ready.filter((place) => isNotReady(place) && isRequestedPark(place.park)).length;
    return { ...counts, attention: { ...counts.attention, openInvestigations, notReady } };
  },

  listAuditsOnDay: ({ query, user, ...services }) => listAuditsOnDay(getReader(services), user, query),
};

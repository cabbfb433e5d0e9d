// The activity log and a report's history, for users who may see them.
import { required } from '../errors/http-error.ts';
import type { Handlers } from '../http/handler-context.ts';
import { findReport } from '../reports/store.ts';
import { listActivity } from './store.ts';

export const activityHandlers = {
  listActivity({ user, query, search }) {
    const { q, before, limit, ...filters } = query;
    const isFiltered = Object.values(filters).some((value) => value !== undefined);
    return search(q, (db) => listActivity(db, user, query), { isFiltered });
  },

  async getReportHistory({ db, user, params, query }) {
    required(await findReport(db, params.id), 'Report not found');
    return listActivity(db, user, { ...query, thing: 'report', thing_id: params.id });
  },
} satisfies Partial<Handlers>;

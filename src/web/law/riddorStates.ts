// Unfinished duties under RIDDOR, for the listed reports.
import { useQueries } from '@tanstack/react-query';
import { api } from '#shared/api.ts';
import type { ReportRiddorState } from '#shared/law/assessment.ts';
import { queryFor } from '../client/api.ts';

/**
 * The RIDDOR state of each report, by its id; unknown ones are missing. `pages` are the ids as the
 * list loads them.
 */
export function useRiddorStates(pages: string[][]): ReadonlyMap<string, ReportRiddorState> {
  return useQueries({
    queries: pages
      .filter((ids) => ids.length > 0)
      .map((ids) => queryFor(api.listOpenDuties, { query: { ids: ids.join(',') } })),
    combine: (results) =>
      new Map(
        results.flatMap(({ data = [] }) => data.map((riddorState) => [riddorState.report_id, riddorState] as const)),
      ),
  });
}

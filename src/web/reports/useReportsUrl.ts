import { useState } from 'react';
import { emergencyServices, employmentStatuses, parks } from '#shared/choices.ts';
import { parseDay } from '#shared/dates.ts';
import type { ReportFilters, ReportType } from '#shared/reports.ts';
import { useDialogInUrl } from '../ui/dialogs/useDialogInUrl.ts';
import { useUrlState } from '../ui/navigation/useUrlState.ts';

export type View = 'month' | 'list';

const choose = <T extends string>(choices: readonly T[], value: string) => choices.find((choice) => choice === value);

/** What the filters are called in the URL. */
export const filterNames = {
  kind: 'kind',
  type: 'type',
  park: 'park',
  from: 'from',
  to: 'to',
  employmentStatus: 'status',
  emergencyService: 'emergency',
  unopened: 'unopened',
  openAudits: 'jobs',
} as const;
export type FilterName = keyof typeof filterNames;

/**
 * State of the Reports screen: view and open report in the URL. Searches stay out of it, and so out of the browser's history,
 * because they are names and telephone numbers.
 */
export function useReportsUrl() {
  const { get, set } = useUrlState();
  const [searches, setSearches] = useState<Partial<Record<ReportType, string>>>({});

  return {
    /** One kind of report alone. */
    kind: choose(['accident', 'incident'] as const, get(filterNames.kind)),
    filters: {
      type: get(filterNames.type) || undefined,
      park: choose(parks, get(filterNames.park)),
      from: parseDay(get(filterNames.from)),
      to: parseDay(get(filterNames.to)),
      employmentStatus: choose(employmentStatuses, get(filterNames.employmentStatus)),
      emergencyService: choose([...emergencyServices, 'Any'] as const, get(filterNames.emergencyService)),
      unopened: choose(['1'] as const, get(filterNames.unopened)),
      openAudits: choose(['1'] as const, get(filterNames.openAudits)),
    } satisfies ReportFilters,
    setFilters: (changes: Partial<Record<FilterName, string>>) =>
      set(
        Object.fromEntries(Object.entries(changes).map(([name, value]) => [filterNames[name as FilterName], value])),
        { replace: true },
      ),
    view: (get('view') === 'list' ? 'list' : 'month') as View,
    setView: (view: View) => set({ view: view === 'list' ? view : '' }),
    getSearch: (type: ReportType) => searches[type] ?? '',
    setSearch: (type: ReportType, text: string) => setSearches((searches) => ({ ...searches, [type]: text })),
    ...useDialogInUrl('report'),
  };
}

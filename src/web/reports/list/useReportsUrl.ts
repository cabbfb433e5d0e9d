import { useState } from 'react';
import { getMonday } from '#shared/calendar.ts';
import { getToday } from '#shared/dates.ts';
import { type FilterName, filterNames, readReportFilters } from '#shared/reports/report-url.ts';
import type { ReportType } from '#shared/reports/reports.ts';
import { useDialogInUrl } from '../../ui/dialogs/useDialogInUrl.ts';
import { useUrlState } from '../../ui/navigation/useUrlState.ts';

export type View = 'month' | 'list';

/**
 * State of the Reports screen: view, filters and open report in the URL. Searches stay out of it,
 * and so out of the browser's history, because they are names and telephone numbers.
 */
export function useReportsUrl() {
  const { get, set } = useUrlState();
  const monday = getMonday(getToday());
  const isThisWeek = get(filterNames.from) === monday && get(filterNames.to) === '';
  const [searches, setSearches] = useState<Partial<Record<ReportType, string>>>({});

  return {
    ...readReportFilters(get),
    setFilters: (changes: Partial<Record<FilterName, string>>) =>
      set(
        Object.fromEntries(Object.entries(changes).map(([name, value]) => [filterNames[name as FilterName], value])),
        { replace: true },
      ),
    view: (get('view') === 'list' ? 'list' : 'month') as View,
    setView: (view: View) => set({ view: view === 'list' ? view : '' }),
    isThisWeek,
    /** Shows this week's reports as lists, opened or not; again, those of all days. */
    toggleWeek: () =>
      set(
        isThisWeek
          ? { [filterNames.from]: '' }
          : { view: 'list', [filterNames.from]: monday, [filterNames.to]: '', [filterNames.unopened]: '' },
      ),
    getSearch: (type: ReportType) => searches[type] ?? '',
    setSearch: (type: ReportType, text: string) => setSearches((searches) => ({ ...searches, [type]: text })),
    ...useDialogInUrl('report'),
  };
}

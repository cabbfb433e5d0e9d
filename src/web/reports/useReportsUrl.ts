import type { ReportType } from '#shared/reports.ts';
import { useDialogInUrl } from '../ui/dialogs/useDialogInUrl.ts';
import { useFilters, useUrlState } from '../ui/navigation/useUrlState.ts';

export type View = 'month' | 'list';

/** What the Reports screen shows: its view, what is searched for in each section, and the report that is open. */
export function useReportsUrl() {
  const { get, set } = useUrlState();
  const [searches, setSearch] = useFilters('incident', 'accident');

  return {
    view: (get('view') === 'list' ? 'list' : 'month') as View,
    setView: (view: View) => set({ view: view === 'list' ? view : '' }),
    getSearch: (type: ReportType) => searches[type],
    setSearch: (type: ReportType, text: string) => setSearch({ [type]: text }),
    ...useDialogInUrl('report'),
  };
}

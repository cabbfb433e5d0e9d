import type { ReportType } from '#shared/reports.ts';
import { useDialogInUrl } from '../ui/dialogs/useDialogInUrl.ts';
import { useFilters, useUrlState } from '../ui/navigation/useUrlState.ts';

export type View = 'month' | 'list';

/** State of the Reports screen in the URL: view, searches, open report. */
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

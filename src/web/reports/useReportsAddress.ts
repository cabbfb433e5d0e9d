import type { ReportType } from '#shared/reports.ts';
import { useDialogInUrl } from '../ui/dialogs/useDialogInUrl.ts';
import { useFilters, useUrlState } from '../ui/navigation/useUrlState.ts';

export type View = 'month' | 'list';

/** What the Reports screen shows: its view, what is searched for in each section, and the report that is open. */
export function useReportsAddress() {
  const { get, set } = useUrlState();
  const [words, setWords] = useFilters('incident', 'accident');

  return {
    view: (get('view') === 'list' ? 'list' : 'month') as View,
    setView: (view: View) => set({ view: view === 'list' ? view : '' }),
    wordsOf: (type: ReportType) => words[type],
    setWords: (type: ReportType, text: string) => setWords({ [type]: text }),
    ...useDialogInUrl('report'),
  };
}

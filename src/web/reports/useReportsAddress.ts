import type { ReportType } from '#shared/reports.ts';
import { useAddress, useFilters } from '../ui/useAddress.ts';
import { useOpened } from '../ui/useOpened.ts';

export type View = 'month' | 'list';

/** What the Reports screen shows: its view, what is searched for in each section, and the report that is open. */
export function useReportsAddress() {
  const { read, set } = useAddress();
  const [words, setWords] = useFilters('incident', 'accident');

  return {
    view: (read('view') === 'list' ? 'list' : 'month') as View,
    setView: (view: View) => set({ view: view === 'list' ? view : '' }),
    wordsOf: (type: ReportType) => words[type],
    setWords: (type: ReportType, text: string) => setWords({ [type]: text }),
    ...useOpened('report'),
  };
}

import { useSearchParams } from 'react-router';
import type { ReportType } from '../../shared/reports.ts';
import { useOpened } from '../ui/useOpened.ts';

export type View = 'month' | 'list';

/** What the Reports screen shows lives in its address: it can be reloaded, sent to a colleague, and gone back to. */
export function useReportsAddress() {
  const [search, setSearch] = useSearchParams();

  const set = (name: string, value: string, options?: { replace?: boolean }) =>
    setSearch((before) => {
      const next = new URLSearchParams(before);
      if (value === '') next.delete(name);
      else next.set(name, value);
      return next;
    }, options);

  return {
    view: (search.get('view') === 'list' ? 'list' : 'month') as View,
    setView: (view: View) => set('view', view === 'list' ? view : ''),
    wordsOf: (type: ReportType) => search.get(type) ?? '',
    // Going back is not to go through every letter that was typed.
    setWords: (type: ReportType, words: string) => set(type, words, { replace: true }),
    ...useOpened('report'),
  };
}

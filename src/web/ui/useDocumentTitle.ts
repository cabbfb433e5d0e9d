import { useEffect } from 'react';
import { operatorName } from './operator.ts';

/** What the browser's tab says. The innermost screen that says something wins. */
export function useDocumentTitle(title: string) {
  useEffect(() => {
    document.title = [title, operatorName()].filter(Boolean).join(' – ');
  }, [title]);
}

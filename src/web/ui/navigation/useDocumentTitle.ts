import { useEffect } from 'react';
import { getOperatorName } from '../../operator.ts';

/** What the browser's tab says. The innermost screen that says something wins. */
export function useDocumentTitle(title: string) {
  useEffect(() => {
    document.title = [title, getOperatorName()].filter(Boolean).join(' – ');
  }, [title]);
}

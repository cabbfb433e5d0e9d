import { useEffect } from 'react';
import { getOperatorName } from '../../operator.ts';

/** Sets the document title. Of several siblings, the last one wins. */
export function useDocumentTitle(title: string) {
  useEffect(() => {
    document.title = [title, getOperatorName()].filter(Boolean).join(' – ');
  }, [title]);
}

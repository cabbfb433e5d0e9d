import { useEffect } from 'react';
import { getOperatorName } from '../../operator.ts';

/** Sets the document title. Of several components, the last one in the tree wins. */
export function useDocumentTitle(title: string) {
  useEffect(() => {
    document.title = [title, getOperatorName()].filter(Boolean).join(' – ');
  }, [title]);
}

import { useEffect, useRef, useState } from 'react';
import type { Submission } from './useSubmission.ts';

/**
 * A submission from before the form was opened is reported at the top of the form, with the focus,
 * for users who come back; a new submission at its button.
 */
export function useEarlierSubmission(submission: Submission) {
  const id = (submission.item ?? submission.receipt)?.id;
  const [openedItemId] = useState(id);
  const top = useRef<HTMLDivElement>(null);
  const isEarlier = id !== undefined && id === openedItemId;

  const wasOpenedEarlier = useRef(isEarlier);
  useEffect(() => {
    // A page restored by Back may have scrolled down before.
    if (wasOpenedEarlier.current) top.current?.focus();
  }, []);

  return { isEarlier, top };
}

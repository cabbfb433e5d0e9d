import { useEffect, useRef, useState } from 'react';
import type { Submission } from './useSubmission.ts';

/**
 * Shows the outcome of a submission from before the form was opened at the top of the form, and
 * moves the focus there. The outcome of a new submission is shown at its button.
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

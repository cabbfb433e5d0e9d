import { startTransition, useEffect, useState } from 'react';
import { useUser } from '../client/session.ts';
import { createDraft } from './draftStore.ts';

/**
 * Stores a form's input, so that it survives an accidental reload, for this user only. `storedDraft` is
 * undefined while `isLoading`, and if there is none. Call `saveDraft` on every change,
 * `discardDraft` on success.
 */
export function useDraft<T>(form: string) {
  const { id } = useUser();
  const [draft] = useState(() => createDraft<T>(id, form));
  const [state, setState] = useState<{ isLoading: boolean; storedDraft: T | undefined }>({
    isLoading: true,
    storedDraft: undefined,
  });

  useEffect(() => {
    let isCurrent = true;
    // A transition, because a whole form appears with it.
    void draft
      .find()
      // A form opens even if the browser cannot read what it has stored.
      .catch(() => undefined)
      .then((storedDraft) => isCurrent && startTransition(() => setState({ isLoading: false, storedDraft })));
    return () => {
      isCurrent = false;
    };
  }, [draft]);

  return { ...state, saveDraft: draft.save, discardDraft: draft.delete };
}

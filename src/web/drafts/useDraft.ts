import { startTransition, useEffect, useState } from 'react';
import { useUser } from '../client/session.ts';
import { openDraft } from './draftStore.ts';

/**
 * Keeps what is typed into a form across an accidental reload, for this person only.
 * `found` is what was kept: undefined while `isLoading`, and when there was nothing. Call `saveDraft` on every change, `discardDraft` on success;
 * `flush` writes at once what `saveDraft` would write soon.
 */
export function useDraft<T>(form: string) {
  const { id } = useUser();
  const [draft] = useState(() => openDraft<T>(id, form));
  const [state, setState] = useState<{ isLoading: boolean; found?: T }>({ isLoading: true });

  // The page may be left at any moment.
  useEffect(() => {
    let isCurrent = true;
    // A whole form comes up with it: drawn in slices.
    void draft.find().then((found) => isCurrent && startTransition(() => setState({ isLoading: false, found })));
    const onHidden = () => document.visibilityState === 'hidden' && draft.flush();
    document.addEventListener('visibilitychange', onHidden);
    window.addEventListener('pagehide', draft.flush);
    return () => {
      isCurrent = false;
      document.removeEventListener('visibilitychange', onHidden);
      window.removeEventListener('pagehide', draft.flush);
      draft.flush();
    };
  }, [draft]);

  return { ...state, saveDraft: draft.save, flush: draft.flush, discardDraft: draft.discard };
}

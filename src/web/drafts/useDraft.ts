import { startTransition, useEffect, useState } from 'react';
import { useUser } from '../client/session.ts';
import { openDraft } from './draftStore.ts';

/**
 * Keeps a form's input for this user across a reload. `found` is the stored draft: undefined while
 * `isLoading` and if there is none. Call `saveDraft` on every change and `discardDraft` on success;
 * `flush` saves at once.
 */
export function useDraft<T>(form: string) {
  const { id } = useUser();
  const [draft] = useState(() => openDraft<T>(id, form));
  const [state, setState] = useState<{ isLoading: boolean; found?: T }>({ isLoading: true });

  // The page may be left at any moment.
  useEffect(() => {
    let isCurrent = true;
    // Draws the form in slices.
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

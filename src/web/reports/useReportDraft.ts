import { useEffect, useState } from 'react';
import { useDraft } from '../drafts/useDraft.ts';
import {
  createDraftFields,
  type DraftFields,
  type DraftMedia,
  emptyDraftMedia,
  type ReportDraft,
} from './reportDraft.ts';

/**
 * The stored draft of this form and user. Text and media are stored separately, so that typing does
 * not rewrite photos.
 */
export function useStoredDraft(form: string) {
  const fields = useDraft<DraftFields>(form);
  const media = useDraft<DraftMedia>(`${form} pictures`);
  return {
    isLoading: fields.isLoading || media.isLoading,
    draft: { ...(fields.found ?? createDraftFields()), ...(media.found ?? emptyDraftMedia) },
    saveFields: fields.saveDraft,
    saveMedia: media.saveDraft,
    flushMedia: media.flush,
    discardDraft() {
      fields.discardDraft();
      media.discardDraft();
    },
  };
}

/** The report on screen; every change is saved. `clear` starts another with a new key. */
export function useReportDraft(stored: ReturnType<typeof useStoredDraft>) {
  const [draft, setDraft] = useState<ReportDraft>(stored.draft);
  const { key, values, sent, photos, signature, affectedUserSignature, uploads } = draft;
  const { saveFields, saveMedia, flushMedia } = stored;

  useEffect(() => saveFields({ key, values, sent }), [saveFields, key, values, sent]);
  useEffect(() => {
    saveMedia({ photos, signature, affectedUserSignature, uploads });
    // Media change rarely, and take too long to save when the page is being left.
    flushMedia();
  }, [saveMedia, flushMedia, photos, signature, affectedUserSignature, uploads]);

  return {
    draft,
    change: (changes: Partial<ReportDraft>) => setDraft((draft) => ({ ...draft, ...changes })),
    clear() {
      stored.discardDraft();
      setDraft({ ...createDraftFields(), ...emptyDraftMedia });
    },
  };
}

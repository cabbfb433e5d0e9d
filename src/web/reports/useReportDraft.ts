import { useEffect, useState } from 'react';
import { useDraft } from '../drafts/useDraft.ts';
import {
  createDraftFields,
  type DraftFields,
  type DraftMedia,
  emptyDraftMedia,
  type ReportDraft,
} from './reportDraft.ts';

/** What an earlier visit left of this form, for this person. Words and pictures rest apart: typing does not write the photos again. */
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

/** The report on the screen; every change of it is kept. `clear` begins another one, under a key of its own. */
export function useReportDraft(stored: ReturnType<typeof useStoredDraft>) {
  const [draft, setDraft] = useState<ReportDraft>(stored.draft);
  const { key, values, sent, photos, signature, affectedUserSignature, uploads } = draft;
  const { saveFields, saveMedia, flushMedia } = stored;

  useEffect(() => saveFields({ key, values, sent }), [saveFields, key, values, sent]);
  useEffect(() => {
    saveMedia({ photos, signature, affectedUserSignature, uploads });
    // They change seldom, and take too long to be written when the page is already going.
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

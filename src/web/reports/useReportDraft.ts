import { useEffect, useState } from 'react';
import { useDraft } from '../drafts/useDraft.ts';
import { newWords, noPictures, type Pictures, type ReportDraft, type Words } from './reportDraft.ts';

/** What an earlier visit left of this form, for this person. Words and pictures rest apart: typing does not write the photos again. */
export function useKeptReport(form: string) {
  const words = useDraft<Words>(form);
  const pictures = useDraft<Pictures>(`${form} pictures`);
  return {
    isLoading: words.isLoading || pictures.isLoading,
    draft: { ...(words.found ?? newWords()), ...(pictures.found ?? noPictures) },
    keepWords: words.saveDraft,
    keepPictures: pictures.saveDraft,
    flushPictures: pictures.flush,
    discardDraft() {
      words.discardDraft();
      pictures.discardDraft();
    },
  };
}

/** The report on the screen; every change of it is kept. `clear` begins another one, under a key of its own. */
export function useReportDraft(kept: ReturnType<typeof useKeptReport>) {
  const [draft, setDraft] = useState<ReportDraft>(kept.draft);
  const { key, values, sent, photos, signature, affectedUserSignature, uploads } = draft;
  const { keepWords, keepPictures, flushPictures } = kept;

  useEffect(() => keepWords({ key, values, sent }), [keepWords, key, values, sent]);
  useEffect(() => {
    keepPictures({ photos, signature, affectedUserSignature, uploads });
    // They change seldom, and take too long to be written when the page is already going.
    flushPictures();
  }, [keepPictures, flushPictures, photos, signature, affectedUserSignature, uploads]);

  return {
    draft,
    change: (changes: Partial<ReportDraft>) => setDraft((draft) => ({ ...draft, ...changes })),
    clear() {
      kept.discardDraft();
      setDraft({ ...newWords(), ...noPictures });
    },
  };
}

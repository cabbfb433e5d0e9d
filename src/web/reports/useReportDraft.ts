import { startTransition, useEffect, useMemo, useRef, useState } from 'react';
import type { SessionUser } from '#shared/users.ts';
import { createDraft } from '../drafts/draftStore.ts';
import type { Submission } from '../outbox/useSubmission.ts';
import {
  createReportDraft,
  type DraftFields,
  type DraftMedia,
  type ReportDraft,
  readSubmission,
} from './reportDraft.ts';

/** Fields and media are stored apart: typing does not write the photos again. */
function createStores(userId: string, name: string) {
  const fields = createDraft<DraftFields>(userId, name);
  const media = createDraft<DraftMedia>(userId, `${name} pictures`);
  return {
    keys: [fields.key, media.key],
    async find(): Promise<Partial<ReportDraft> | undefined> {
      const [foundFields, foundMedia] = await Promise.all([fields.find(), media.find()]);
      return foundFields || foundMedia ? { ...foundFields, ...foundMedia } : undefined;
    },
    save({ photos, signature, affectedUserSignature, uploads, ...typed }: ReportDraft, changed: Partial<ReportDraft>) {
      fields.save(typed);
      const hasMedia = 'photos' in changed || 'signature' in changed || 'affectedUserSignature' in changed;
      if (hasMedia) media.save({ photos, signature, affectedUserSignature, ...(uploads && { uploads }) });
    },
    stop() {
      fields.stop();
      media.stop();
    },
  };
}

/** A report that the server refused is corrected apart from the next one that may have been begun. */
const getDraftName = (form: string, submission: Submission) =>
  submission.phase === 'refused' ? `${form} correction ${submission.item.id}` : form;

/**
 * What the form begins with: what was submitted and has not arrived, else what was typed before, else nothing. Undefined while it
 * is read.
 */
export function useStoredReport(form: string, user: SessionUser, submission: Submission, isLoaded: boolean) {
  const [stored, setStored] = useState<{ draft: ReportDraft; itemId?: string }>();
  const isFound = stored !== undefined;

  // Only what was there when the form was opened: later on it knows by itself.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as the comment above says
  useEffect(() => {
    if (!isLoaded || isFound) return;
    let isCurrent = true;
    // What waits for a connection leaves the fields to the next one.
    const item = submission.phase === 'saved' ? undefined : submission.item;
    async function find(): Promise<{ draft: ReportDraft; itemId?: string }> {
      const empty = createReportDraft(user);
      const isFrozen = item && submission.phase !== 'refused';
      const draft = isFrozen ? undefined : await createStores(user.id, getDraftName(form, submission)).find();
      const submitted = item && (await readSubmission(item));
      return { draft: { ...empty, ...submitted, ...draft }, ...(item && { itemId: item.id }) };
    }
    // A whole form comes up with it: drawn in slices.
    void find().then((found) => isCurrent && startTransition(() => setStored(found)));
    return () => {
      isCurrent = false;
    };
  }, [isLoaded, isFound]);

  return stored;
}

/** The report on the screen. Every change of it is stored. */
export function useReportDraft(form: string, user: SessionUser, submission: Submission, initial: ReportDraft) {
  const [draft, setDraft] = useState(initial);
  const latest = useRef(initial);
  const name = getDraftName(form, submission);
  const stores = useMemo(() => createStores(user.id, name), [user.id, name]);

  const set = (next: ReportDraft) => {
    latest.current = next;
    setDraft(next);
  };

  return {
    draft,
    /** Of the stored draft, to be deleted when it is submitted. */
    keys: stores.keys,
    stop: stores.stop,
    change(changes: Partial<ReportDraft>) {
      set({ ...latest.current, ...changes });
      stores.save(latest.current, changes);
    },
    /** The next one; what the first version had stored of this one is not of the next. */
    clear: () => set(createReportDraft(user)),
  };
}

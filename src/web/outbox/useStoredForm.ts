import { startTransition, useEffect, useEffectEvent, useState } from 'react';
import type { OutboxItem } from './items.ts';
import type { Submission, useSubmission } from './useSubmission.ts';

type Sources<T> = {
  findDraft(): Promise<Partial<T> | undefined>;
  /** What was submitted, as the form shows it. */
  read(item: OutboxItem): Promise<T> | T;
  /** Whether the form goes on showing what waits for a connection, instead of being for the next one. */
  keepsSaved?: boolean;
};

export type StoredForm<T> = { found: Partial<T> | undefined; itemId?: string };

/** What was refused is corrected apart from the next one that may have been begun. */
export const getDraftName = (form: string, submission: Submission) =>
  submission.phase === 'refused' ? `${form} correction ${submission.item.id}` : form;

/**
 * What a form begins with: what was submitted and has not arrived, else what was typed before, else nothing. Undefined while it is
 * read.
 */
export function useStoredForm<T>(
  { submission, isLoaded }: ReturnType<typeof useSubmission>,
  { findDraft, read, keepsSaved = false }: Sources<T>,
): StoredForm<T> | undefined {
  const [stored, setStored] = useState<StoredForm<T>>();

  const find = useEffectEvent(async (): Promise<StoredForm<T>> => {
    const item = submission.phase === 'saved' && !keepsSaved ? undefined : submission.item;
    const draft = item && submission.phase !== 'refused' ? undefined : await findDraft();
    const submitted = item && (await read(item));
    const found = draft || submitted ? { ...submitted, ...draft } : undefined;
    return { found: found as Partial<T> | undefined, ...(item && { itemId: item.id }) };
  });

  // Only what was there when the form was opened: later on it knows by itself.
  const isFound = stored !== undefined;
  useEffect(() => {
    if (!isLoaded || isFound) return;
    let isCurrent = true;
    // A whole form comes up with it: drawn in slices.
    void find().then((found) => isCurrent && startTransition(() => setStored(found)));
    return () => {
      isCurrent = false;
    };
  }, [isLoaded, isFound]);

  return stored;
}

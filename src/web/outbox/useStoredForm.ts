import { startTransition, useEffect, useEffectEvent, useState } from 'react';
import type { OutboxItem } from './items.ts';
import type { Submission, useSubmission } from './useSubmission.ts';

type Sources<T> = {
  findDraft(): Promise<Partial<T> | undefined>;
  /** The submitted values, as the form shows them. */
  read(item: OutboxItem): Promise<T> | T;
  /**
   * Whether the form keeps showing an item that waits for a connection, instead of being cleared
   * for the next one.
   */
  isShownWhileWaiting?: boolean;
};

export type StoredForm<T> = { initialValues: Partial<T> | undefined; itemId?: string };

/** A rejected item is corrected separately from a newer draft. */
export const getDraftName = (form: string, submission: Submission) =>
  submission.phase === 'refused' ? `${form} correction ${submission.item.id}` : form;

/**
 * The initial values of a form: the item that has not arrived, otherwise the draft, otherwise none.
 * Undefined while they are read.
 */
export function useStoredForm<T>(
  { submission, isLoaded }: ReturnType<typeof useSubmission>,
  { findDraft, read, isShownWhileWaiting = false }: Sources<T>,
): StoredForm<T> | undefined {
  const [stored, setStored] = useState<StoredForm<T>>();

  const find = useEffectEvent(async (): Promise<StoredForm<T>> => {
    const item = submission.phase === 'saved' && !isShownWhileWaiting ? undefined : submission.item;
    const draft = item && submission.phase !== 'refused' ? undefined : await findDraft();
    const submitted = item && (await read(item));
    const initialValues = draft || submitted ? { ...submitted, ...draft } : undefined;
    return { initialValues: initialValues as Partial<T> | undefined, ...(item && { itemId: item.id }) };
  });

  // Only items from before the form was opened; the form knows of later ones itself.
  const isFound = stored !== undefined;
  useEffect(() => {
    if (!isLoaded || isFound) return;
    let isCurrent = true;
    // A transition, because a whole form appears with it.
    void find().then((initialValues) => isCurrent && startTransition(() => setStored(initialValues)));
    return () => {
      isCurrent = false;
    };
  }, [isLoaded, isFound]);

  return stored;
}

import { startTransition, useEffect, useEffectEvent, useState } from 'react';
import { isInMemory, lateAnswers } from '../database/database.ts';
import type { OutboxItem } from './items.ts';
import type { SubmissionState, useSubmission } from './useSubmission.ts';

type Sources<T> = {
  /** A draft's `key` is the id of the item that it becomes. */
  draft: { keys: string[]; find(): Promise<(Partial<T> & { key?: string | undefined }) | undefined> };
  /** Returns the submitted values as the form holds them. */
  read(item: OutboxItem): Promise<T> | T;
};

/** `id` is a React key: a new one mounts the form again with other values. */
export type StoredForm<T> = { id: number; initialValues: Partial<T> | undefined; itemId?: string };

/** Returns the name of the form's draft. The correction of a rejected item has a draft of its own. */
export const getDraftName = (form: string, submission: SubmissionState) =>
  submission.phase === 'refused' ? `${form} correction ${submission.item.id}` : form;

/**
 * Returns the initial values of a form: the item that has not arrived, otherwise the draft, otherwise
 * none. Undefined while they are read.
 */
export function useStoredForm<T>(
  { submission, isLoaded }: ReturnType<typeof useSubmission>,
  { draft, read }: Sources<T>,
): StoredForm<T> | undefined {
  const [stored, setStored] = useState<StoredForm<T>>();

  const find = useEffectEvent(async (): Promise<Omit<StoredForm<T>, 'id'>> => {
    const { phase, item } = submission;
    const isCorrected = phase === 'refused';
    const found = await draft.find();
    // What was typed after the submission is for the next one.
    const isNext = phase === 'saved' || (!isCorrected && found && found.key !== item?.id);
    if (!item || isNext) return { initialValues: found };
    return { initialValues: { ...(await read(item)), ...found }, itemId: item.id };
  });

  /** Opens the form, even if the browser cannot read what it has stored. */
  const show = useEffectEvent(async (isCurrent: () => boolean) => {
    const found = await find().catch(() => ({ initialValues: undefined }));
    if (!isCurrent()) return;
    // A transition, because a whole form appears with it.
    startTransition(() =>
      setStored((before) => (before && !found.initialValues ? before : { id: (before?.id ?? 0) + 1, ...found })),
    );
  });
  const showLateAnswer = useEffectEvent((isCurrent: () => boolean) => {
    // Input entered since then stays.
    if (stored && !draft.keys.some(isInMemory)) void show(isCurrent);
  });

  // Only items from before the form was opened; the form knows of later ones itself.
  const isFound = stored !== undefined;
  useEffect(() => {
    let isCurrent = true;
    if (isLoaded && !isFound) void show(() => isCurrent);
    const unsubscribe = lateAnswers.subscribe(() => showLateAnswer(() => isCurrent));
    return () => {
      isCurrent = false;
      unsubscribe();
    };
  }, [isLoaded, isFound]);

  return stored;
}

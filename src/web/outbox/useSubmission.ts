// What has become of a form's submission, until the form is free for the next one.
import { useUser } from '../client/session.ts';
import { signedOutUserId } from '../client/signedOutUserId.ts';
import type { OutboxForm } from '../formNames.ts';
import { connection } from '../offline/connection.ts';
import { useStore } from '../useStore.ts';
import { isOnlyInMemory, type OutboxItem, type Receipt, type SendError } from './items.ts';
import { deleteFromOutbox, leaveForm, outbox, sendNow } from './outbox.ts';
import type { Progress } from './sendItem.ts';

/** The state of a form's submission: its outbox item, or the receipt if it has arrived. */
export type SubmissionState = { item?: OutboxItem; receipt?: Receipt } & (
  | { phase: 'none' }
  | { phase: 'sending'; item: OutboxItem; progress: Progress }
  /** Waits on the device for a connection. */
  | { phase: 'saved'; item: OutboxItem }
  /** Failed, and will be tried again. */
  | { phase: 'retrying'; item: OutboxItem; error: SendError; isStored: boolean }
  /** Waits until its user signs in. */
  | { phase: 'signIn'; item: OutboxItem }
  /** The server rejected it, and it must be corrected. */
  | { phase: 'refused'; item: OutboxItem; error: SendError }
  | { phase: 'sent'; receipt: Receipt }
);

export const useOutbox = () => useStore(outbox);

/** With `isOfAnyPart`, the last submission of the form or of one named below it, such as `form/1`. */
export function useSubmission(form: OutboxForm, isOfAnyPart = false) {
  const { id: userId } = useUser();
  const { isLoaded, items, receipts, progress } = useOutbox();
  const isConnected = useStore(connection) === 'online';
  const isOfForm = (name: string) => name === form || (isOfAnyPart && name.startsWith(`${form}/`));
  const isShown = (entry: OutboxItem | Receipt) => entry.userId === userId && isOfForm(entry.form) && entry.isOnForm;
  const item = items.findLast(isShown);
  const receipt = item ? undefined : receipts.find(isShown);
  const submission = getSubmission(item, receipt, item && progress[item.id], isConnected);
  return {
    isLoaded,
    submission,
    /** Clears the form for the next submission; sending continues. */
    leave: () => {
      const shown = item ?? receipt;
      if (shown) void leaveForm(shown.id);
    },
    retry: () => item && void sendNow(item.id),
    /** Takes the item out of the outbox, so that its form can be edited again. */
    withdraw: () => item && void deleteFromOutbox(item.id),
  };
}

const noProgress: Progress = { sent: 0, total: 0 };

function getSubmission(
  item: OutboxItem | undefined,
  receipt: Receipt | undefined,
  progress: Progress | undefined,
  isConnected: boolean,
): SubmissionState {
  if (!item) return receipt ? { phase: 'sent', receipt } : { phase: 'none' };
  const { state, error, userId } = item;
  const isStored = !isOnlyInMemory(item.id);
  // An item without a user waits until someone confirms it; its form is for the next person.
  if (userId === signedOutUserId && isStored) return { phase: 'saved', item };
  if (progress) return { phase: 'sending', item, progress };
  if (state === 'signIn') return { phase: 'signIn', item };
  if (state === 'refused' && error) return { phase: 'refused', item, error };
  if (isStored && (error ? error.status === 0 : !isConnected)) return { phase: 'saved', item };
  return error ? { phase: 'retrying', item, error, isStored } : { phase: 'sending', item, progress: noProgress };
}

// The state of a form whose values go through the outbox, and of the submission with these values.
import type { OutboxItem } from './items.ts';
import type { SubmissionState } from './useSubmission.ts';

/** The item that the values correct, or the one that only this page has, so that a change takes it back. */
type Earlier = { refused?: OutboxItem; unsent?: OutboxItem };

export type OutboxFormState =
  | ({ name: 'editing' } & Earlier)
  /** Submit was pressed and waits until all photos are prepared. */
  | ({ name: 'preparing' } & Earlier)
  /** Is stored or sent, or waits for its user to sign in. */
  | { name: 'sending' }
  /** Failed, is stored on the device, and will be tried again. */
  | { name: 'waiting' }
  | { name: 'refused'; refused: OutboxItem }
  /** Has arrived, or waits for a connection: the fields are free for the next submission. */
  | { name: 'done' };

type Facts = {
  submission: SubmissionState;
  /** Whether the submission has the form's values. */
  isFromThisForm: boolean;
  isStoring: boolean;
  /** Whether Submit was pressed before all photos were prepared. */
  isWaitingForPhotos: boolean;
};

export function getFormState({ submission, isFromThisForm, isStoring, isWaitingForPhotos }: Facts): OutboxFormState {
  const own: SubmissionState = isFromThisForm ? submission : { phase: 'none' };
  const { phase } = own;
  if (phase === 'sent' || phase === 'saved') return { name: 'done' };
  if (isStoring || phase === 'sending' || phase === 'signIn') return { name: 'sending' };
  if (phase === 'retrying' && own.isStored) return { name: 'waiting' };
  const earlier: Earlier = {
    ...(phase === 'refused' && { refused: own.item }),
    ...(phase === 'retrying' && { unsent: own.item }),
  };
  if (isWaitingForPhotos) return { name: 'preparing', ...earlier };
  return phase === 'refused' ? { name: 'refused', refused: own.item } : { name: 'editing', ...earlier };
}

/** Whether the values cannot be changed, because the device sends them. */
export const isFrozen = ({ name }: OutboxFormState) => name === 'sending' || name === 'waiting';

/** Whether the button says that the submission is under way. */
export const isSubmitting = ({ name }: OutboxFormState) => name === 'preparing' || name === 'sending';

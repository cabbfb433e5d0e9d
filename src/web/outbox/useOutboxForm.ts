// The state of the forms for reports, checklists and new audits, which go through the outbox. Their
// fields are free for the next submission as soon as the device has stored one and it has arrived or
// waits for a connection. Until then, and after an error, they keep their values.
import { type FormEvent, type MouseEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { clearProblems, processingImagesText, useIsPreparing, useLeftOut, withLeftOut } from '../photos/preparing.ts';
import type { Status } from '../ui/feedback/StatusLine.tsx';
import { type FieldErrors, focusFirstError, removeErrors } from '../ui/forms/fieldErrors.ts';
import type { OutboxItem, SendError } from './items.ts';
import { getFormState, isFrozen, isSubmitting } from './outboxFormState.ts';
import type { useSubmission } from './useSubmission.ts';

type OutboxFormOptions = {
  /** The name of the form element. */
  name: string;
  outboxState: ReturnType<typeof useSubmission>;
  /** The id of the outbox item with the form's values, if they were submitted. */
  submittedItemId: string | undefined;
  /** Describes the state of the submission. `isFromThisForm`: the form's values are the submitted ones. */
  describe(isFromThisForm: boolean): Status | undefined;
  /** Whether an outcome from before the form was opened is shown until the next submission. */
  keepsEarlier?: boolean;
  /** The names under which the form's photos are prepared. */
  photoNames: string[];
  /** Shown while Submit waits for photos. */
  waitingText?: string;
  check(): FieldErrors;
  /** Whether a field is one of photos, whose errors do not count while photos are being prepared. */
  isAboutPhotos(field: string): boolean;
  describeErrors(errors: FieldErrors): Status | undefined;
  /** Stores the values in the outbox; resolves with the item's id. `refused` is the item that they correct. */
  store(refused: OutboxItem | undefined): Promise<string>;
  /** Returns the message if nothing could be stored. */
  describeFailure(error: unknown): Status;
  /** Returns the errors of an item that was rejected or not sent, by field of the form. */
  explain(item: OutboxItem, error: SendError): { errors: FieldErrors; notice?: Status };
  /** Called when the submission has arrived or waits for a connection. */
  onDone(): void;
  /** Called when a waiting submission is rejected, whose values are no longer in the fields. */
  onReload?(): void;
};

export function useOutboxForm(options: OutboxFormOptions) {
  const { name, outboxState, submittedItemId, keepsEarlier = false, photoNames, waitingText } = options;
  const { submission } = outboxState;
  const { phase } = submission;
  const [itemId, setItemId] = useState(submittedItemId);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [notice, setNotice] = useState<Status>();
  const [isStoring, setStoring] = useState(false);
  /** Whether Submit was pressed and waits until all photos are prepared. */
  const [isWaitingForPhotos, setWaitingForPhotos] = useState(false);
  const [resetCount, setResetCount] = useState(0);
  const isPreparing = useIsPreparing(photoNames);
  const leftOut = useLeftOut(photoNames);
  /** The files that were not added to the item with this id. */
  const [submittedWithout, setSubmittedWithout] = useState<{ id: string; names: string[] }>();
  const isBusy = useRef(false);
  const findElement = () => document.forms.namedItem(name);

  const id = (submission.item ?? submission.receipt)?.id;
  const [idAtOpening] = useState(id);
  const isEarlier = keepsEarlier && id !== undefined && id === idAtOpening;
  const isFromThisForm = itemId !== undefined && id === itemId;
  const outcome = options.describe(isFromThisForm);
  const state = getFormState({ submission, isFromThisForm, isStoring, isWaitingForPhotos });
  const { refused, unsent } = { refused: undefined, unsent: undefined, ...state };

  const leaveOther = () => {
    if (!isFromThisForm && phase !== 'none') outboxState.leave();
  };
  const showErrors = (found: FieldErrors) => {
    setErrors(found);
    const form = findElement();
    if (Object.keys(found).length > 0 && form) focusFirstError(form);
  };

  /** Clears all messages. */
  const clear = () => {
    setErrors({});
    setNotice(undefined);
    setResetCount((count) => count + 1);
  };

  const send = async () => {
    leaveOther();
    isBusy.current = true;
    setStoring(true);
    setNotice(undefined);
    try {
      const id = await options.store(refused);
      setItemId(id);
      setSubmittedWithout({ id, names: leftOut });
      for (const name of photoNames) clearProblems(name);
    } catch (error) {
      setNotice(options.describeFailure(error));
    }
    isBusy.current = false;
    setStoring(false);
  };

  const checkAndSend = () => {
    const found = Object.fromEntries(
      Object.entries(options.check()).filter(([name]) => !isPreparing || !options.isAboutPhotos(name)),
    );
    showErrors(found);
    if (Object.keys(found).length > 0) setNotice(options.describeErrors(found));
    else if (isPreparing) setWaitingForPhotos(true);
    else void send();
  };

  const handlePreparing = useEffectEvent(() => {
    if (isPreparing) return setNotice(undefined);
    if (!isWaitingForPhotos) return;
    setWaitingForPhotos(false);
    checkAndSend();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when photos are, or are no longer, prepared
  useEffect(() => handlePreparing(), [isPreparing]);

  const handlePhase = useEffectEvent(() => {
    if (state.name === 'done') return options.onDone();
    if (phase !== 'refused' && phase !== 'retrying') return;
    if (!isFromThisForm) return phase === 'refused' ? options.onReload?.() : undefined;
    const { errors, notice } = options.explain(submission.item, submission.error);
    showErrors(errors);
    setNotice(notice);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the state of the submission changes
  useEffect(() => handlePhase(), [phase, isFromThisForm]);

  const processing: Status = {
    kind: 'progress',
    text: processingImagesText,
    ...(isWaitingForPhotos && waitingText && { hint: waitingText }),
  };
  return {
    findElement,
    outcome,
    /** Whether the outcome is of a submission from before the form was opened. */
    isEarlier,
    status: withLeftOut(
      isPreparing ? processing : (notice ?? (isEarlier ? undefined : outcome)),
      leftOut.length === 0 && submittedWithout?.id === id ? (submittedWithout?.names ?? []) : leftOut,
    ),
    notice,
    setNotice,
    errors,
    isPreparing,
    state,
    isFrozen: isFrozen(state),
    isFromThisForm,
    /** The item that the values correct. */
    refused,
    /** Whether the values were, or are being, submitted. */
    isSubmitted: itemId !== undefined,
    /** For the draft: the server stores a submission only once per id, even if an earlier attempt succeeded. */
    sentKey: unsent && { key: unsent.id },
    /** Changes whenever the fields are cleared. */
    resetCount,
    props: {
      name,
      noValidate: true,
      /** After the first of two quick taps the form may already be empty, and the second would complain about that. */
      onClickCapture(event: MouseEvent) {
        const isSecond = event.detail > 1;
        if (isSecond && (event.target as Element).closest('[type=submit]')) event.preventDefault();
      },
      onSubmit(event: FormEvent) {
        event.preventDefault();
        // React state would update a render too late for the second of two quick taps.
        if (isBusy.current || isSubmitting(state) || state.name === 'done') return;
        if (state.name === 'waiting') outboxState.retry();
        else checkAndSend();
      },
    },
    /** Call when one of these fields has changed. */
    touch(...names: string[]) {
      if (unsent) outboxState.withdraw();
      if (!isEarlier) leaveOther();
      setErrors((errors) => removeErrors(errors, ...names));
      setNotice(undefined);
    },
    clear,
    /** Call when the fields were cleared for the next submission. */
    startNext() {
      clear();
      setItemId(undefined);
    },
  };
}

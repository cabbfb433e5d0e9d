// The state of the forms for reports, checklists, new audits and hazards, which go through the outbox: their values,
// stored on the device with each change, and what has become of the submission. Their fields are free for the next one
// as soon as the device has stored it and it has arrived or waits for a connection. Until then, and after an error, they
// keep their values.
import { type FormEvent, type MouseEvent, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { createStore } from '../createStore.ts';
import { newUuid } from '../newUuid.ts';
import { clearProblems, processingImagesText, useIsPreparing, useLeftOut, withLeftOut } from '../photos/preparing.ts';
import type { Status } from '../ui/feedback/StatusLine.tsx';
import { type FieldErrors, focusFirstError, removeErrors } from '../ui/forms/fieldErrors.ts';
import { useStore } from '../useStore.ts';
import type { NewItem, OutboxItem, SendError } from './items.ts';
import { submit } from './outbox.ts';
import { getFormState, isFrozen, isSubmitting } from './outboxFormState.ts';
import type { SubmissionState, useSubmission } from './useSubmission.ts';

/** What the device has for a form when it is opened. */
export type OutboxFormProps<Values> = {
  initialValues: Values;
  /** Whether these are values that the device stored. */
  isRestored: boolean;
  /** The id of the outbox item with these values, if they were submitted. */
  submittedItemId: string | undefined;
  /** Where the values are stored. */
  stored: {
    /** The name of the form element, under which its photos are prepared. */
    key: string;
    /** The keys of the draft in the browser's database, which are deleted when it is submitted; none if it is elsewhere. */
    keys: string[];
    /** Stores values; those that correct a rejected item, if there is one. */
    save: (values: Values, refused?: OutboxItem) => void;
    stop: () => void;
    delete: () => unknown;
  };
  outboxState: ReturnType<typeof useSubmission>;
  /** Shows the form again with the stored draft: a submission with other values was rejected. */
  onReload?: () => void;
};

type OutboxFormOptions<Values> = {
  /** Describes the state of the submission. `isFromThisForm`: the form's values are the submitted ones. */
  describe: (submission: SubmissionState, isFromThisForm: boolean) => Status | undefined;
  /** Whether an outcome from before the form was opened is shown until the next submission, as it is by default. */
  keepsEarlier?: boolean;
  /** Returns the names under which the form's photos are prepared, if not its own. */
  listPhotoNames?: (draft: Values) => string[];
  /** Shown while Submit waits for photos. */
  waitingText?: string;
  check: (draft: Values) => FieldErrors;
  /** Describes what `check` found; without it, the first error is shown. */
  describeErrors?: (errors: FieldErrors, draft: Values) => Status | undefined;
  /** Returns the outbox item with this id, which is also its idempotency key. `refused` is the item that it corrects. */
  toSubmission: (draft: Values, id: string, refused: OutboxItem | undefined) => NewItem | Promise<NewItem>;
  /** Describes why nothing could be stored: nearly always because the device has no room. */
  describeFailure: (error: unknown) => Status;
  /** Returns the errors of an item that was rejected or not sent, by field of the form. */
  explain?: (item: OutboxItem, error: SendError) => FieldErrors;
  /** The fields whose errors a change clears, besides those changed. */
  listRelated?: (change: Partial<Values>) => string[];
  /** Called once the submission has arrived or waits; returns the values for the next one, or undefined to keep these. */
  getNext: (draft: Values, submission: SubmissionState) => Values | undefined;
};

/** Fields of photos, whose errors do not count while photos are being prepared. */
const photoFields = /^photos$|(^|\.)mediaFiles$/;

export function useOutboxForm<Values extends { key?: string | undefined }>(
  { initialValues, isRestored, submittedItemId, stored, outboxState, onReload }: OutboxFormProps<Values>,
  options: OutboxFormOptions<Values>,
) {
  const { keepsEarlier = true } = options;
  const { submission } = outboxState;
  const { phase } = submission;
  const [values] = useState(() => createStore(initialValues));
  const draft = useStore(values);
  const [isTyped, setTyped] = useState(isRestored);
  const [itemId, setItemId] = useState(submittedItemId);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [notice, setNotice] = useState<Status>();
  const [isStoring, setStoring] = useState(false);
  /** Whether Submit was pressed and waits until all photos are prepared. */
  const [isWaitingForPhotos, setWaitingForPhotos] = useState(false);
  const [resetCount, setResetCount] = useState(0);
  const photoNames = options.listPhotoNames?.(draft) ?? [stored.key];
  const isPreparing = useIsPreparing(photoNames);
  const leftOut = useLeftOut(photoNames);
  /** The files that were not added to the item with this id. */
  const [submittedWithout, setSubmittedWithout] = useState<{ id: string; names: string[] }>();
  /** The id of what was submitted here, until the form is shown for the next submission. */
  const [endedId, setEndedId] = useState<string>();
  const isBusy = useRef(false);
  const findElement = () => document.forms.namedItem(stored.key);

  const id = (submission.item ?? submission.receipt)?.id;
  const [idAtOpening] = useState(id);
  const isEarlier = keepsEarlier && id !== undefined && id === idAtOpening;
  const isFromThisForm = itemId !== undefined && id === itemId;
  const outcome = options.describe(submission, isFromThisForm);
  // Memoised, so that `edit` stays the same function while nothing but the values changes.
  const state = useMemo(
    () => getFormState({ submission, isFromThisForm, isStoring, isWaitingForPhotos }),
    [submission, isFromThisForm, isStoring, isWaitingForPhotos],
  );
  const { refused, unsent } = { refused: undefined, unsent: undefined, ...state };

  /** Shows changes, and stores them, so that they survive a reload. */
  const keep = (changes: Partial<Values>) => {
    setTyped(true);
    values.set({ ...values.get(), ...changes });
    stored.save(values.get(), refused);
  };

  const leaveOther = () => {
    if (!isFromThisForm && phase !== 'none') outboxState.leave();
  };
  const showErrors = (found: FieldErrors) => {
    setErrors(found);
    const form = findElement();
    if (Object.keys(found).length > 0 && form) focusFirstError(form);
  };

  const clearMessages = () => {
    setErrors({});
    setNotice(undefined);
    setResetCount((count) => count + 1);
  };
  /** Shows these values for the next submission. */
  const clear = (next: Values) => {
    setTyped(false);
    values.set(next);
    for (const name of photoNames) clearProblems(name);
    clearMessages();
    setItemId(undefined);
  };

  const store = async () => {
    stored.stop();
    // Corrected content gets a new key.
    const key = (!refused && draft.key) || newUuid();
    const item = await options.toSubmission(draft, key, refused);
    const { id, isStored } = await submit(item, { drafts: stored.keys, replaces: refused?.id });
    const isInDatabase = stored.keys.length > 0;
    // If only this page has the item, its draft is kept until it has arrived.
    if (isInDatabase && !isStored) keep({ key: id } as Partial<Values>);
    // The outbox deletes drafts in the browser's database together with storing the item, but not those elsewhere.
    if (!isInDatabase && isStored && !refused) void stored.delete();
    return id;
  };

  const send = async () => {
    leaveOther();
    isBusy.current = true;
    setStoring(true);
    setNotice(undefined);
    try {
      const id = await store();
      setItemId(id);
      setSubmittedWithout({ id, names: leftOut });
      for (const name of photoNames) clearProblems(name);
    } catch (error) {
      keep({});
      setNotice(options.describeFailure(error));
    }
    isBusy.current = false;
    setStoring(false);
  };

  const checkAndSend = () => {
    const found = Object.fromEntries(
      Object.entries(options.check(draft)).filter(([name]) => !isPreparing || !photoFields.test(name)),
    );
    showErrors(found);
    const [first] = Object.values(found);
    if (first !== undefined)
      setNotice(options.describeErrors ? options.describeErrors(found, draft) : { kind: 'error', text: first });
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
    if (state.name === 'done') {
      setEndedId(id);
      const next = options.getNext(draft, submission);
      if (next) clear(next);
    } else if (phase === 'refused' || phase === 'retrying') {
      const { item, error } = submission;
      if (isFromThisForm) showErrors(options.explain?.(item, error) ?? error.fields);
      else if (phase === 'refused') onReload?.();
    }
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the state of the submission changes
  useEffect(() => handlePhase(), [phase, isFromThisForm]);

  /** Changes values, also given as a function of the newest ones. Clears the errors of these fields and of `related`. */
  const edit = (change: Partial<Values> | ((latest: Values) => Partial<Values>), ...related: string[]) => {
    const changes = typeof change === 'function' ? change(values.get()) : change;
    // The server stores a submission only once per id, even if an earlier attempt succeeded.
    keep({ ...changes, ...(unsent && { key: unsent.id }) });
    if (unsent) outboxState.withdraw();
    if (!isEarlier) leaveOther();
    const names = [...Object.keys(changes), ...related, ...(options.listRelated?.(changes) ?? [])];
    setErrors((errors) => removeErrors(errors, ...names));
    setNotice(undefined);
  };

  const processing: Status = {
    kind: 'progress',
    text: processingImagesText,
    ...(isWaitingForPhotos && options.waitingText && { hint: options.waitingText }),
  };
  return {
    draft,
    /** Whether there is input of the user, and not only known values. */
    isTyped,
    edit,
    /** Fills in known values without starting a draft; only typing starts one. */
    prefill: (change: (latest: Values) => Values) => values.set(change(values.get())),
    findElement,
    outcome,
    /** Whether the outcome is of a submission from before the form was opened. */
    isEarlier,
    /** Whether what was submitted here has arrived or waits, and the form was not shown for another. */
    isEnded: endedId !== undefined && endedId === id,
    status: withLeftOut(
      isPreparing ? processing : (notice ?? (isEarlier ? undefined : outcome)),
      leftOut.length === 0 && submittedWithout?.id === id ? (submittedWithout?.names ?? []) : leftOut,
    ),
    errors,
    isPreparing,
    state,
    isFrozen: isFrozen(state),
    isFromThisForm,
    /** The item that the values correct. */
    refused,
    /** Whether the values were, or are being, submitted. */
    isSubmitted: itemId !== undefined,
    /** Changes whenever the fields are cleared. */
    resetCount,
    props: {
      name: stored.key,
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
    clear,
    clearMessages,
    /** Shows the form for the next submission, and focuses the first of these elements. */
    startNext(selector = 'fieldset button, fieldset input') {
      outboxState.leave();
      setNotice(undefined);
      flushSync(() => setEndedId(undefined));
      findElement()?.querySelector<HTMLElement>(selector)?.focus();
    },
  };
}

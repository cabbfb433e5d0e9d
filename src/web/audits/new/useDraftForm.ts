import { useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { useUser } from '../../client/session.ts';
import { createDraft } from '../../drafts/draftStore.ts';
import { newUuid } from '../../newUuid.ts';
import type { NewItem } from '../../outbox/items.ts';
import { submit } from '../../outbox/outbox.ts';
import { useOutboxForm } from '../../outbox/useOutboxForm.ts';
import type { SubmissionState } from '../../outbox/useSubmission.ts';
import type { Status } from '../../ui/feedback/StatusLine.tsx';
import { bindFields } from '../../ui/forms/bindFields.ts';
import type { FieldErrors } from '../../ui/forms/fieldErrors.ts';
import { getPhotoError } from '../auditStatus.ts';
import type { DraftFormProps } from './StoredDraft.tsx';

type Draft = { key?: string | undefined };

type DraftFormOptions<Values> = {
  /** Describes the state of the submission. */
  describe: (submission: SubmissionState, isFromThisForm: boolean) => Status | undefined;
  check: (draft: Values) => FieldErrors;
  /** Returns the outbox item with this id, which is also its idempotency key. */
  toSubmission: (draft: Values, id: string) => NewItem;
  /** The fields whose errors a change clears, besides those changed. */
  listRelated: (change: Partial<Values>) => string[];
  /** The values for the next submission once this one has arrived or waits; undefined to keep these. */
  getNext: (draft: Values, submission: SubmissionState) => Values | undefined;
  /** The message if the device has no room to store the submission. */
  failure: { text: string; hint: string };
};

/** The state of the form for a new audit or hazard, whose input is stored on the device. */
export function useDraftForm<Values extends Draft>(
  { initialValues, submittedItemId, draftName, outboxState, onReload }: DraftFormProps<Values>,
  options: DraftFormOptions<Values>,
) {
  const user = useUser();
  const stored = useMemo(() => createDraft<Values>(user.id, draftName), [user.id, draftName]);
  const [draft, setDraft] = useState(initialValues);
  const { submission } = outboxState;
  const submittedId = (submission.item ?? submission.receipt)?.id;
  /** The id of what was submitted here, until the form is shown for another. */
  const [endedId, setEndedId] = useState<string>();
  const isEnded = endedId !== undefined && endedId === submittedId;
  const form = useOutboxForm({
    name: stored.key,
    outboxState,
    submittedItemId,
    describe: (isFromThisForm) => options.describe(submission, isFromThisForm),
    keepsEarlier: true,
    photoNames: [stored.key],
    check: () => options.check(draft),
    isAboutPhotos: (field) => field === 'photos',
    describeErrors: (errors) => ({ kind: 'error', text: Object.values(errors)[0] ?? '' }),
    async store(refused) {
      stored.stop();
      // Corrected content gets a new key.
      const key = (!refused && draft.key) || newUuid();
      const { id, isStored } = await submit(options.toSubmission(draft, key), {
        drafts: [stored.key],
        replaces: refused?.id,
      });
      if (!isStored) stored.save({ ...draft, key: id });
      return id;
    },
    describeFailure() {
      stored.save(draft);
      return { kind: 'error', ...options.failure };
    },
    explain(item, error) {
      const { media_files = '', ...fields } = error.fields;
      const photos = getPhotoError(item, error) || media_files;
      return { errors: { ...fields, ...(photos && { photos }) } };
    },
    onDone() {
      setEndedId(submittedId);
      const next = options.getNext(draft, submission);
      if (!next) return;
      setDraft(next);
      form.startNext();
    },
    onReload,
  });

  const edit = (change: Partial<Values>) => {
    const next = { ...draft, ...change, ...form.sentKey };
    setDraft(next);
    // Input survives a reload.
    stored.save(next);
    form.touch(...Object.keys(change), ...options.listRelated(change));
  };
  const startNext = () => {
    outboxState.leave();
    flushSync(() => setEndedId(undefined));
    form.findElement()?.querySelector<HTMLElement>('fieldset button, fieldset input')?.focus();
  };
  return { stored, draft, setDraft, edit, form, isEnded, startNext, ...bindFields(draft, form.errors, edit) };
}

// What can be done with an open audit: save it, set its date and time, or complete it through the outbox.
import { useEffect, useEffectEvent, useState } from 'react';
import { api } from '#shared/api.ts';
import { auditFieldNames } from '#shared/audit-fields.ts';
import { type Audit, AuditChange } from '#shared/audits.ts';
import { findMissingInAnswer } from '#shared/lessons.ts';
import { queryClient, queryFor } from '../client/api.ts';
import { isTransientError, unreachable } from '../client/errors.ts';
import { getBaseVersion, isOwnVersion, sendChange } from '../client/sendChange.ts';
import { useUser } from '../client/session.ts';
import { useSave } from '../client/useSave.ts';
import { isSentAgain } from '../outbox/failedSubmission.ts';
import { getErrorReason } from '../outbox/getErrorReason.ts';
import { doneSection } from '../outbox/items.ts';
import { submit } from '../outbox/outbox.ts';
import type { useSubmission } from '../outbox/useSubmission.ts';
import { uploadForSave } from '../photos/uploadForSave.ts';
import type { UploadedPaths } from '../photos/uploadPhotos.ts';
import type { useFeedback } from '../ui/feedback/useFeedback.ts';
import { type FieldErrors, getFieldErrors } from '../ui/forms/fieldErrors.ts';
import { createChange } from './auditChange.ts';
import { completionFailed, getPhotoError } from './auditStatus.ts';
import { createCompletion } from './completion.ts';
import { toMediaFiles } from './new/auditDraft.ts';
import type { AuditFields, useAuditEdits } from './useAuditEdits.ts';

const allNames = [...auditFieldNames, 'photos'] as const;
/** The fields that each action saves, and its messages. */
const actions: Record<
  'save' | 'schedule' | 'complete',
  { names: readonly (keyof AuditFields)[]; button: string; done: string; failed: string }
> = {
  save: {
    names: allNames,
    button: 'Save Changes',
    done: 'Audit updated successfully',
    failed: 'Failed to update audit',
  },
  schedule: {
    names: ['date', 'time'],
    button: 'Update',
    done: 'Date and time updated successfully',
    failed: 'Failed to update date and time',
  },
  complete: {
    names: allNames,
    button: 'Complete Audit',
    done: 'Audit marked as completed successfully',
    failed: completionFailed,
  },
};
type ActionName = keyof typeof actions;

/** Unlike what is submitted, it does not wait for a connection. */
const describeUnsent = (button: string) =>
  `${unreachable} What you entered is kept on this device: press ${button} again when you have a connection.`;

/** Returns errors in the answer that an audit of a lesson needs to be completed. */
function findAnswerErrors({ data }: Audit, { answer, answer_note, photos }: AuditFields): FieldErrors {
  if (data.source?.thing !== 'lesson') return {};
  if (answer === '') return { answer: 'Choose what you found' };
  const missing = findMissingInAnswer(answer, answer_note, photos.length > 0);
  return missing ? { answer_note: missing } : {};
}

type Feedback = ReturnType<typeof useFeedback>;
/** `toast` shows the result of Save Changes, `feedback` that of the other actions. */
type FeedbackTargets = { feedback: Feedback; toast: Feedback };

const toFieldNames = (errors: FieldErrors): FieldErrors =>
  Object.fromEntries(Object.entries(errors).map(([name, text]) => [name.replace('data.', ''), text]));

const cacheAudit = (audit: Audit) =>
  queryClient.setQueryData(queryFor(api.getAudit, { params: { id: audit.id } }).queryKey, audit);

/** The named fields to save, and the audit whose version they change. */
type AuditVariables = {
  action: 'save' | 'schedule';
  names: (keyof AuditFields)[];
  values: AuditFields;
  base: Audit;
  version: number;
  /** Filled by each attempt, so that the next one uploads no photo twice. */
  uploaded: UploadedPaths;
};

async function sendAudit({ names, values, base, version, uploaded }: AuditVariables): Promise<Audit> {
  const photos = names.includes('photos') ? values.photos : [];
  const paths = await uploadForSave(photos, uploaded);
  const body = { ...createChange(names, values, base, toMediaFiles(photos, paths)), version };
  const saved = await sendChange(api.updateAudit, { params: { id: base.id }, body });
  cacheAudit(saved);
  return saved;
}

export function useAuditActions(
  audit: Audit,
  edits: ReturnType<typeof useAuditEdits>,
  outboxState: ReturnType<typeof useSubmission>,
  { feedback, toast }: FeedbackTargets,
  onSaved: () => void,
) {
  const user = useUser();
  const [reason, setReason] = useState('');
  const [completionConflict, setCompletionConflict] = useState<Audit>();
  const [isStoring, setStoring] = useState(false);
  const { values } = edits;
  const { baseVersion } = getBaseVersion({ id: audit.id }, audit, edits.version);

  const saving = useSave<AuditVariables, Audit>(`audit/${audit.id}`, {
    send: sendAudit,
    toFieldErrors: toFieldNames,
    onSaved(saved, { action, names, values }) {
      edits.markSaved(names, values, saved.version);
      (action === 'save' ? toast : feedback).showSuccess(actions[action].done);
      if (action === 'save') onSaved();
    },
    onFailed(error, { action, uploaded }, newer) {
      edits.setUploaded(error.code === 'FILE_USED' ? {} : uploaded);
      if (canChooseVersion(newer)) return;
      if (newer) cacheAudit(newer as Audit);
      (action === 'save' ? toast : feedback).showError(actions[action].failed);
      if (isTransientError(error)) setReason(describeUnsent(actions[action].button));
      else if (error.status >= 400 && error.status < 500) setReason(error.message);
    },
  });
  const { errors, showErrors } = saving;
  const canChooseVersion = (newer: unknown): newer is Audit =>
    edits.isChanged && (newer as Audit)?.data.completed === false;

  const getConflict = (): { current: Audit; action: ActionName } | undefined => {
    if (completionConflict) return { current: completionConflict, action: 'complete' };
    const { newer, variables } = saving;
    return variables && canChooseVersion(newer) ? { current: newer, action: variables.action } : undefined;
  };

  /** Sends the changes, based on the version they started from, or on `base` after a conflict. */
  function runAction(action: 'save' | 'schedule', base?: Audit) {
    const [, other] = action === 'save' ? [toast, feedback] : [feedback, toast];
    other.hide();
    setReason('');
    saving.save({
      action,
      names: actions[action].names.filter((name) => edits.changes[name] !== undefined),
      values,
      base: base ?? audit,
      version: base?.version ?? baseVersion,
      uploaded: { ...edits.uploaded },
    });
  }

  /**
   * Stores the completion in the outbox, with all unsaved changes, based on the version they
   * started from or on `base` after a conflict. Resolves with whether it could be stored.
   */
  async function complete(base?: Audit): Promise<boolean> {
    toast.hide();
    setStoring(true);
    showErrors({});
    setReason('');
    const isStored = await submit(createCompletion(audit, { ...edits, version: baseVersion }, user, base)).then(
      () => true,
      () => false,
    );
    setStoring(false);
    if (isStored) setCompletionConflict(undefined);
    else {
      feedback.showError(actions.complete.failed);
      setReason('There is no room on this device to save it. Complete it when you are back online.');
    }
    return isStored;
  }

  /** Completes the audit all the same if this page has saved the newer version without a response. */
  async function resolveConflict(newer: Audit) {
    if (await isOwnVersion({ id: audit.id }, edits.version, newer).catch(() => false)) await complete(newer);
    else setCompletionConflict(newer);
  }

  const { submission } = outboxState;
  /** Shows the outcome of a completion, which may have been sent while this screen was closed. */
  const handleOutcome = useEffectEvent(() => {
    const { done, failed } = actions.complete;
    if (submission.phase === 'sent') {
      const { completedBy } = submission.receipt;
      if (!completedBy) edits.discard();
      feedback.showSuccess(completedBy ? `This audit was already completed by ${completedBy}.` : done);
      return outboxState.leave();
    }
    if (submission.phase !== 'refused' && submission.phase !== 'retrying') return;
    const { item, error, phase } = submission;
    const isStored = phase === 'refused' || submission.isStored;
    // If the audit is gone, only the waiting item is left.
    const isGone = error.status === 403 || error.status === 404;
    // The edits are stored separately, and are sent with the next completion.
    if (!isStored || (phase === 'refused' && !isGone)) outboxState.withdraw();
    const current = error.current as Audit | undefined;
    if (!current && error.code === 'STALE') {
      // A shared device has sent it, and does not see the audit. Its user does.
      queryClient.fetchQuery({ ...queryFor(api.getAudit, { params: { id: audit.id } }), staleTime: 0 }).then(
        (newer) => (edits.isChanged ? resolveConflict(newer) : undefined),
        () => undefined,
      );
    }
    if (current && edits.isChanged) return void resolveConflict(current);
    if (current) cacheAudit(current);
    // What the device sends again has its message at the button.
    if (!isSentAgain(submission)) feedback.showError(failed);
    const photos = getPhotoError(item, error);
    const isOfNote = item.files.find(({ id }) => id === error.file)?.section === doneSection;
    showErrors({ ...toFieldNames(error.fields), ...(photos && { [isOfNote ? 'done_photos' : 'photos']: photos }) });
    if (isOfNote) setReason(photos);
    else if (phase === 'refused' && !photos) setReason(error.message);
    else if (!isStored) setReason(getErrorReason(error));
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the state of the completion changes
  useEffect(() => handleOutcome(), [submission.phase]);

  /** Whether the input can be saved; shows errors at their fields. */
  function check(action: ActionName): boolean {
    const foundErrors = getFieldErrors(AuditChange, createChange(actions[action].names, values, audit, []));
    return !showErrors({ ...toFieldNames(foundErrors), ...(action === 'complete' && findAnswerErrors(audit, values)) });
  }

  const dismissConflict = () => {
    setCompletionConflict(undefined);
    saving.dismiss();
  };

  function acceptOtherVersion(current: Audit) {
    edits.acceptOtherVersion(current);
    cacheAudit(current);
    dismissConflict();
  }

  const isCompleting = isStoring || submission.phase === 'sending' || submission.phase === 'signIn';
  return {
    runAction,
    complete,
    check,
    clearErrors: saving.clearErrors,
    acceptOtherVersion,
    busy: isCompleting ? ('complete' as const) : saving.isSaving ? saving.variables?.action : undefined,
    errors,
    reason,
    conflict: getConflict(),
    dismissConflict,
  };
}

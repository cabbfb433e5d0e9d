// Actions on an open audit: save, schedule, and complete, which goes through the outbox.
import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { api } from '#shared/api.ts';
import { type Audit, AuditChange } from '#shared/audits.ts';
import { ApiError } from '#shared/client.ts';
import { mutationFor, queryClient, queryFor } from '../client/api.ts';
import { readError } from '../client/errors.ts';
import { useUser } from '../client/session.ts';
import { getErrorReason } from '../outbox/getErrorReason.ts';
import { submit } from '../outbox/outbox.ts';
import type { useSubmission } from '../outbox/useSubmission.ts';
import { uploadPhotos } from '../photos/uploadPhotos.ts';
import type { useFeedback } from '../ui/feedback/useFeedback.ts';
import { type FieldErrors, getFieldErrors, removeErrors } from '../ui/forms/fieldErrors.ts';
import { createChange } from './auditChange.ts';
import { toMediaFiles } from './auditDraft.ts';
import { getPhotoError } from './auditStatus.ts';
import { createCompletion } from './completion.ts';
import { describeFailures, isClientError } from './messages.ts';
import type { Fields, useAuditEdits } from './useAuditEdits.ts';

/** The fields that each action saves, and its messages. */
const actions: Record<'save' | 'schedule' | 'complete', { names: (keyof Fields)[]; done: string; failed: string }> = {
  save: {
    names: ['title', 'location', 'assignee', 'description', 'is_urgent', 'photos', 'date', 'time'],
    done: 'Audit updated successfully',
    failed: 'Failed to update audit',
  },
  schedule: {
    names: ['date', 'time'],
    done: 'Date and time updated successfully',
    failed: 'Failed to update date and time',
  },
  complete: {
    names: ['title', 'location', 'assignee', 'description', 'is_urgent', 'photos', 'date', 'time'],
    done: 'Audit marked as completed successfully',
    failed: 'Failed to mark audit as completed',
  },
};
type ActionName = keyof typeof actions;

type Feedback = ReturnType<typeof useFeedback>;
/** `toast` shows the result of saving, `feedback` that of other actions. */
type FeedbackTargets = { feedback: Feedback; toast: Feedback };

const toFieldNames = (errors: FieldErrors): FieldErrors =>
  Object.fromEntries(Object.entries(errors).map(([name, text]) => [name.replace('data.', ''), text]));

export function useAuditActions(
  audit: Audit,
  edits: ReturnType<typeof useAuditEdits>,
  following: ReturnType<typeof useSubmission>,
  { feedback, toast }: FeedbackTargets,
) {
  const user = useUser();
  const update = useMutation(mutationFor(api.updateAudit));
  const [errors, setErrors] = useState<FieldErrors>({});
  const [reason, setReason] = useState('');
  const [conflict, setConflict] = useState<{ current: Audit; action: ActionName }>();
  const [busy, setBusy] = useState<ActionName>();
  const { values } = edits;
  const params = { id: audit.id };
  const show = (audit: Audit) => queryClient.setQueryData(queryFor(api.getAudit, { params }).queryKey, audit);

  /** Sends the changes on top of the version they started from, or of `onto` after a conflict. */
  async function runAction(action: 'save' | 'schedule', onto?: Audit) {
    const { names, done, failed } = actions[action];
    const [target, other] = action === 'save' ? [toast, feedback] : [feedback, toast];
    const sent = names.filter((name) => edits.changes[name] !== undefined);
    other.hide();
    setBusy(action);
    setErrors({});
    setReason('');
    try {
      const photos = names.includes('photos') ? values.photos : [];
      const { paths, failures } = await uploadPhotos(photos, edits.uploaded);
      if (photos.length > 0) edits.setUploaded(paths);
      if (failures.length > 0) {
        setErrors({ photos: describeFailures(photos, failures, Object.keys(paths).length) });
        throw new ApiError(0, '');
      }
      const change = createChange(sent, values, onto ?? audit, toMediaFiles(photos, paths));
      const version = onto?.version ?? edits.version;
      const saved = await update.mutateAsync({ params, body: { ...change, version } });
      edits.markSaved(sent, saved.version);
      show(saved);
      setConflict(undefined);
      target.showSuccess(done);
    } catch (thrown) {
      const error = readError(thrown);
      if (error.code === 'FILE_USED') edits.setUploaded({});
      const current = error.body.current as Audit | undefined;
      if (current && edits.isChanged && !current.data.completed) return setConflict({ current, action });
      setConflict(undefined);
      if (current) show(current);
      target.showError(failed);
      if (!isClientError(error)) return;
      setReason(error.message);
      setErrors(toFieldNames(error.fields));
    } finally {
      setBusy(undefined);
    }
  }

  /**
   * Stores the completion to be sent, with all unsaved changes, on top of the version they started
   * from or of `onto` after a conflict. Resolves with whether it could be stored.
   */
  async function complete(onto?: Audit): Promise<boolean> {
    toast.hide();
    setBusy('complete');
    setErrors({});
    setReason('');
    try {
      await submit(createCompletion(audit, edits, user, onto));
      setConflict(undefined);
      return true;
    } catch {
      feedback.showError(actions.complete.failed);
      setReason('There is no room on this device to save it. Complete it when you are back online.');
      return false;
    } finally {
      setBusy(undefined);
    }
  }

  const { submission } = following;
  /** What has become of a completion, which may have been sent while this screen was not open. */
  const handleOutcome = useEffectEvent(() => {
    const { done, failed } = actions.complete;
    if (submission.phase === 'sent') {
      const { completedBy } = submission.receipt;
      if (!completedBy) edits.discard();
      feedback.showSuccess(completedBy ? `This audit was already completed by ${completedBy}.` : done);
      return following.leave();
    }
    if (submission.phase !== 'refused' && submission.phase !== 'retrying') return;
    const { item, error, phase } = submission;
    const isStored = phase === 'refused' || submission.isStored;
    // Of an audit that is gone, what waits is all there is.
    const isGone = error.status === 403 || error.status === 404;
    // The edits are stored themselves, and are completed again from here.
    if (!isStored || (phase === 'refused' && !isGone)) following.withdraw();
    const current = error.current as Audit | undefined;
    if (current && edits.isChanged) return setConflict({ current, action: 'complete' });
    if (current) show(current);
    feedback.showError(failed);
    const photos = getPhotoError(item, error);
    setErrors({ ...toFieldNames(error.fields), ...(photos && { photos }) });
    if (phase === 'refused' && !photos) setReason(error.message);
    else if (!isStored) setReason(getErrorReason(error));
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when something has become of the completion
  useEffect(() => handleOutcome(), [submission.phase]);

  /** Whether the input can be saved; shows errors at their fields. */
  function check(action: ActionName): boolean {
    const wrong = getFieldErrors(AuditChange, createChange(actions[action].names, values, audit, []));
    setErrors(toFieldNames(wrong));
    return Object.keys(wrong).length === 0;
  }

  function acceptTheirs(current: Audit) {
    edits.acceptTheirs(current);
    show(current);
    setConflict(undefined);
  }

  const clearError = (name: keyof Fields) => setErrors((errors) => removeErrors(errors, name));

  const isCompleting = busy === 'complete' || submission.phase === 'sending' || submission.phase === 'signIn';
  return {
    runAction,
    complete,
    check,
    clearError,
    acceptTheirs,
    busy: isCompleting ? 'complete' : busy,
    errors,
    reason,
    conflict,
    dismiss: () => setConflict(undefined),
  };
}

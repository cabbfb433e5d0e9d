// The message below a checklist's fields about its submission. Toasts announce what has arrived or is saved.
import { describeFailedSubmission } from '../outbox/failedSubmission.ts';
import type { SendError } from '../outbox/items.ts';
import type { SubmissionState } from '../outbox/useSubmission.ts';
import type { Status } from '../ui/feedback/StatusLine.tsx';

export const submitFailed = 'Failed to submit checklist. Please try again.';
export const answersKept = 'Your answers are still here.';

export const isChecklistDeleted = ({ status }: SendError) => status === 404;

export function getChecklistStatus(submission: SubmissionState): Status | undefined {
  if (submission.phase !== 'retrying' && submission.phase !== 'refused') return undefined;
  // A toast says so, because the form is removed with its checklist.
  if (isChecklistDeleted(submission.error)) return undefined;
  const hasResponse = submission.error.status !== 0;
  const line = hasResponse ? submitFailed : 'An error occurred. Please try again.';
  return describeFailedSubmission(submission, { line, next: { onlyInPage: answersKept } });
}

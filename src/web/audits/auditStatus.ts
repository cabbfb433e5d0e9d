// Messages about sending an audit, a hazard or the completion of an audit.
import { describeFailedSubmission } from '../outbox/failedSubmission.ts';
import { listPhotoErrors } from '../outbox/getErrorReason.ts';
import type { OutboxItem, SendError } from '../outbox/items.ts';
import { savedOnDevice } from '../outbox/receiptText.ts';
import type { SubmissionState } from '../outbox/useSubmission.ts';
import { getUploadError } from '../photos/describeFailedPhotos.ts';
import { processingImagesText } from '../photos/preparing.ts';
import type { Status } from '../ui/feedback/StatusLine.tsx';
import { joinSentences } from '../ui/feedback/sentences.ts';
import type { FieldErrors } from '../ui/forms/fieldErrors.ts';

/** Returns which photos were not uploaded, and why; '' for other errors. */
export const getPhotoError = (item: OutboxItem, error: SendError): string =>
  error.step === 'photo' ? joinSentences(...listPhotoErrors(item, error)) : '';

/** Returns the errors of a new audit or hazard that was rejected or not sent, by field of its form. */
export function toAuditErrors(item: OutboxItem, error: SendError): FieldErrors {
  const { media_files = '', ...fields } = error.fields;
  const photos = getPhotoError(item, error) || media_files;
  return { ...fields, ...(photos && { photos }) };
}

/** `isFromThisForm`: the form's values are the submitted ones, so it opens the folder when they arrive. */
export const getAuditStatus = (submission: SubmissionState, isFromThisForm: boolean) =>
  describeSubmission(submission, {
    sending: 'Creating the audit...',
    sent: () => `Audit created successfully!${isFromThisForm ? ' Redirecting...' : ''}`,
    failed: 'Failed to create audit. Please try again.',
  });

export const getHazardStatus = (submission: SubmissionState) =>
  describeSubmission(submission, {
    sending: 'Sending the hazard...',
    sent: (park) => `Hazard reported. It is in the audits of ${park}.`,
    failed: 'The hazard could not be sent.',
  });

type Texts = { sending: string; sent: (park: string) => string; failed: string };

function describeSubmission(submission: SubmissionState, { sending, sent, failed }: Texts): Status | undefined {
  switch (submission.phase) {
    case 'none':
      return undefined;
    case 'signIn':
    case 'sending': {
      const hasUnsentPhotos = submission.item.files.some(({ upload, problem }) => !upload && !problem);
      return { kind: 'progress', text: hasUnsentPhotos ? processingImagesText : sending };
    }
    case 'saved':
      return { kind: 'success', text: savedOnDevice };
    case 'sent':
      return { kind: 'success', text: sent(submission.receipt.park) };
    default: {
      const { item, error } = submission;
      if (error.step === 'submit') return describeFailedSubmission(submission, { line: failed });
      const uploadedCount = item.files.filter(({ upload }) => upload).length;
      // The reason is at the photos.
      return describeFailedSubmission(submission, { line: getUploadError(error, uploadedCount), reason: '' });
    }
  }
}

export const completionFailed = 'Failed to mark audit as completed';

/** Returns the message about a completion until it has arrived or is rejected. */
export function getCompletionStatus(submission: SubmissionState): Status | undefined {
  switch (submission.phase) {
    case 'signIn':
    case 'sending':
      return { kind: 'progress', text: 'Completing the audit...' };
    case 'saved':
      return { kind: 'success', text: savedOnDevice };
    case 'retrying':
      return submission.isStored ? describeFailedSubmission(submission, { line: completionFailed }) : undefined;
    default:
      return undefined;
  }
}

/** Whether this submission completes the audit, or did so before anyone else. */
export const isCompletedBySubmission = (submission: SubmissionState): boolean =>
  submission.phase === 'sent' ? !submission.receipt.completedBy : getCompletionStatus(submission) !== undefined;

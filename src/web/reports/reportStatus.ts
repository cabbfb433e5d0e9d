// The status text below a report form's button.
import { describeUploadError } from '../client/errors.ts';
import { getErrorReason, listPhotoErrors } from '../outbox/getErrorReason.ts';
import type { OutboxItem, SendError } from '../outbox/items.ts';
import { savedOnDevice } from '../outbox/receiptText.ts';
import type { SubmissionState } from '../outbox/useSubmission.ts';
import type { Status } from '../ui/feedback/StatusLine.tsx';
import { joinSentences } from '../ui/feedback/sentences.ts';
import { messages, type Variant } from './variants.ts';

const submitAgainText = 'Check the report and submit it again: everything you entered is still here.';
const keepOpenText = 'Submit it again before you leave this screen: everything you entered is still here.';
const retryText =
  'Press Submit Report to try again now, or leave it: it is saved on this device and will be tried again.';

/** Returns what failed, in the form's own words. */
function getErrorText(error: SendError, variant: Variant): string {
  if (error.step === 'photo') return messages.filesFailed;
  if (error.step === 'signature') return messages.signatureFailed;
  if (error.step === 'affectedUserSignature') return messages.affectedSignatureFailed;
  return variant.formatFailure(getErrorReason(error));
}

/** Whether the server failed, so that its text says nothing about the report. */
const isServerProblem = ({ step, status }: SendError) => step === 'submit' && status >= 500;

/** Returns why photos failed, then what to do. Other reasons are technical, so they are details. */
function describeNextStep(item: OutboxItem, error: SendError, next: string): Pick<Status, 'hint' | 'details'> {
  if (error.step === 'submit') return { hint: next };
  const photos = listPhotoErrors(item, error);
  if (photos.length > 0) return { hint: joinSentences(...photos, next) };
  return { hint: next, details: describeUploadError(error, error.step === 'photo' ? 'image' : 'signature') };
}

export const storageFullStatus: Status = {
  kind: 'error',
  text: 'This report could not be saved: there is no room on this device.',
  hint: 'Free some space on the device, or submit when you are back online: everything you entered is still here.',
};

export function getReportStatus(submission: SubmissionState, variant: Variant): Status | undefined {
  switch (submission.phase) {
    case 'sending':
    case 'signIn':
      return { kind: 'progress', text: messages.sending };
    case 'retrying': {
      const { item, error, isStored } = submission;
      if (isServerProblem(error)) {
        const text = isStored
          ? 'The server has a problem: your report is saved on this device and will be tried again.'
          : 'The server has a problem: submit your report again in a moment.';
        return { kind: 'error', text, details: getErrorText(error, variant) };
      }
      const next = describeNextStep(item, error, isStored ? retryText : keepOpenText);
      return { kind: 'error', text: getErrorText(error, variant), ...next };
    }
    case 'refused': {
      const { item, error } = submission;
      return {
        kind: 'error',
        text: getErrorText(error, variant),
        ...describeNextStep(item, error, submitAgainText),
      };
    }
    case 'sent':
      return { kind: 'success', text: variant.submittedMessage };
    case 'saved':
      return { kind: 'success', text: savedOnDevice };
    case 'none':
      return undefined;
  }
}

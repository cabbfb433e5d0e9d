// The status text below a report form's button.
import { describeUploadError } from '../client/errors.ts';
import { describeFailedSubmission, type FailedSubmission } from '../outbox/failedSubmission.ts';
import { listPhotoErrors } from '../outbox/getErrorReason.ts';
import type { SendError } from '../outbox/items.ts';
import { savedOnDevice } from '../outbox/receiptText.ts';
import type { SubmissionState } from '../outbox/useSubmission.ts';
import type { Status } from '../ui/feedback/StatusLine.tsx';
import { joinSentences } from '../ui/feedback/sentences.ts';
import { messages, type Variant } from './variants.ts';

const next = {
  refused: 'Check the report and submit it again: everything you entered is still here.',
  onlyInPage: 'Submit it again before you leave this screen: everything you entered is still here.',
};

/** The specified text for each step. */
const getLine = ({ step }: SendError, variant: Variant) =>
  ({
    photo: messages.filesFailed,
    signature: messages.signatureFailed,
    affectedUserSignature: messages.affectedSignatureFailed,
    submit: variant.formatFailure,
  })[step];

function describeFailure(submission: FailedSubmission, variant: Variant): Status {
  const { item, error } = submission;
  const texts = { line: getLine(error, variant), next };
  if (error.step === 'submit') return describeFailedSubmission(submission, texts);
  // Which photos failed, and why. Other reasons are technical, so they are details.
  const photos = listPhotoErrors(item, error);
  const details = describeUploadError(error, error.step === 'photo' ? 'image' : 'signature');
  return describeFailedSubmission(submission, {
    ...texts,
    reason: joinSentences(...photos),
    ...(photos.length === 0 && { details }),
  });
}

export const storageFull: Status = {
  kind: 'error',
  text: 'This report could not be saved: there is no room on this device.',
  hint: 'Free some space on the device, or submit when you are back online: everything you entered is still here.',
};

export function getReportStatus(submission: SubmissionState, variant: Variant): Status | undefined {
  switch (submission.phase) {
    case 'sending':
    case 'signIn':
      return { kind: 'progress', text: messages.sending };
    case 'retrying':
    case 'refused':
      return describeFailure(submission, variant);
    case 'sent':
      return { kind: 'success', text: variant.submittedMessage };
    case 'saved':
      return { kind: 'success', text: savedOnDevice };
    case 'none':
      return undefined;
  }
}

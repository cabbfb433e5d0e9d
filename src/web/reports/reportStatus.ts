// What a report form says below its button.
import { getErrorReason, unreachable } from '../outbox/getErrorReason.ts';
import type { SendError } from '../outbox/items.ts';
import type { Submission } from '../outbox/useSubmission.ts';
import type { Status } from '../ui/feedback/StatusLine.tsx';
import { joinSentences } from '../ui/feedback/sentences.ts';
import { messages, type Variant } from './variants.ts';

const stillHere = 'Everything you entered is still here.';

/** What failed, in the words of the form. */
function getErrorText(error: SendError, variant: Variant): string {
  if (error.step === 'photo') return messages.filesFailed;
  if (error.step === 'signature') return messages.signatureFailed;
  if (error.step === 'affectedUserSignature') return messages.affectedSignatureFailed;
  return variant.formatFailure(getErrorReason(error));
}

/** Why, where the text does not say. */
function getErrorDetail(error: SendError): string {
  if (error.step === 'submit') return '';
  if (error.status === 0) return unreachable;
  const what = error.step === 'photo' ? 'image' : 'signature';
  return error.message || `Error uploading ${what}: ${error.status} ${error.text.slice(0, 100)}`.trim();
}

const savedStatus: Status = {
  kind: 'success',
  text: 'Saved on this device. It will be sent when you are back online.',
};

export const noRoomStatus: Status = {
  kind: 'error',
  text: 'This report could not be saved: there is no room on this device.',
  hint: `${stillHere} Free some space on the device, or submit when you are back online.`,
};

export function getReportStatus(submission: Submission, variant: Variant): Status | undefined {
  switch (submission.phase) {
    case 'sending':
    case 'signIn':
      return { kind: 'progress', text: messages.sending };
    case 'retrying': {
      const { error, isStored } = submission;
      const next = isStored ? 'Saved on this device. It will be tried again.' : stillHere;
      return { kind: 'error', text: getErrorText(error, variant), hint: joinSentences(getErrorDetail(error), next) };
    }
    case 'refused': {
      const { error } = submission;
      const hint = joinSentences(getErrorDetail(error), stillHere);
      return { kind: 'error', text: getErrorText(error, variant), hint };
    }
    case 'sent':
      return { kind: 'success', text: variant.submittedMessage };
    case 'saved':
      return savedStatus;
    case 'none':
      return undefined;
  }
}

// The message about a submission that has failed: one rule for every form that the device can keep.
import type { Status } from '../ui/feedback/StatusLine.tsx';
import { joinSentences } from '../ui/feedback/sentences.ts';
import { getErrorReason } from './getErrorReason.ts';
import type { SendError } from './items.ts';
import { savedForRetry } from './receiptText.ts';
import type { SubmissionState } from './useSubmission.ts';

export const keptText = 'It is kept on this device and is sent again by itself. You need not press again.';

/** What to do if the server has received something else from this form, for example from another tab. */
const receivedBeforeText =
  'What you entered here may be different and was not sent. Send it again to add it as another one, or delete it in the Outbox.';

export type FailedSubmission = Extract<SubmissionState, { phase: 'retrying' | 'refused' }>;

type FailureTexts = {
  /** The specified text, as it is or with the reason in it. */
  line: string | ((reason: string) => string);
  /** Replaces the reason from the response. */
  reason?: string;
  /** What to do if the server rejected it, and if only this page has it. */
  next?: { refused?: string; onlyInPage?: string };
  details?: string | undefined;
};

const maxReasonLength = 100;

/** Whether the device keeps the submission and sends it again. */
export const isSentAgain = (submission: SubmissionState) => submission.phase === 'retrying' && submission.isStored;

/**
 * Returns the specified text and, if the device sends the submission again by itself, that nobody needs to press
 * again. Without a response, nothing has gone wrong: it only says that the submission is saved.
 */
export function describeFailedSubmission(
  submission: FailedSubmission,
  { line, reason: givenReason, next = {}, details }: FailureTexts,
): Status {
  const { phase, error } = submission;
  const willBeSent = isSentAgain(submission);
  if (willBeSent && error.status < 400) return { kind: 'success', text: savedForRetry };

  const shortReason = shortenReason(error);
  const fullReason = error.message || shortReason;
  const isInLine = typeof line === 'function';
  const reason = givenReason ?? (isInLine || willBeSent ? '' : fullReason);
  const isCut = isInLine && shortReason !== fullReason;
  const isLeftOut = !isInLine && willBeSent && givenReason === undefined;
  const nextText = phase === 'refused' ? getNextIfRefused(error, next.refused) : next.onlyInPage;
  const hint = joinSentences(reason, willBeSent ? '' : (nextText ?? ''));
  const shownDetails = details ?? (isCut || isLeftOut ? fullReason : '');
  return {
    kind: 'error',
    text: isInLine ? line(shortReason) : line,
    ...(willBeSent && { alsoText: keptText }),
    ...(hint && { hint }),
    ...(shownDetails && { details: shownDetails }),
  };
}

const getNextIfRefused = ({ step, code }: SendError, next: string | undefined) =>
  step === 'submit' && code === 'KEY_REUSED' ? receivedBeforeText : next;

/** Returns the reason for a line: without tags, because a gateway responds with a page, and cut. */
function shortenReason(error: SendError): string {
  const isPage = error.message === '' && error.text !== '';
  const reason = isPage ? withoutTags(error.text) || String(error.status) : getErrorReason(error);
  // By whole characters: half an emoji would be shown as a broken one.
  return [...reason].slice(0, maxReasonLength).join('').trim();
}

const withoutTags = (html: string) =>
  html
    // The body may be cut in the middle of a style sheet or a tag.
    .replace(/<(style|script)\b.*?(?:<\/\1>|$)/gis, ' ')
    .replace(/<[^>]*(?:>|$)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

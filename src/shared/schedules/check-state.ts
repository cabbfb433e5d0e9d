// Which submission of a checklist at a park answers which of its scheduled checks there.
import { getToday } from '../dates.ts';
import type { Occurrence } from './expand-schedule.ts';

const dayMs = 24 * 60 * 60_000;

/** A submission of the scheduled checklist at the park. Timestamps are ISO 8601 UTC. */
export type CheckSubmission = {
  id: string;
  receivedAt: string;
  /** When it was filled in by the device's clock, if it was sent later. */
  capturedAt?: string | null;
  /** The id of its place; empty if it has none. */
  place?: string;
};

type AnswerableCheck = Omit<Occurrence, 'day'> & {
  id: string;
  /** The id of the place that is checked; empty for the park as a whole. */
  place?: string;
  /** Whether a submission that is not among those to assign answers it. */
  isAnswered?: boolean;
};

/**
 * Returns the submission that answers each check. In the order in which they were filled in, each
 * submission answers one check: one whose window it falls into, otherwise the last one before it
 * that nobody answered, until the end of the day on which that window closed.
 *
 * A submission with a place answers a check of that place. If none of them has its window or its day then, it answers
 * one of the park as a whole, as submissions without a place do.
 */
export function assignSubmissions<S extends CheckSubmission>(
  checks: readonly AnswerableCheck[],
  submissions: readonly S[],
): Map<string, S> {
  const answers = new Map<string, S>();
  const byPlace = Map.groupBy(
    checks.toSorted((a, b) => compare(a.closesAt, b.closesAt)),
    ({ place = '' }) => place,
  );
  for (const submission of submissions.toSorted(compareFilledIn)) {
    const at = getDeviceTime(submission);
    const ofPlace = listAnswerable(byPlace.get(submission.place ?? '') ?? [], at);
    const { current, closed } = ofPlace.isAny ? ofPlace : listAnswerable(byPlace.get('') ?? [], at);
    const isUnanswered = ({ id, isAnswered }: AnswerableCheck) => !isAnswered && !answers.has(id);
    const check = current.length > 0 ? current.find(isUnanswered) : closed.findLast(isUnanswered);
    if (check) answers.set(check.id, submission);
  }
  return answers;
}

/** Returns the checks whose window is open at a time, and those whose window closed on that day. */
function listAnswerable(checks: AnswerableCheck[], at: string) {
  const today = getToday(new Date(at));
  const current = checks.filter(({ opensAt, closesAt }) => opensAt <= at && at < closesAt);
  const closed = checks.filter((check) => check.closesAt <= at && getClosingDay(check) === today);
  return { current, closed, isAny: current.length + closed.length > 0 };
}

/** A window that closes at midnight closes on the day before. */
const getClosingDay = ({ closesAt }: AnswerableCheck) => getToday(new Date(Date.parse(closesAt) - 1));

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const compareFilledIn = (a: CheckSubmission, b: CheckSubmission) =>
  compare(getDeviceTime(a), getDeviceTime(b)) || compare(a.id, b.id);

type Times = Pick<CheckSubmission, 'receivedAt' | 'capturedAt'>;

/** Returns when a submission was filled in by the device's clock; the server's time if that is unknown or ahead. */
export const getDeviceTime = ({ receivedAt, capturedAt }: Times): string =>
  capturedAt && capturedAt <= receivedAt ? capturedAt : receivedAt;

/** Whether the server received a submission within a day of the time when it was filled in. */
export const isRecent = (filledInAt: string, receivedAt: string): boolean =>
  Date.parse(receivedAt) - Date.parse(filledInAt) <= dayMs;

/**
 * Returns when a submission counts as filled in: the device's time if the server received the submission
 * within a day of it, otherwise the server's time.
 */
export function getFilledInAt(times: Times): string {
  const at = getDeviceTime(times);
  return isRecent(at, times.receivedAt) ? at : times.receivedAt;
}

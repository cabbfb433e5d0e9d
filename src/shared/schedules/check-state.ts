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
};

type AnswerableCheck = Omit<Occurrence, 'day'> & {
  id: string;
  /** Whether a submission that is not among those to assign answers it. */
  isAnswered?: boolean;
};

/**
 * Returns the submission that answers each check. In the order in which they were filled in, each
 * submission answers one check: one whose window it falls into, otherwise the last one before it
 * that nobody answered, until the end of the day on which that window closed.
 */
export function assignSubmissions<S extends CheckSubmission>(
  checks: readonly AnswerableCheck[],
  submissions: readonly S[],
): Map<string, S> {
  const answers = new Map<string, S>();
  const byClosingTime = checks.toSorted((a, b) => compare(a.closesAt, b.closesAt));
  for (const submission of submissions.toSorted(compareFilledIn)) {
    const at = getFilledInAt(submission);
    const today = getToday(new Date(at));
    const isUnanswered = ({ id, isAnswered }: AnswerableCheck) => !isAnswered && !answers.has(id);
    const current = byClosingTime.filter(({ opensAt, closesAt }) => opensAt <= at && at < closesAt);
    const check =
      current.length > 0
        ? current.find(isUnanswered)
        : byClosingTime.findLast(
            (check) => check.closesAt <= at && isUnanswered(check) && getClosingDay(check) === today,
          );
    if (check) answers.set(check.id, submission);
  }
  return answers;
}

/** A window that closes at midnight closes on the day before. */
const getClosingDay = ({ closesAt }: AnswerableCheck) => getToday(new Date(Date.parse(closesAt) - 1));

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const compareFilledIn = (a: CheckSubmission, b: CheckSubmission) =>
  compare(getFilledInAt(a), getFilledInAt(b)) || compare(a.id, b.id);

/**
 * Returns when a submission was filled in: the device's time if the server received the submission
 * within a day of it, otherwise the server's time.
 */
export function getFilledInAt({ receivedAt, capturedAt }: Pick<CheckSubmission, 'receivedAt' | 'capturedAt'>): string {
  if (!capturedAt || capturedAt > receivedAt) return receivedAt;
  return Date.parse(receivedAt) - Date.parse(capturedAt) <= dayMs ? capturedAt : receivedAt;
}

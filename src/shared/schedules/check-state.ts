// The state of a scheduled check: decided by the submissions of its checklist at its park, and by
// the time.
import type { Occurrence } from './expand-schedule.ts';

const dayMs = 24 * 60 * 60_000;

/** A submission of the scheduled checklist at the park. Timestamps are ISO 8601 UTC. */
export type CheckSubmission = {
  id: string;
  receivedAt: string;
  /** When it was filled in by the device's clock, if it was sent later. */
  capturedAt?: string | null;
  /** The number of failing answers. */
  failures: number;
};

export type CheckState =
  | { state: 'upcoming' | 'due' | 'missed' }
  | {
      state: 'done' | 'doneWithFailures' | 'late';
      submissionId: string;
      /** On time only by the device's clock: the server received it after the window closed. */
      isTimeFromDevice: boolean;
    };

/**
 * Returns the state of a check at `now`. `filledIn` are the submissions in any order; `nextOpensAt`
 * is when the schedule's next window opens at the park: later submissions belong to that window.
 */
export function getCheckState(
  { opensAt, closesAt }: Occurrence,
  nextOpensAt: string | undefined,
  filledIn: readonly CheckSubmission[],
  now: string,
): CheckState {
  const answers = filledIn
    .filter(({ receivedAt }) => receivedAt <= now)
    .map((submission) => ({ ...submission, at: getFilledInAt(submission) }))
    .filter(({ at }) => at >= opensAt && (nextOpensAt === undefined || at < nextOpensAt))
    .sort((a, b) => (a.at < b.at ? -1 : 1));
  const first = answers[0];
  if (!first) return { state: now < opensAt ? 'upcoming' : now < closesAt ? 'due' : 'missed' };
  const isOnTime = first.at < closesAt;
  return {
    state: !isOnTime ? 'late' : first.failures > 0 ? 'doneWithFailures' : 'done',
    submissionId: first.id,
    isTimeFromDevice: isOnTime && first.receivedAt >= closesAt,
  };
}

/**
 * The device's time counts if the server received the submission within a day of it; otherwise the
 * server's time counts.
 */
export function getFilledInAt({ receivedAt, capturedAt }: Pick<CheckSubmission, 'receivedAt' | 'capturedAt'>): string {
  if (!capturedAt || capturedAt > receivedAt) return receivedAt;
  return Date.parse(receivedAt) - Date.parse(capturedAt) <= dayMs ? capturedAt : receivedAt;
}

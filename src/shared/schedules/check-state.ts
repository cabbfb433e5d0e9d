// What became of a check that was due: decided by the submissions of its checklist at its park, and by the clock.
import type { Occurrence } from './expand-schedule.ts';

const dayMs = 24 * 60 * 60_000;

/** A submission of the scheduled checklist at the park. Instants are ISO-8601 UTC. */
export type FilledIn = {
  id: string;
  receivedAt: string;
  /** When the device says that it was filled in, for one sent later. */
  capturedAt?: string | null;
  /** How many of its answers are failing. */
  failures: number;
};

export type CheckState =
  | { state: 'upcoming' | 'due' | 'missed' }
  | {
      state: 'done' | 'doneWithFailures' | 'late';
      submissionId: string;
      /** On time by the device's clock alone: it was received after the window closed. */
      isTimeFromDevice: boolean;
    };

/**
 * The state of a check at `now`. `filledIn` are the submissions that may answer it, in any order; `nextOpensAt` is when the
 * same schedule's next window opens at the park: from then on a submission belongs to that one.
 */
export function getCheckState(
  { opensAt, closesAt }: Occurrence,
  nextOpensAt: string | undefined,
  filledIn: readonly FilledIn[],
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

/** The device's time counts for a submission received within a day of it; after that, and without one, the server's. */
export function getFilledInAt({ receivedAt, capturedAt }: Pick<FilledIn, 'receivedAt' | 'capturedAt'>): string {
  if (!capturedAt || capturedAt > receivedAt) return receivedAt;
  return Date.parse(receivedAt) - Date.parse(capturedAt) <= dayMs ? capturedAt : receivedAt;
}

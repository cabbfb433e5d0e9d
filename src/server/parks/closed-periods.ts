// When parks were closed by the list of parks.
import { getToday } from '#shared/dates.ts';

type ClosedPeriod = { park: string; created_at: string; ends_on: string };

let closedPeriods: readonly ClosedPeriod[] = [];

/** Sets the periods for this process, when the server starts. */
export function setClosedPeriods(periods: readonly ClosedPeriod[]): void {
  closedPeriods = periods;
}

/** Whether the park was closed at this time (ISO 8601). */
const wasClosed = (park: string, at: string) =>
  closedPeriods.some(
    (period) => period.park === park && period.created_at <= at && getToday(new Date(at)) <= period.ends_on,
  );

/** Returns the field of a reply that says that a record arrived while its park was closed. */
export const markClosed = (park: string, at: string): { parkWasClosed?: true } =>
  wasClosed(park, at) ? { parkWasClosed: true } : {};

/** Returns the sentence for the printed record, after what it follows; empty if the park was open. */
export const describeClosed = (park: string, at: string) => (wasClosed(park, at) ? '. The park was closed' : '');

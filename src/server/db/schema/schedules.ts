// Schedules of checklists, and the checks that are due.
import type { Repeat } from '#shared/schedules/schedules.ts';
import type { Flag } from './flag.ts';

export type ScheduleTables = {
  /** When a checklist is due, as plain fields; expanded by shared/schedules. */
  schedules: {
    id: string;
    checklist_id: string;
    /** JSON: a list of parks. */
    parks: string;
    repeat: Repeat;
    /** Every how many days, weeks, months or years. */
    every: number;
    /** JSON: a list of 1 (Monday) to 7; empty unless it is weekly. */
    weekdays: string;
    month: number | null;
    month_day: number | null;
    season_from: string | null;
    season_to: string | null;
    opens_at: string;
    closes_at: string;
    /** JSON: a list of further windows of the day, `{ opens_at, closes_at }` each. */
    more_windows: string;
    starts_on: string;
    ends_on: string | null;
    /** The name of what its checks opened in earlier versions. Not used any more. */
    gate: string;
    /** Whether each of its places may open only after its check has passed. */
    opens: Flag;
    version: number;
    /** The last day for which rows of due_checks exist. */
    written_until: string;
    created_at: string;
    created_by: string;
    ended_at: string | null;
    /**
     * Set while the checks that open after this time are not yet those of the schedule: they are written in the
     * background after a change. See due-checks.ts.
     */
    changed_at: string | null;
    /** Counts the changes after which its checks must be written. */
    changes: number;
  };
  /** The places that a schedule checks. A park of a schedule without any is checked as a whole. */
  schedule_places: { schedule_id: string; place_id: string };
  /** Places that stay closed until a checklist passes again; see shared/schedules/readiness.ts. */
  passes_needed: {
    place_id: string;
    /** The checklist; empty if any that opens the place may pass. */
    checklist_id: string;
    /** The number of submissions that had arrived. */
    arrival: number;
    at: string;
    what: string;
  };
  park_closures: {
    id: string;
    park: string;
    starts_on: string;
    ends_on: string;
    created_at: string;
    /** Null if the list of parks says that the park is closed. */
    created_by: string | null;
  };
  /**
   * Checks, inserted in advance. Once its window has opened, a check is not moved or deleted: only
   * its answer and its reason change.
   */
  due_checks: {
    id: string;
    schedule_id: string;
    checklist_id: string;
    park: string;
    /** The place; empty for the park as a whole. A check that has opened keeps it, also if it was joined. */
    place_id: string;
    day: string;
    opens_at: string;
    closes_at: string;
    /** Not empty if the place may open only after this check. Checks of earlier versions have its name then. */
    gate: string;
    /** The first submission that fulfils the check. */
    submission_id: string | null;
    filled_in_at: string | null;
    received_at: string | null;
    failures: number;
    reason: string | null;
    reason_by_name: string | null;
    reason_at: string | null;
  };
};

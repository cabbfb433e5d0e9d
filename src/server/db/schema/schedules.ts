// Schedules of checklists, and the checks that are due.

export type ScheduleTables = {
  /** When a checklist is due, as plain fields; expanded by shared/schedules. */
  schedules: {
    id: string;
    checklist_id: string;
    /** JSON: a list of parks. */
    parks: string;
    repeat: 'daily' | 'weekdays' | 'weekly' | 'monthly';
    weekday: number | null;
    month_day: number | null;
    season_from: string | null;
    season_to: string | null;
    opens_at: string;
    closes_at: string;
    /** JSON: a list of further windows of the day, `{ opens_at, closes_at }` each. */
    more_windows: string;
    starts_on: string;
    ends_on: string | null;
    /** The facility that its checks open; empty if they open none. */
    gate: string;
    version: number;
    /** The last day for which rows of due_checks exist. */
    written_until: string;
    created_at: string;
    created_by: string;
    ended_at: string | null;
  };
  park_closures: {
    id: string;
    park: string;
    starts_on: string;
    ends_on: string;
    created_at: string;
    created_by: string;
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
    day: string;
    opens_at: string;
    closes_at: string;
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

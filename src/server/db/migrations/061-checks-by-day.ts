import { createDdlMigration } from '../tables.ts';

/** Counts and lists of a day's checks read only the index, not the row of each check. */
export const up = createDdlMigration(`
drop index due_checks_by_day;
create index due_checks_by_day on due_checks (day, park, closes_at, filled_in_at, opens_at, failures, checklist_id, place_id);
`);

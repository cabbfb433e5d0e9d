import { createDdlMigration } from '../tables.ts';

/** Adds yearly checks, checks every few days, weeks, months or years, and weekly ones on several weekdays. */
export const up = createDdlMigration(`
alter table schedules add column every integer not null default 1;
alter table schedules add column weekdays text not null default '[]';
alter table schedules add column month integer;
update schedules set weekdays = '[' || weekday || ']' where weekday is not null;
alter table schedules drop column weekday;
`);

import { createDdlMigration } from '../tables.ts';

/** A place that was joined into another stays as a row, so that its label and its records lead there. Its name is free. */
export const up = createDdlMigration(`
alter table places add column joined_into text;
drop index places_by_name;
create unique index places_by_name on places (park, name_key) where joined_into is null;
create index places_joined on places (joined_into) where joined_into is not null;
`);

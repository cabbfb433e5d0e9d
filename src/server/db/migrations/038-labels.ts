import { createDdlMigration } from '../tables.ts';

/** Places may have a label: the code in the address that is printed on it. */
export const up = createDdlMigration(`
alter table places add column label text;
create unique index places_by_label on places (label);
`);

import { createDdlMigration } from '../tables.ts';

/** Messages about a changed email address also go to the earlier one. */
export const up = createDdlMigration(`
alter table deliveries add column address text not null default '';
`);

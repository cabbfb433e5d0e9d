import { createDdlMigration } from '../tables.ts';

/** Adds whether the end of an uploaded file was missing. Earlier versions refused such files. */
export const up = createDdlMigration(`
alter table uploads add column cut_off integer not null default 0;
`);

import { createDdlMigration } from '../tables.ts';

/** Parks have telephone numbers for guests, and can take no messages from them. */
export const up = createDdlMigration(`
alter table park_settings add column guest_telephone text;
alter table park_settings add column gas_telephone text;
alter table park_settings add column guests_off integer;
`);

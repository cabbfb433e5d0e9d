import { createDdlMigration } from '../tables.ts';

/** Whether a user has opened a link sent to their email address. Not known of those stored before: not confirmed. */
export const up = createDdlMigration(`
alter table users add column email_confirmed integer not null default 0;
`);

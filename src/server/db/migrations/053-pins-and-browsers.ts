import { createDdlMigration } from '../tables.ts';

/**
 * No PIN is stopped for ever, so its wrong attempts in a row are no longer stored. Sign-ins by PIN no longer make a shared
 * device a browser that the user has used: deletes those of the last 30 days, of which the time is known.
 */
export const up = createDdlMigration(`
alter table pins drop column wrong_attempts;
delete from browsers where exists (
  select 1 from device_sign_ins
    where device_sign_ins.user_id = browsers.user_id and device_sign_ins.at = browsers.used_at
);
`);

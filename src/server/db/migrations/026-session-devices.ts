import { createDdlMigration } from '../tables.ts';

export const up = createDdlMigration("alter table sessions add column device text not null default '';");

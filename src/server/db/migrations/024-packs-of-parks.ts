import { createDdlMigration } from '../tables.ts';

/**
 * Adds for which park a pack was built, so that its file is hidden from users of other parks. Packs
 * built earlier get the present park of their creator.
 */
export const up = createDdlMigration(`
alter table packs add column park text not null default '';
update packs set park = (select users.park from users where users.id = packs.created_by);
`);

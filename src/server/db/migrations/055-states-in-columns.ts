import { createDdlMigration } from '../tables.ts';

/**
 * Gives states columns of their own. Earlier versions marked a message whose photo was removed with a list of photos
 * written '[ ]', and stored the outcome of a verification and the answer to a lesson in one column.
 */
export const up = createDdlMigration(`
alter table guest_messages add column photo_removed integer not null default 0;
update guest_messages set photo_removed = 1, media_files = '[]' where media_files = '[ ]';
alter table audit_notes rename column verified to outcome;
alter table audit_notes add column answer text;
update audit_notes set answer = outcome, outcome = null where outcome in ('doesNotApply', 'inOrder', 'needsWork');
`);

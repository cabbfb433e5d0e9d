import { createDdlMigration } from '../tables.ts';

/** The server encrypts stored secrets when it starts, because migrations do not have the key. */
export const up = createDdlMigration(
  'create table secrets_key (id integer primary key check (id = 1), fingerprint text not null);',
);

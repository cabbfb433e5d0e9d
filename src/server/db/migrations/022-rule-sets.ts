import { createDdlMigration } from '../tables.ts';

/** Adds the operator's rule sets that assessments use. Earlier versions read them from files. */
export const up = createDdlMigration(`
create table rule_sets (
  id text primary key,
  rules text not null
);
`);

// Names of the queries that PostgreSQL parses and plans once for each connection, not at each run.
import type { CompiledQuery } from 'kysely';

const names = new Map<string, string>();

/** Gives the query a name, and returns it. */
export function nameStatement<Query extends CompiledQuery>(query: Query): Query {
  if (!names.has(query.sql)) names.set(query.sql, `prepared_${names.size}`);
  return query;
}

/** Returns the name of a query; undefined if it has none. */
export const getStatementName = (text: string): string | undefined => names.get(text);

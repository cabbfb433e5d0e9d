import Sqlite from 'better-sqlite3';
import { Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Tables } from './schema.ts';
import { sqliteDialect } from './sqlite.ts';

// If SQLite could plan by a bound value, it would prepare the statement again each time it runs.
test('SQLite does not prepare a statement again for other values: LIMIT is a literal, and `+?` hides parameters from the planner', () => {
  const db = new Kysely<Tables>({ dialect: sqliteDialect(new Sqlite(':memory:')) });
  const users = db.selectFrom('users').select('id').where('role', '=', 'Rhos');
  expect(users.limit(50).compile()).toMatchObject({
    sql: 'select "id" from "users" where "role" = +? limit 50',
    parameters: ['Rhos'],
  });
  const expression = users.limit(sql<number>`1 + 1`).compile();
  expect(expression.sql).toBe('select "id" from "users" where "role" = +? limit 1 + 1');
});

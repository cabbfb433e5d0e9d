import Sqlite from 'better-sqlite3';
import { Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Tables } from './schema.ts';
import { sqliteDialect } from './sqlite.ts';

test('a limit is written into the statement, so that SQLite keeps it prepared', () => {
  const db = new Kysely<Tables>({ dialect: sqliteDialect(new Sqlite(':memory:')) });
  const users = db.selectFrom('users').select('id').where('park', '=', 'Rhos');
  expect(users.limit(50).compile()).toMatchObject({
    sql: 'select "id" from "users" where "park" = ? limit 50',
    parameters: ['Rhos'],
  });
  const expression = users.limit(sql<number>`1 + 1`).compile();
  expect(expression.sql).toBe('select "id" from "users" where "park" = ? limit 1 + 1');
});

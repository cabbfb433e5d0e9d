import { sql } from 'kysely';
import type { Database } from './schema.ts';

/** Counts one up, for good: no two records get the same. */
export async function nextCount(db: Database, name: string): Promise<number> {
  const { value } = await db
    .insertInto('counters')
    .values({ name, value: 1 })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: sql`counters.value + 1` }))
    .returning('value')
    .executeTakeFirstOrThrow();
  return value;
}

// Numbers that the whole installation shares, whichever copy of the server asks.
import type { Database } from './db/schema.ts';

export async function readCount(db: Database, name: string): Promise<number> {
  const row = await db.selectFrom('counters').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value ?? 0;
}

export async function setCount(db: Database, name: string, value: number): Promise<void> {
  await db
    .insertInto('counters')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

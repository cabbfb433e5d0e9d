// Counters shared by all instances.
import { sql } from 'kysely';
import { prepare } from './prepared.ts';
import type { Database } from './schema.ts';

/** Increments a counter and returns it; no two calls get the same number. */
export async function incrementCounter(db: Database, name: string): Promise<number> {
  const [row] = await incrementRow(db, { name });
  if (!row) throw new Error(`The counter "${name}" could not be incremented.`);
  return row.value;
}

const incrementRow = prepare((db, { name }: { name: string }) =>
  db
    .insertInto('counters')
    .values({ name, value: 1 })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: sql`counters.value + 1` }))
    .returning('value'),
);

export async function getCounter(db: Database, name: string): Promise<number> {
  const [row] = await selectCounter(db, { name });
  return row?.value ?? 0;
}

const selectCounter = prepare((db, { name }: { name: string }) =>
  db.selectFrom('counters').select('value').where('name', '=', name),
);

export async function setCounter(db: Database, name: string, value: number): Promise<void> {
  await db
    .insertInto('counters')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

type AdvanceOptions = {
  /** A counter further above `to` than this was set while a clock was ahead; it is set back to `to`. */
  maxAhead?: number;
  /** After such a counter, `work` gets a previous value this far below `to`. */
  lookBack?: number;
};

/**
 * Runs `work` and sets the counter to `to` in one transaction, unless the counter has already
 * reached `to`. Locks a row, so that only one of several instances does so. `work` receives the
 * counter's previous value. After a clock that was ahead, `work` runs again for time it may have
 * handled already.
 */
export async function advanceCounter(
  db: Database,
  name: string,
  to: number,
  work: (db: Database, last: number) => Promise<void>,
  { maxAhead = 0, lookBack = 1 }: AdvanceOptions = {},
): Promise<void> {
  const isReached = (value: number) => value >= to && value <= to + maxAhead;
  if (isReached(await getCounter(db, name))) return;
  await db.transaction().execute(async (db) => {
    await incrementCounter(db, `${name} runs`);
    const current = await getCounter(db, name);
    if (isReached(current)) return;
    await setCounter(db, name, to);
    await work(db, current < to ? current : to - lookBack);
  });
}

// What many queries do in the same way.
import type { SelectQueryBuilder } from 'kysely';
import { nextSlice } from '../event-loop.ts';
import { pageSize } from './page-size.ts';

/** Returns how many rows a query finds; it selects no columns. */
export async function countRows<DB, Table extends keyof DB>(
  query: SelectQueryBuilder<DB, Table, unknown>,
): Promise<number> {
  const counted = query.select((eb) => eb.fn.countAll().as('count')).$castTo<{ count: number }>();
  return (await counted.executeTakeFirstOrThrow()).count;
}

export const findsRow = async <DB, Table extends keyof DB>(query: SelectQueryBuilder<DB, Table, unknown>) =>
  (await query
    .select((eb) => eb.lit(1).as('found'))
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** Yields pages of rows, each read after the last row of the one before, so that other work can run in between. */
export async function* readPages<Row>(
  read: (last: Row | undefined) => Promise<Row[]>,
  size = pageSize,
): AsyncGenerator<Row[]> {
  for (let last: Row | undefined; ; ) {
    const rows = await read(last);
    yield rows;
    last = rows.at(-1);
    if (!last || rows.length < size) return;
    await nextSlice();
  }
}

/** Splits a list into lists of at most this length, because a statement has a limited number of values. */
export const splitList = <Item>(items: readonly Item[], length: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / length) }, (_, at) => items.slice(at * length, (at + 1) * length));

// An exported list as rows and columns; csv.ts and xlsx.ts write it.

import { splitList } from '../db/queries.ts';
import { startSlices } from '../event-loop.ts';

/**
 * A day is `YYYY-MM-DD`, a timestamp ISO 8601 UTC. Values that cannot be parsed as either are
 * written as text.
 */
export type Cell = string | number | boolean | null | { day: string } | { instant: string };

/** Created at first use, because it takes some milliseconds. */
let parkTime: Intl.DateTimeFormat | undefined;

/**
 * Returns a timestamp in the parks' local time with its offset, `2026-06-02T00:30:00+01:00`, or
 * undefined if it cannot be parsed.
 */
export function toParkTime(instant: string): string | undefined {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return undefined;
  parkTime ??= new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/London', dateStyle: 'short', timeStyle: 'medium' });
  const local = parkTime.format(date).replace(' ', 'T');
  const isSummer = Date.parse(`${local}Z`) - date.getTime() > 0;
  return `${local}+0${isSummer ? 1 : 0}:00`;
}

export type Column<Row> = {
  heading: string;
  /** The width of the column in the spreadsheet, in characters. */
  width: number;
  cell: (row: Row) => Cell;
};

export type Table<Row> = {
  /** The name of the sheet and of the file. */
  title: string;
  columns: Column<Row>[];
  /** The rows in pages, so that a long list is never completely in memory. */
  pages: AsyncIterable<Row[]>;
};

/** Few enough rows to write within one time slice (see event-loop.ts). */
const rowsPerSlice = 25;

/** Yields the rows as text, a few at a time, so that other requests can run in between. */
export async function* writeRows<Row>({ pages }: Table<Row>, write: (rows: Row[]) => string): AsyncGenerator<string> {
  const pause = startSlices();
  for await (const page of pages)
    for (const rows of splitList(page, rowsPerSlice)) {
      await pause();
      yield write(rows);
    }
}

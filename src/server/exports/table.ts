// An exported list as rows and columns; csv.ts and xlsx.ts write it.
import { startSlices } from '../event-loop.ts';

/**
 * A day is `YYYY-MM-DD`, a timestamp ISO 8601 UTC. Values that cannot be parsed as either are
 * written as text.
 */
export type Cell = string | number | boolean | null | { day: string } | { instant: string };

export type Column<Row> = {
  heading: string;
  /** In characters, for the spreadsheet. */
  width: number;
  cell: (row: Row) => Cell;
};

export type Table<Row> = {
  /** The name of the sheet and of the file. */
  title: string;
  columns: Column<Row>[];
  /** In pages, so that a long list is never completely in memory. */
  pages: AsyncIterable<Row[]>;
};

/** Few enough to write within a slice of the server's time. */
const rowsPerSlice = 25;

/** Returns the rows as text, a few at a time, so that other requests get a turn in between. */
export async function* writeRows<Row>({ pages }: Table<Row>, write: (rows: Row[]) => string): AsyncGenerator<string> {
  const pause = startSlices();
  for await (const page of pages)
    for (let at = 0; at < page.length; at += rowsPerSlice) {
      await pause();
      yield write(page.slice(at, at + rowsPerSlice));
    }
}

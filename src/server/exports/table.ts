// An exported list as rows and columns; csv.ts and xlsx.ts write it.

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

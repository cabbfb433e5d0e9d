// A list on its way out of the product, as rows and columns; csv.ts and xlsx.ts write it.

/** A day is `YYYY-MM-DD`, an instant ISO-8601 UTC. What cannot be read as either is written as the text it is. */
export type Cell = string | number | boolean | null | { day: string } | { instant: string };

export type Column<Row> = {
  heading: string;
  /** In characters, for the spreadsheet. */
  width: number;
  cell: (row: Row) => Cell;
};

export type Table<Row> = {
  /** In words: the name of the sheet, and of the file. */
  title: string;
  columns: Column<Row>[];
  /** Page by page, so that a long list is never whole in memory. */
  pages: AsyncIterable<Row[]>;
};

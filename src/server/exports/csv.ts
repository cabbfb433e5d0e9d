// CSV as spreadsheets and programs both read it: UTF-8 with a byte order mark, CRLF, ISO dates, and
// no cell that a spreadsheet would run as a formula.
import { type Cell, type Table, toParkTime, writeRows } from './table.ts';

const byteOrderMark = '\uFEFF';

/** Yields the table as chunks of text. */
export async function* writeCsv<Row>(table: Table<Row>): AsyncGenerator<string> {
  const { columns } = table;
  const { stringify } = await import('csv-stringify/sync');
  const toCsv = (rows: (string | number)[][]) => stringify(rows, options);
  yield byteOrderMark + toCsv([columns.map(({ heading }) => heading)]);
  yield* writeRows(table, (rows) => toCsv(rows.map((row) => columns.map(({ cell }) => toText(cell(row))))));
}

const options = {
  record_delimiter: '\r\n',
  // The library quotes only the whole record delimiter, but spreadsheets end a row at either half.
  quoted_match: /[\r\n]/,
  // Text such as `=1+1` gets an apostrophe in front (CWE-1236).
  escape_formulas: true,
};

function toText(cell: Cell): string | number {
  if (cell === null) return '';
  if (typeof cell === 'boolean') return cell ? 'Yes' : 'No';
  if (typeof cell !== 'object') return cell;
  return 'day' in cell ? cell.day : (toParkTime(cell.instant) ?? cell.instant);
}

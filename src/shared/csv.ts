// Parses CSV files, and their first line.
import { foldText } from './text.ts';

export type CsvRow = { line: number; cells: string[] };
/** An error with its line number, starting at 1. */
export type LineError = { line: number; message: string };

const byteOrderMark = /^\uFEFF/;
/** The line with which spreadsheets in some countries say how the columns are separated: `sep=;`. */
const separatorLine = /^"?sep=(.)"?(?:\r\n|\r|\n|$)/i;

/**
 * Parses CSV (RFC 4180: quotes, doubled quotes, line breaks in quotes) separated by comma, semicolon or
 * tab, or as a first line `sep=` says. Returns the rows that are not empty: trimmed cells with each row's
 * first line number.
 */
export function parseCsv(csv: string): CsvRow[] {
  const unmarked = csv.replace(byteOrderMark, '');
  const [separatorRow = '', named] = separatorLine.exec(unmarked) ?? [];
  const text = unmarked.slice(separatorRow.length);
  const separator = named ?? /^[^\n]*?([,;\t])/.exec(text)?.[1] ?? ',';
  const escaped = separator.replace(/[\\\]^-]/, '\\$&');
  const cell = new RegExp(
    `("(?:[^"]|"")*"[^${escaped}\\r\\n]*|[^${escaped}\\r\\n]*)([${escaped}]|\\r\\n|\\r|\\n|$)`,
    'y',
  );
  const rows: CsvRow[] = [];
  let line = separatorRow === '' ? 1 : 2;
  let row: CsvRow = { line, cells: [] };
  while (cell.lastIndex <= text.length) {
    const [, content = '', end = ''] = cell.exec(text) ?? [];
    row.cells.push(content.trim().replace(/^"(.*)"$/s, (_, quoted: string) => quoted.replaceAll('""', '"').trim()));
    line += content.match(/\r\n|\r|\n/g)?.length ?? 0;
    if (end === separator) continue;
    rows.push(row);
    if (end === '') break;
    line += 1;
    row = { line, cells: [] };
  }
  return rows.filter(({ cells }) => cells.some((text) => text !== ''));
}

const foldHeading = (cell: string) => foldText(cell).replace(/[\s_-]/g, '');

type Columns<Column extends string = string> = {
  required: readonly Column[];
  optional: readonly Column[];
  /** Other headings, folded, and the columns that they name. */
  synonyms?: Record<string, Column>;
};

/**
 * Reads the first line if it names columns, in any order. Returns undefined if it names none of them, and a
 * message if it cannot be understood.
 */
export function readHeader<Column extends string>(
  cells: string[],
  { required, optional, synonyms = {} }: Columns<Column>,
): (Column | undefined)[] | string | undefined {
  const known = [...required, ...optional];
  const names = new Map([
    ...Object.entries(synonyms),
    ...known.map((column) => [foldHeading(column), column] as const),
  ]);
  const columns = cells.map((cell) => names.get(foldHeading(cell)));
  if (columns.every((column) => column === undefined)) return undefined;
  const list = `The columns are ${known.join(', ')}`;
  const unknown = cells.find((cell, index) => cell !== '' && columns[index] === undefined);
  if (unknown !== undefined) return `"${unknown}" is not a column. ${list}`;
  const found = columns.filter((column) => column !== undefined);
  if (new Set(found).size < found.length) return 'A column occurs more than once';
  const missing = required.find((column) => !found.includes(column));
  return missing === undefined ? columns : `The column "${missing}" is missing. ${list}`;
}

/** Returns the message about a first line that should name columns and names none of them. */
export function createHeaderMessage(cells: string[], { required, optional }: Columns): string {
  const headings = cells.map((cell) => `"${cell}"`).join(', ');
  return `The first line is not understood: ${headings}. Name the columns there: ${[...required, ...optional].join(', ')}`;
}

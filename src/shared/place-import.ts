// Parses a CSV file of places.
import { createHeaderMessage, type LineError, parseCsv, readHeader } from './csv.ts';
import { foldText } from './text.ts';

const columns = { required: ['name'], optional: ['park', 'retired'] } as const;

/**
 * Returns the names in a file that has one place on each line, or columns that its first line names, as an
 * export has them. Leaves out rows of other parks. Returns an error if the first line is not understood.
 */
export function parsePlaceCsv(csv: string, park: string): { names: string[]; errors: LineError[] } {
  const rows = parseCsv(csv);
  const [first] = rows;
  if (!first) return { names: [], errors: [{ line: 1, message: 'The file has no places' }] };
  const header = readHeader<'name' | 'park' | 'retired'>(first.cells, columns);
  if (typeof header === 'string') return { names: [], errors: [{ line: first.line, message: header }] };
  if (!header && rows.some(({ cells }) => cells.slice(1).some((cell) => cell !== '')))
    return { names: [], errors: [{ line: first.line, message: createHeaderMessage(first.cells, columns) }] };
  const get = (cells: string[], column: 'name' | 'park') =>
    cells[header?.indexOf(column) ?? (column === 'name' ? 0 : -1)];
  const names = (header ? rows.slice(1) : rows)
    .filter(({ cells }) => foldText(get(cells, 'park') ?? park) === foldText(park))
    .flatMap(({ cells }) => get(cells, 'name') || []);
  return { names, errors: [] };
}

// Parses a CSV file of places.
import { createHeaderMessage, type LineError, parseCsv, readHeader } from './csv.ts';
import { listParks } from './park-list.ts';
import { foldText } from './text.ts';

const columns = { required: ['name'], optional: ['park', 'retired'] } as const;

/**
 * Returns the names in a file that has one place on each line, or columns that its first line names, as an
 * export has them. Leaves out rows of other parks; a row that names no park is of this one. Returns an error if the first
 * line is not understood, and for each park that does not exist.
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
  const content = header ? rows.slice(1) : rows;
  const getPark = (cells: string[]) => get(cells, 'park') || park;
  const parks = new Set(listParks().map(foldText));
  const errors = content
    .filter(({ cells }) => !parks.has(foldText(getPark(cells))))
    .map(({ line, cells }) => ({ line, message: `"${getPark(cells)}" is not a park` }));
  if (errors.length > 0) return { names: [], errors };
  const names = content
    .filter(({ cells }) => foldText(getPark(cells)) === foldText(park))
    .flatMap(({ cells }) => get(cells, 'name') || []);
  return { names, errors: [] };
}

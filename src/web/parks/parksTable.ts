// The table of all parks: its columns, what a cell means, and what a block of a spreadsheet changes.
import { authorities, authorityNames } from '#shared/law/authority.ts';
import { ParkSettings } from '#shared/park-settings.ts';
import { foldText } from '#shared/text.ts';
import type { PersonName } from '#shared/users.ts';
import { describePerson, getPersonValue, isUserOf } from '../people/findPerson.ts';
import { getFieldErrors } from '../ui/forms/fieldErrors.ts';

export type Field = Exclude<keyof ParkSettings, 'park' | 'takesMessages'>;
export type Cell = `${Field} of ${string}`;

export const toCell = (field: Field, park: string): Cell => `${field} of ${park}`;

/** The columns in the order in which a block is pasted. */
export const columnTexts: Record<Field, string> = {
  telephone: 'Telephone number for urgent hazards',
  assignee: 'Who does the audits that failing answers create',
  hazardAssignee: 'Who does the audits that hazards create',
  authority: 'Who enforces health and safety',
  guestTelephone: 'Telephone number for guests in an emergency',
  gasTelephone: 'Telephone number for a smell of gas',
};

/** Returns what a cell shows: the names of users and authorities instead of what is stored. */
export function describeCell(settings: ParkSettings, field: Field, people: PersonName[]): string {
  if (field === 'authority') return authorityNames[settings.authority];
  const value = settings[field];
  return people.find(({ username }) => username === value)?.name ?? value;
}

/** Returns what a cell means, or why it means nothing. */
export function parseCell(
  field: Field,
  text: string,
  park: string,
  people: PersonName[],
): { value: string } | { error: string } {
  const typed = text.trim();
  if (field === 'authority') {
    const isMeant = (name: string) => foldText(name).replace(/^the /, '') === foldText(typed).replace(/^the /, '');
    const value = authorities.find((authority) => isMeant(authority) || isMeant(authorityNames[authority]));
    return value ? { value } : { error: `Enter ${Object.values(authorityNames).join(', ')}` };
  }
  if (field === 'assignee' || field === 'hazardAssignee') {
    const value = getPersonValue(people, typed, park);
    if (typed === '' || isUserOf(people, value, park)) return { value };
    return { error: describePerson(people, typed, park, `Choose a user who sees ${park}`) ?? '' };
  }
  const { '': error } = getFieldErrors(ParkSettings.shape[field], typed);
  return error ? { error } : { value: typed };
}

export type Pasted = {
  cells: { row: number; column: number; text: string }[];
  /** What was left out, in sentences. */
  leftOut: string[];
};

/**
 * Returns the cells that a block of a spreadsheet changes; none if it is a single cell. With the names of parks in its
 * first column it belongs to these parks, otherwise it begins at a cell. Its empty cells change nothing.
 */
export function readBlock(
  text: string,
  { parks, columns, start }: { parks: string[]; columns: number; start: { row: number; column: number } },
): Pasted {
  const block = text.replace(/(?:\r\n|\r|\n)+$/, '');
  if (!/[\t\r\n]/.test(block)) return { cells: [], leftOut: [] };
  const lines = block.split(/\r\n|\r|\n/).map((line) => line.split('\t').map((cell) => cell.trim()));
  const findRow = ([name = '']: string[]) => parks.findIndex((park) => foldText(park) === foldText(name));
  const hasNames = lines.some((line) => findRow(line) >= 0);
  const pasted: Pasted = { cells: [], leftOut: [] };
  let outside = 0;
  for (const [index, line] of lines.entries()) {
    const [name = '', ...others] = line;
    const row = hasNames ? findRow(line) : start.row + index;
    const texts = hasNames ? others : line;
    if (hasNames && row < 0) {
      const isHeading = index === 0 && ['', 'park', 'parks'].includes(foldText(name));
      if (!isHeading && texts.some(Boolean)) pasted.leftOut.push(`${name || 'A line without a name'} is no open park.`);
      continue;
    }
    for (const [offset, text] of texts.entries()) {
      const column = offset + (hasNames ? 0 : start.column);
      if (text === '') continue;
      if (row < parks.length && column < columns) pasted.cells.push({ row, column, text });
      else outside += 1;
    }
  }
  if (outside > 0) pasted.leftOut.push(`Cells beyond the table were left out: ${outside}.`);
  return pasted;
}

// Parses a CSV file of users with the columns username, role and park, and perhaps full name and email.
import { type Parks, type Role, roles, toParkFields } from './access.ts';
import { allParks, parks } from './choices.ts';
import { foldText } from './text.ts';
import { EmailAddress, FullName, getUsernameKey, Username } from './users.ts';

export type CsvUser = {
  line: number;
  username: string;
  role: Role;
  park: string;
  parks: Parks;
  full_name?: string;
  email?: string;
};
/** An error with its line number, starting at 1. */
export type LineError = { line: number; message: string };

/** More would take too long, because hashing passwords is slow by design. */
const maxUsers = 200;

const requiredColumns = ['username', 'role', 'park'];
/** Further columns, which only a header row can name. */
const optionalColumns = ['full name', 'email'] as const;
type OptionalColumn = (typeof optionalColumns)[number];

/**
 * Parses the columns username, role and park, separated by comma, semicolon or tab. A header row is
 * optional, and may also name the columns full name and email. An empty role is None. A park is one
 * of the 20, or several separated by semicolons, or `All parks`. Returns users, and an error per
 * invalid line.
 */
export function parseUserCsv(csv: string): { users: CsvUser[]; errors: LineError[] } {
  const users: CsvUser[] = [];
  const errors: LineError[] = [];
  const firstLineByUsername = new Map<string, number>();
  const rows = parseCsv(csv.replace(/^\uFEFF/, '')).filter(({ cells }) => cells.some((cell) => cell !== ''));
  const header = isHeaderRow(rows[0]?.cells) ? rows.shift() : undefined;
  const more = readMoreColumns(header?.cells ?? []);
  if (typeof more === 'string') return { users, errors: [{ line: header?.line ?? 1, message: more }] };
  if (rows.length === 0) return { users, errors: [{ line: 1, message: 'The file has no users' }] };
  const firstExcessRow = rows[maxUsers];
  if (firstExcessRow)
    return {
      users,
      errors: [{ line: firstExcessRow.line, message: `At most ${maxUsers} users at once: split the file` }],
    };
  for (const { line, cells } of rows) {
    const user = parseUser(cells, more);
    if (typeof user === 'string') {
      errors.push({ line, message: user });
      continue;
    }
    const key = getUsernameKey(user.username);
    const earlier = firstLineByUsername.get(key);
    if (earlier) errors.push({ line, message: `${user.username} is already on line ${earlier}` });
    else users.push({ line, ...user });
    firstLineByUsername.set(key, earlier ?? line);
  }
  return { users, errors };
}

const isHeaderRow = (cells: string[] = []) =>
  requiredColumns.every((name, index) => foldText(cells[index] ?? '') === name);

/** Returns the columns after the first three, or a message about why they cannot be read. */
function readMoreColumns(cells: string[]): OptionalColumn[] | string {
  const names = cells.slice(requiredColumns.length);
  while (names.at(-1) === '') names.pop();
  const columns = names.map((name) => pick(optionalColumns, name.replace('_', ' ')));
  const unknown = names.find((_, index) => !columns[index]);
  if (unknown !== undefined)
    return `"${unknown}" is not a column. The columns are ${[...requiredColumns, ...optionalColumns].join(', ')}`;
  return new Set(columns).size === columns.length ? (columns as OptionalColumn[]) : 'A column occurs more than once';
}

const pick = <T extends string>(choices: readonly T[], cell: string) =>
  choices.find((choice) => foldText(choice) === foldText(cell));

/** Returns a row's user, or its error. */
function parseUser([typed = '', roleCell = '', parkCell = '', ...rest]: string[], more: OptionalColumn[]) {
  if (rest.slice(more.length).some((cell) => cell !== ''))
    return more.length > 0
      ? 'There are more columns than in the first line'
      : 'There are more than three columns: username, role, park';
  const username = Username.safeParse(typed);
  if (!username.success) return username.error.issues[0]?.message ?? 'This username cannot be used';
  const role = roleCell === '' ? 'None' : pick(roles, roleCell);
  if (!role) return `"${roleCell}" is not a role. The roles are ${roles.join(', ')}`;
  const chosenParks = readParkCell(parkCell);
  if (typeof chosenParks === 'string') return chosenParks;
  const name = FullName.safeParse(rest[more.indexOf('full name')] ?? '');
  if (!name.success) return `Full name: ${name.error.issues[0]?.message}`;
  const email = EmailAddress.safeParse(rest[more.indexOf('email')] ?? '');
  if (!email.success) return email.error.issues[0]?.message ?? 'This email address cannot be used';
  return {
    username: username.data,
    role,
    ...toParkFields(chosenParks),
    ...(name.data && { full_name: name.data }),
    ...(email.data && { email: email.data }),
  };
}

/** Returns the parks in a cell, or a message about why they cannot be read. */
function readParkCell(cell: string): Parks | string {
  if (foldText(cell) === foldText(allParks)) return null;
  const names = cell.split(';').flatMap((name) => name.trim() || []);
  if (names.length === 0) return `Name a park, or ${allParks}`;
  const unknown = names.find((name) => !pick(parks, name));
  if (unknown !== undefined) return `"${unknown}" is not a park`;
  return parks.filter((park) => names.some((name) => pick(parks, name) === park));
}

/**
 * Parses CSV (RFC 4180: quotes, doubled quotes, line breaks in quotes) separated by comma, semicolon or
 * tab; returns trimmed cells with each row's first line number.
 */
export function parseCsv(text: string): { line: number; cells: string[] }[] {
  const separator = /^[^\n]*?([,;\t])/.exec(text)?.[1] ?? ',';
  const rows: { line: number; cells: string[] }[] = [];
  const cell = new RegExp(
    `("(?:[^"]|"")*"[^${separator}\\r\\n]*|[^${separator}\\r\\n]*)(${separator}|\\r\\n|\\r|\\n|$)`,
    'y',
  );
  let row = { line: 1, cells: [] as string[] };
  let line = 1;
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
  return rows;
}

// Parses a CSV file of users with the columns username, role and park, and perhaps full name and email.
import { type Parks, type Role, roles, toParkFields } from './access.ts';
import { allParks } from './choices.ts';
import { createHeaderMessage, type LineError, parseCsv, readHeader } from './csv.ts';
import { listParks } from './park-list.ts';
import { getLookalikeKey } from './sign-in/lookalikes.ts';
import { foldText } from './text.ts';
import { EmailAddress, FullName, getUsernameKey, nameRole, Username } from './users.ts';

export type CsvUser = {
  line: number;
  username: string;
  role: Role;
  park: string;
  parks: Parks;
  full_name?: string;
  email?: string;
};

/** More would take too long, because hashing passwords is slow by design. */
const maxUsers = 200;

const requiredColumns = ['username', 'role', 'park'] as const;
/** Further columns, which only a header row can name. */
const optionalColumns = ['full name', 'email'] as const;
type Column = (typeof requiredColumns)[number] | (typeof optionalColumns)[number];
const synonyms: Record<string, Column> = { emailaddress: 'email', name: 'full name', parks: 'park' };
const allColumns = { required: requiredColumns, optional: optionalColumns, synonyms };
type Cells = Partial<Record<Column, string>>;

/** The users of the template, who are refused. */
const exampleUsers = ['example.staff', 'example.manager'] as const;

/** Returns a file to fill in: the columns, and two lines that say by example what belongs in them. */
export function createUserTemplate(park: string, { withEmail }: { withEmail: boolean }): string {
  const [staff, manager] = exampleUsers;
  const rows = [
    allColumnNames,
    [staff, 'park staff', park, 'Siân Example', 'sian@example.com'],
    [manager, 'Health & Safety Manager', allParks, 'Huw Example', 'huw@example.com'],
  ];
  return rows.map((cells) => toLine(cells.slice(0, withEmail ? 5 : 4))).join('');
}

const allColumnNames = [...requiredColumns, ...optionalColumns];
const quote = (cell: string) => (/[",;\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
const toLine = (cells: string[]) => `${cells.map(quote).join(',')}\r\n`;

/**
 * Parses the columns username, role and park, separated by comma, semicolon or tab. A header row is
 * optional: it may name them in another order, and also the columns full name and email. An empty role, `staff` and
 * `park staff` are None. A park is one of the 20, or several separated by semicolons, or `All parks`. Returns users, and an
 * error per invalid line.
 */
export function parseUserCsv(csv: string): { users: CsvUser[]; errors: LineError[] } {
  const users: CsvUser[] = [];
  const errors: LineError[] = [];
  const firstLineByUsername = new Map<string, number>();
  const lookalikes = new Map<string, { line: number; username: string }>();
  const rows = parseCsv(csv);
  const first = rows[0] ?? { line: 1, cells: [] };
  const header = readHeader<Column>(first.cells, allColumns) ?? describeUnknownHeader(first.cells);
  if (typeof header === 'string') return { users, errors: [{ line: first.line, message: header }] };
  if (header) rows.shift();
  const columns: readonly (Column | undefined)[] = header ?? requiredColumns;
  if (rows.length === 0) return { users, errors: [{ line: 1, message: 'The file has no users' }] };
  const firstExcessRow = rows[maxUsers];
  if (firstExcessRow)
    return {
      users,
      errors: [{ line: firstExcessRow.line, message: `At most ${maxUsers} users at once: split the file` }],
    };
  for (const { line, cells } of rows) {
    const hasMoreCells = cells.some((cell, index) => cell !== '' && columns[index] === undefined);
    const user = hasMoreCells ? createTooManyMessage(header !== undefined) : parseUser(nameCells(cells, columns));
    if (typeof user === 'string') {
      errors.push({ line, message: user });
      continue;
    }
    const key = getUsernameKey(user.username);
    const earlier = firstLineByUsername.get(key);
    const lookalike = lookalikes.get(getLookalikeKey(user.username));
    if (earlier) errors.push({ line, message: `${user.username} is already on line ${earlier}` });
    else if (lookalike)
      errors.push({ line, message: `${user.username} looks like ${lookalike.username} on line ${lookalike.line}` });
    else users.push({ line, ...user });
    firstLineByUsername.set(key, earlier ?? line);
    lookalikes.set(getLookalikeKey(user.username), lookalike ?? { line, username: user.username });
  }
  return { users, errors };
}

/** Returns a message if the first line seems to name other columns: it has no role and no park of a user. */
function describeUnknownHeader(cells: string[]): string | undefined {
  const [, role = '', park = ''] = cells;
  if (role === '' || readRole(role) || typeof readParkCell(park) !== 'string') return undefined;
  return createHeaderMessage(cells, allColumns);
}

const createTooManyMessage = (hasHeader: boolean) =>
  hasHeader
    ? 'There are more columns than in the first line'
    : `There are more than three columns: ${requiredColumns.join(', ')}`;

const nameCells = (cells: string[], columns: readonly (Column | undefined)[]): Cells =>
  Object.fromEntries(cells.flatMap((cell, index) => (columns[index] ? [[columns[index], cell]] : [])));

const pick = <T extends string>(choices: readonly T[], cell: string) =>
  choices.find((choice) => foldText(choice) === foldText(cell));

/** Returns the role in a cell; park staff have None. */
const readRole = (cell: string): Role | undefined =>
  ['', 'staff', 'park staff', foldText(nameRole('None'))].includes(foldText(cell)) ? 'None' : pick(roles, cell);

/** Returns a row's user, or its error. */
function parseUser({ username: typed = '', role: roleCell = '', park: parkCell = '', ...more }: Cells) {
  const username = Username.safeParse(typed);
  if (!username.success) return username.error.issues[0]?.message ?? 'This username cannot be used';
  if (exampleUsers.some((example) => example === getUsernameKey(username.data)))
    return 'This is an example of the template. Delete this line';
  const role = readRole(roleCell);
  if (!role) return `"${roleCell}" is not a role. The roles are ${roles.map(nameRole).join(', ')}`;
  const chosenParks = readParkCell(parkCell);
  if (typeof chosenParks === 'string') return chosenParks;
  const name = FullName.safeParse(more['full name'] ?? '');
  if (!name.success) return `Full name: ${name.error.issues[0]?.message}`;
  const email = EmailAddress.safeParse(more.email ?? '');
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
  const unknown = names.find((name) => !pick(listParks(), name));
  if (unknown !== undefined) return `"${unknown}" is not a park`;
  return listParks().filter((park) => names.some((name) => pick(listParks(), name) === park));
}

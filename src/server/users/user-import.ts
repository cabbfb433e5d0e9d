import { canGiveParks, canManage, type Role, type Viewer } from '#shared/access.ts';
import type { LineError } from '#shared/csv.ts';
import { pluralise } from '#shared/pluralise.ts';
import { type CsvUser, parseUserCsv } from '#shared/user-import.ts';
import { getUsernameKey } from '#shared/users.ts';
import type { Database } from '../db/schema.ts';
import { HttpError } from '../errors/http-error.ts';
import { ownParksMessage } from './permissions.ts';
import { createLookalikeFinder, listTakenUsernames } from './store.ts';

/** Returns the users of a file. Throws an error with every line that cannot be imported. */
export async function readImport(db: Database, actor: Viewer, csv: string): Promise<CsvUser[]> {
  const { users, errors } = parseUserCsv(csv);
  assertNoImportErrors([...errors, ...(await findImportErrors(db, actor, users))]);
  return users;
}

/** Returns why these valid lines cannot be imported. */
export async function findImportErrors(db: Database, actor: Viewer, people: CsvUser[]): Promise<LineError[]> {
  const usernames = people.map(({ username }) => username);
  const takenUsernames = await listTakenUsernames(db, usernames);
  const findLookalike = await createLookalikeFinder(db);
  return people.flatMap(({ line, username, role, parks, email }) => [
    ...[findLookalike(username)].flatMap((other) => (other ? [{ line, message: describeLookalike(other) }] : [])),
    ...(takenUsernames.has(getUsernameKey(username)) ? [{ line, message: `User already exists: ${username}` }] : []),
    ...(email && actor.role !== 'Admin' ? [{ line, message: 'Only an Admin can set an email address' }] : []),
    ...(canManage(actor, { role, parks }) ? [] : [{ line, message: describeRefusal(actor, role) }]),
    ...(canGiveParks(actor, [], parks) ? [] : [{ line, message: ownParksMessage }]),
  ]);
}

export const describeLookalike = (other: string) => `This looks like the username ${other}. Choose another one`;

const describeRefusal = (actor: Viewer, role: Role) =>
  actor.role === 'Admin'
    ? 'Only an Admin of all parks can make an Admin of all parks'
    : `Only an Admin can make a user with the role ${role}`;

/** Throws an error with every invalid line; no user is created until all are correct. */
export function assertNoImportErrors(errors: LineError[]): void {
  if (errors.length === 0) return;
  const lines = errors.toSorted((a, b) => a.line - b.line);
  const count = pluralise(lines.length, 'line');
  throw new HttpError(400, `No users were created. Correct ${count} and choose the file again.`, {
    code: 'BAD_LINES',
    body: { lines },
  });
}

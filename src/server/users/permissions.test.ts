// Random users with random roles act on each other; a small model computes the expected results.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Parks, type Role, roles } from '#shared/access.ts';
import { api } from '#shared/api.ts';
import { ApiError } from '#shared/client.ts';
import { toParkInput } from '#shared/users.ts';
import { hashPassword } from '../sign-in/session/passwords.ts';
import { engines, password, startTestServer, type TestClient, type TestServer } from '../testing/server.ts';
import { insertUser } from './store.ts';

type TestUser = { client: TestClient; username: string; role: Role; parks: Parks; isDeleted: boolean };

const rank = (role: Role) => roles.indexOf(role);
const isAbove = (actor: Role, target: Role) => actor === 'Admin' || rank(actor) > rank(target);

/** Managers add and remove only parks of their own. */
function mayGive(actor: TestUser, before: Parks, after: Parks): boolean {
  if (actor.role === 'Admin' || actor.parks === null || (before === null && after === null)) return true;
  if (before === null || after === null) return false;
  const changed = [...before, ...after].filter((park) => before.includes(park) !== after.includes(park));
  return changed.every((park) => actor.parks?.includes(park));
}

const userIndex = fc.nat({ max: 40 });
const parks = fc.constantFrom<Parks[]>(null, ['Mounds'], ['Winkups'], ['Mounds', 'Winkups'], ['Lido Beach', 'Mounds']);
/** Admins have all parks; admins-of-parks.test.ts tests the others. */
const toParks = (role: Role, parks: Parks) => (role === 'Admin' ? null : parks);
const role = fc.constantFrom(...roles);
const command = { actor: userIndex, target: userIndex, role, parks };
const commands = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('assign'), ...command }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('delete'), ...command }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('create'), ...command }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('reset'), ...command }) },
  ),
  { minLength: 20, maxLength: 20 },
);

const getStatus = (call: Promise<unknown>) =>
  call.then(
    () => 'done' as const,
    (error: unknown) => {
      if (error instanceof ApiError) return error.status;
      throw error;
    },
  );

describe.each(engines)('the rules for managing users on %s', (engine) => {
  test('random changes of users always leave an Admin, promote nobody above the acting user and lock out deleted users', async () => {
    await using server = await startTestServer(engine, {}, Date.now);
    const passwordHash = await hashPassword(password);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(role, parks), { maxLength: 6 }), commands, async (others, commands) => {
        await server.db.deleteFrom('sessions').execute();
        await server.db.deleteFrom('users').execute();
        const people: TestUser[] = [];
        for (const [role, parks] of [['Admin', null] as const, ...others])
          people.push(await createUsers(server, people.length, role, toParks(role, parks), passwordHash));
        for (const command of commands) {
          const actor = people[command.actor % people.length] as TestUser;
          const target = people[command.target % people.length] as TestUser;
          const parks = toParks(command.role, command.parks);
          await performAction(server, people, actor, target, { ...command, parks }, passwordHash);
          const activeUsers = await server.db
            .selectFrom('users')
            .select(['username', 'role', 'parks'])
            .where('deleted_at', 'is', null)
            .orderBy('username')
            .execute();
          const expectedUsers = people
            .filter((person) => !person.isDeleted)
            .map(({ username, role, parks }) => ({ username, role, parks: JSON.stringify(parks) }));
          expect(activeUsers).toEqual(expectedUsers.toSorted((a, b) => (a.username < b.username ? -1 : 1)));
          expect(activeUsers.filter((person) => person.role === 'Admin').length).toBeGreaterThan(0);
        }
      }),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? (engine === 'sqlite' ? 50 : 5)) },
    );
  }, 1_800_000);
});

async function createUsers(
  server: TestServer,
  count: number,
  role: Role,
  parks: Parks,
  passwordHash: string,
): Promise<TestUser> {
  const username = `person.${count}`;
  const id = await insertUser(
    server.db,
    { username, passwordHash, role, park: '', parks, mustChangePassword: false },
    new Date(),
  );
  return signIn(server, id, { username, role, parks });
}

async function signIn(
  server: TestServer,
  id: string,
  user: Pick<TestUser, 'username' | 'role' | 'parks'>,
): Promise<TestUser> {
  return { ...user, client: await server.createSession(id, user.username), isDeleted: false };
}

/** Performs the action, checks its result against the model, and updates the model. */
async function performAction(
  server: TestServer,
  people: TestUser[],
  actor: TestUser,
  target: TestUser,
  { kind, role, parks }: { kind: string; role: Role; parks: Parks },
  passwordHash: string,
): Promise<void> {
  const isSelf = actor === target;
  const admins = people.filter((person) => !person.isDeleted && person.role === 'Admin').length;
  const isLastAdmin = target.role === 'Admin' && admins === 1;
  const expectedStatus = actor.isDeleted ? 401 : actor.role === 'None' ? 403 : undefined;
  const expectedError = expectedStatus ?? (target.isDeleted ? 404 : isAbove(actor.role, target.role) ? undefined : 403);

  if (kind === 'create') {
    const username = `person.${people.length}`;
    const body = { username, password, role, ...toParkInput(parks) };
    const isAllowed = isAbove(actor.role, role) && mayGive(actor, [], parks);
    const expected = expectedStatus ?? (isAllowed ? 'done' : 403);
    let id = '';
    const status = await getStatus(actor.client(api.createUser, { body }).then((made) => (id = made.id)));
    expect(status).toBe(expected);
    if (status !== 'done') return;
    people.push(await signIn(server, id, { username, role, parks }));
  }
  if (kind === 'delete') {
    const status = await getStatus(actor.client(api.deleteUser, { params: { id: target.client.id } }));
    expect(status).toBe(expectedError ?? (isLastAdmin || isSelf ? 409 : 'done'));
    if (status !== 'done') return;
    target.isDeleted = true;
    expect(await getStatus(target.client(api.getSession))).toBe(401);
  }
  if (kind === 'assign') {
    const body = { username: target.username, role, ...toParkInput(parks) };
    const status = await getStatus(actor.client(api.assignRole, { body }));
    const changes = role !== target.role;
    const isAllowed = isAbove(actor.role, role) && mayGive(actor, target.parks, parks);
    expect(status).toBe(expectedError ?? (!isAllowed ? 403 : changes && (isLastAdmin || isSelf) ? 409 : 'done'));
    if (status === 'done') Object.assign(target, { role, parks });
  }
  if (kind === 'reset') {
    const status = await getStatus(actor.client(api.resetPassword, { body: { id: target.client.id } }));
    expect(status).toBe(expectedError ?? (isSelf ? 409 : 'done'));
    if (status !== 'done') return;
    expect(await getStatus(target.client(api.getSession))).toBe(401);
    // The user chooses a new password and can act again.
    await server.db
      .updateTable('users')
      .set({ must_change_password: 0, password_hash: passwordHash })
      .where('id', '=', target.client.id)
      .execute();
    target.client = (await signIn(server, target.client.id, target)).client;
  }
}

// Random users with random roles act on each other; a small model computes the expected results.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Role, roles } from '#shared/access.ts';
import { api } from '#shared/api.ts';
import { ApiError } from '#shared/client.ts';
import { hashPassword } from '../auth/passwords.ts';
import { createClock } from '../clock.ts';
import { engines, password, startTestServer, type TestClient, type TestServer } from '../testing/server.ts';
import { insertUser } from './store.ts';

type TestUser = { client: TestClient; username: string; role: Role; isDeleted: boolean };

const rank = (role: Role) => roles.indexOf(role);
const isAbove = (actor: Role, target: Role) => actor === 'Admin' || rank(actor) > rank(target);

const userIndex = fc.nat({ max: 40 });
const role = fc.constantFrom(...roles);
const commands = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('assign'), actor: userIndex, target: userIndex, role }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('delete'), actor: userIndex, target: userIndex, role }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('create'), actor: userIndex, target: userIndex, role }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('reset'), actor: userIndex, target: userIndex, role }) },
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
    const server = await startTestServer(engine, {}, createClock());
    const passwordHash = await hashPassword(password);
    await fc.assert(
      fc.asyncProperty(fc.array(role, { maxLength: 6 }), commands, async (others, commands) => {
        await server.db.deleteFrom('sessions').execute();
        await server.db.deleteFrom('users').execute();
        const people: TestUser[] = [];
        for (const role of ['Admin' as const, ...others])
          people.push(await createUsers(server, people.length, role, passwordHash));
        for (const command of commands) {
          const actor = people[command.actor % people.length] as TestUser;
          const target = people[command.target % people.length] as TestUser;
          await performAction(server, people, actor, target, command.kind, command.role, passwordHash);
          const activeUsers = await server.db
            .selectFrom('users')
            .select(['username', 'role'])
            .where('deleted_at', 'is', null)
            .orderBy('username')
            .execute();
          const expectedUsers = people
            .filter((person) => !person.isDeleted)
            .map(({ username, role }) => ({ username, role }));
          expect(activeUsers).toEqual(expectedUsers.toSorted((a, b) => (a.username < b.username ? -1 : 1)));
          expect(activeUsers.filter((person) => person.role === 'Admin').length).toBeGreaterThan(0);
        }
      }),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? (engine === 'sqlite' ? 50 : 5)) },
    );
    await server.stop();
  }, 1_800_000);
});

async function createUsers(server: TestServer, count: number, role: Role, passwordHash: string): Promise<TestUser> {
  const username = `person.${count}`;
  const id = await insertUser(
    server.db,
    { username, passwordHash, role, park: '', mustChangePassword: false },
    new Date(),
  );
  return signIn(server, id, username, role);
}

async function signIn(server: TestServer, id: string, username: string, role: Role): Promise<TestUser> {
  return { client: await server.createSession(id, username), username, role, isDeleted: false };
}

/** Performs the action, checks its result against the model, and updates the model. */
async function performAction(
  server: TestServer,
  people: TestUser[],
  actor: TestUser,
  target: TestUser,
  kind: string,
  role: Role,
  passwordHash: string,
): Promise<void> {
  const isSelf = actor === target;
  const admins = people.filter((person) => !person.isDeleted && person.role === 'Admin').length;
  const isLastAdmin = target.role === 'Admin' && admins === 1;
  const expectedStatus = actor.isDeleted ? 401 : actor.role === 'None' ? 403 : undefined;
  const expectedError = expectedStatus ?? (target.isDeleted ? 404 : isAbove(actor.role, target.role) ? undefined : 403);

  if (kind === 'create') {
    const username = `person.${people.length}`;
    const body = { username, password, role, park: '' as const };
    const expected = expectedStatus ?? (isAbove(actor.role, role) ? 'done' : 403);
    let id = '';
    const status = await getStatus(actor.client(api.createUser, { body }).then((made) => (id = made.id)));
    expect(status).toBe(expected);
    if (status !== 'done') return;
    people.push(await signIn(server, id, username, role));
  }
  if (kind === 'delete') {
    const status = await getStatus(actor.client(api.deleteUser, { params: { id: target.client.id } }));
    expect(status).toBe(expectedError ?? (isLastAdmin || isSelf ? 409 : 'done'));
    if (status !== 'done') return;
    target.isDeleted = true;
    expect(await getStatus(target.client(api.getSession))).toBe(401);
  }
  if (kind === 'assign') {
    const body = { username: target.username, role, park: '' as const };
    const status = await getStatus(actor.client(api.assignRole, { body }));
    const changes = role !== target.role;
    expect(status).toBe(
      expectedError ?? (!isAbove(actor.role, role) ? 403 : changes && (isLastAdmin || isSelf) ? 409 : 'done'),
    );
    if (status === 'done') target.role = role;
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
    target.client = (await signIn(server, target.client.id, target.username, target.role)).client;
  }
}

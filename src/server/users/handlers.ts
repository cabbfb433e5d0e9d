// Endpoints with which reviewers manage users.

import { canManage, canSeeParks, isAdminOfAllParks, readParks, roles } from '#shared/access.ts';
import type { CsvUser } from '#shared/user-import.ts';
import type { CreatedUser } from '#shared/users.ts';
import { toUserLogFields } from '../db/activity-log.ts';
import type { Database } from '../db/schema.ts';
import { HttpError, required } from '../errors/http-error.ts';
import { assertJustConfirmed } from '../http/authorise.ts';
import type { Handlers } from '../http/handler-context.ts';
import { listPeople } from '../names/user-names.ts';
import { removeUserSubscriptions } from '../notifications/push.ts';
import { drawQrCode } from '../sign-in/factors/app-codes.ts';
import { hasSecondFactor } from '../sign-in/factors/second-factors.ts';
import { findUserLink, hasAccessFromProvider } from '../sign-in/session/identity-links.ts';
import { assertStrongPassword, generatePassword, hashPassword } from '../sign-in/session/passwords.ts';
import { deleteUserSessions } from '../sign-in/session/session.ts';
import { assertShowsParks } from '../user-parks.ts';
import { notifyAdminsOfChange, notifyOfAccess, notifyOfEmail, notifyOfReset, widensAccess } from './access-notices.ts';
import { deleteEmailChanges } from './email-changes.ts';
import { resetSecondFactors } from './factor-resets.ts';
import { setOneTimePassword } from './password-resets.ts';
import {
  assertCanGiveParks,
  assertCanManage,
  assertMaySetEmail,
  assertNotLastAdmin,
  changeAssignment,
  findActor,
  getAssignment,
} from './permissions.ts';
import {
  createLookalikeFinder,
  deleteUser,
  findUser,
  findUserByName,
  insertUser,
  listUsers,
  updateDetails,
} from './store.ts';
import { assertNoImportErrors, describeLookalike, findImportErrors, readImport } from './user-import.ts';

const createUsernameTakenError = () =>
  new HttpError(409, 'User already exists', {
    code: 'USER_EXISTS',
    fields: { username: 'User already exists' },
  });

async function assertUsernameFree(db: Database, username: string): Promise<void> {
  if (await findUserByName(db, username)) throw createUsernameTakenError();
  const other = (await createLookalikeFinder(db))(username);
  if (other === undefined) return;
  const message = describeLookalike(other);
  throw new HttpError(409, message, { code: 'USER_LOOKALIKE', fields: { username: message } });
}

export const userHandlers = {
  listUsers: ({ db, user, config }) => listUsers(db, user, config),

  listNames: ({ db, user }) => listPeople(db, user),

  listRoles: ({ user }) => roles.filter((role) => canManage(user, { role, parks: user.parks })),

  async userExists({ db, body }) {
    return { exists: (await findUserByName(db, body.username)) !== undefined };
  },

  async createUser({ db, body, user, now, config, origin, writeTransaction }) {
    const { isOneTime = false, password = generatePassword(), ...fields } = body;
    const person = { ...fields, parks: readParks(body) };
    await assertCanManage(db, user, person);
    assertCanGiveParks(user, [], person.parks);
    assertMaySetEmail(user, person.email);
    if (person.email || widensAccess(undefined, person)) assertJustConfirmed(user, now);
    if (!isOneTime) assertStrongPassword(password, person.username, config.operator.name, config.passwordMin);
    await assertUsernameFree(db, person.username);
    const passwordHash = await hashPassword(password);
    const reply = await writeTransaction(async (db, logActivity) => {
      const actor = await findActor(db, user);
      await assertCanManage(db, actor, person);
      assertCanGiveParks(actor, [], person.parks);
      assertMaySetEmail(actor, person.email);
      await assertUsernameFree(db, person.username);
      const id = await insertUser(db, { ...person, passwordHash, mustChangePassword: isOneTime }, now);
      logActivity({
        action: 'created',
        thing: 'user',
        thing_id: id,
        label: person.username,
        changes: getAssignment(person),
      });
      if (widensAccess(undefined, person))
        await notifyAdminsOfChange(db, now, { what: 'access', parks: person.parks, except: [user.id] });
      return { success: true, id } as const;
    });
    // The reply stored for retries has no password.
    return isOneTime ? { ...reply, created: showPasswords(origin, [{ ...person, password }]) } : reply;
  },

  async checkUserImport({ db, body, user }) {
    const users = await readImport(db, user, body.csv);
    const counts = roles.map((role) => ({ role, count: users.filter((person) => person.role === role).length }));
    return { counts: counts.filter(({ count }) => count > 0) };
  },

  async importUsers({ db, body, user, now, origin, writeTransaction }) {
    const users = await readImport(db, user, body.csv);
    if (users.some((person) => person.email || widensAccess(undefined, person))) assertJustConfirmed(user, now);
    const createdUsers = await addPasswords(users);
    return writeTransaction(async (db, logActivity) => {
      assertNoImportErrors(await findImportErrors(db, await findActor(db, user), users));
      for (const { password: _, ...person } of createdUsers) {
        const id = await insertUser(db, { ...person, mustChangePassword: true }, now);
        logActivity({
          action: 'created',
          thing: 'user',
          thing_id: id,
          label: person.username,
          changes: getAssignment(person),
        });
        if (widensAccess(undefined, person))
          await notifyAdminsOfChange(db, now, { what: 'access', parks: person.parks, except: [user.id] });
      }
      return { success: true, ...showPasswords(origin, createdUsers) } as const;
    });
  },

  async deleteUser({ params, user, now, writeTransaction }) {
    return writeTransaction(async (db, logActivity) => {
      const target = required(await findUser(db, params.id), 'User not found');
      await assertCanManage(db, await findActor(db, user), target);
      await assertNotLastAdmin(db, target);
      if (target.id === user.id) throw new HttpError(409, 'You cannot delete yourself');
      await deleteUser(db, target.id, now);
      await deleteUserSessions(db, target.id);
      await removeUserSubscriptions(db, target.id);
      logActivity({ action: 'deleted', ...toUserLogFields(target) });
    });
  },

  async updateUserDetails({ params, body, user, now, writeTransaction }) {
    return writeTransaction(async (db, logActivity) => {
      const target = required(await findUser(db, params.id), 'User not found');
      const actor = await findActor(db, user);
      await assertCanManage(db, actor, target);
      assertMaySetEmail(actor, body.email);
      const isNewEmail = body.email !== target.email;
      if (isNewEmail && target.id === user.id) throw createOwnEmailError();
      if (isNewEmail) assertJustConfirmed(user, now);
      await updateDetails(db, target.id, body);
      if (isNewEmail) {
        await deleteEmailChanges(db, target.id);
        await notifyOfEmail(db, now, { target, earlier: target.email, email: body.email, by: user });
      }
      // Leave out the values, because the log is kept forever.
      logActivity({ action: 'changed the name or email address of', ...toUserLogFields(target) });
    });
  },

  async assignRole({ body, user, config, now, knowsParkList, writeTransaction }) {
    const assigned = { role: body.role, parks: readParks(body) };
    return writeTransaction(async (db, logActivity) => {
      const target = required(await findUserByName(db, body.username), 'User not found');
      const actor = await findActor(db, user);
      await assertCanManage(db, actor, target, assigned);
      assertCanGiveParks(actor, target.parks, assigned.parks);
      assertShowsParks({ knowsParkList }, target.parks, assigned.parks);
      if (!isAdminOfAllParks(assigned)) await assertNotLastAdmin(db, target);
      if (assigned.role !== target.role && target.id === user.id)
        throw new HttpError(409, 'You cannot change your own role');
      if (await hasAccessFromProvider(db, config, target.id))
        throw new HttpError(409, 'Role and parks of this user come from the provider', { code: 'FROM_PROVIDER' });
      const addsOwnPark = target.id === user.id && !canSeeParks(target, assigned.parks);
      if (addsOwnPark || widensAccess(target, assigned)) assertJustConfirmed(user, now);
      await notifyOfAccess(db, now, { target, after: assigned, by: user });
      await changeAssignment(db, target, assigned, logActivity);
    });
  },

  async resetPassword({ db, body, user, now, writeTransaction }) {
    const target = required(await findUser(db, body.id), 'User not found');
    await assertCanManage(db, user, target);
    if (target.id === user.id) throw new HttpError(409, 'Change your own password in the menu under your name');
    const password = generatePassword();
    const passwordHash = await hashPassword(password);
    return writeTransaction(async (db, logActivity) => {
      const target = required(await findUser(db, body.id), 'User not found');
      await assertCanManage(db, await findActor(db, user), target);
      if (await findUserLink(db, target.id))
        throw new HttpError(409, 'This user signs in through the provider. An Admin can unlink them first.');
      if (await hasSecondFactor(db, target.id)) {
        const identityCheck = body.reason?.trim() ?? '';
        if (identityCheck === '') throw createIdentityCheckMissingError();
        await resetSecondFactors(db, {
          target,
          by: { id: user.id, username: user.username, reason: identityCheck },
          now,
          logActivity,
        });
      } else await notifyOfReset(db, now, target, user);
      await setOneTimePassword(db, { target, passwordHash, logActivity });
      return { success: true, password } as const;
    });
  },
} satisfies Partial<Handlers>;

const createOwnEmailError = () => {
  const message = 'Change your own email address under Notification Settings';
  return new HttpError(409, message, { code: 'OWN_EMAIL', fields: { email: message } });
};

const createIdentityCheckMissingError = () => {
  const message = 'Enter how you made sure who it is';
  return new HttpError(400, message, { fields: { reason: message } });
};

const showPasswords = (origin: string, users: CreatedUser[]) => ({
  users,
  address: origin,
  qrCode: drawQrCode(origin),
});

type ImportedUser = Omit<CsvUser, 'line'> & CreatedUser & { passwordHash: string };

/**
 * Generates passwords and hashes two at a time, so that a long list is finished within the request timeout while
 * other users can sign in.
 */
async function addPasswords(people: CsvUser[]): Promise<ImportedUser[]> {
  const createdUsers: ImportedUser[] = [];
  const remainingPeople = people.entries();
  const work = async () => {
    for (const [at, { line: _, ...person }] of remainingPeople) {
      const password = generatePassword();
      createdUsers[at] = { ...person, password, passwordHash: await hashPassword(password) };
    }
  };
  await Promise.all([work(), work()]);
  return createdUsers;
}

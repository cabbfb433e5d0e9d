// Completes a sign-in at the provider, inside one transaction: finds or creates the user, and applies role and parks.
import { isAdminOfAllParks } from '#shared/access.ts';
import type { Api } from '#shared/api.ts';
import type { ProviderPurpose } from '#shared/sign-in/single-sign-on.ts';
import type { SignInMethod } from '#shared/users.ts';
import { type LogActivity, toSessionLogFields, toUserLogFields } from '../../db/activity-log.ts';
import type { Database } from '../../db/schema.ts';
import { HttpError } from '../../errors/http-error.ts';
import type { HandlerContext } from '../../http/handler-context.ts';
import { notify } from '../../notifications/notify.ts';
import { removeUserSubscriptions } from '../../notifications/push.ts';
import { changeAssignment, getAssignment, isLastLocalAdmin } from '../../users/permissions.ts';
import { renewSession, secondStepSeconds, startSession } from '../../users/session-handlers.ts';
import { createLookalikeFinder, findUser, findUserByName, insertUser, type UserRow } from '../../users/store.ts';
import { hasSecondFactor, notifyUser } from '../factors/second-factors.ts';
import {
  findLink,
  findUserLink,
  type IdentityLink,
  insertLink,
  saveWaitingIdentity,
  updateLink,
} from '../session/identity-links.ts';
import { insertOneUseToken } from '../session/one-use-tokens.ts';
import { deleteUserSessions } from '../session/session.ts';
import { createNoAccessError, type Identity } from './claims.ts';

type Context = HandlerContext<Api['completeProviderSignIn']>;
/** The transaction, and what the provider says. */
type Work = { context: Context; db: Database; logActivity: LogActivity; identity: Identity };

/** The result. An `error` is thrown after the transaction, which has stored the reason. */
type Outcome =
  | { user: UserRow; method: SignInMethod; cookies: string[] }
  | { secondStepOf: UserRow; token: string }
  | { error: HttpError };

export async function completeForPurpose(work: Work, purpose: ProviderPurpose): Promise<Outcome> {
  if (purpose === 'link') return linkOwnAccount(work);
  const found = (await findLinkedUser(work, purpose)) ?? (await createLinkedUser(work));
  if ('error' in found) return found;
  const refusal = await applyAccess(work, found);
  if (refusal) return { error: refusal };
  return startOrConfirmSession(work, found.user.id, purpose);
}

type LinkedUser = { user: UserRow; link: IdentityLink };

/** Finds the user by issuer and subject. Returns undefined if the identity is linked to nobody. */
async function findLinkedUser(
  work: Work,
  purpose: ProviderPurpose,
): Promise<LinkedUser | { error: HttpError } | undefined> {
  const { context, db, identity, logActivity } = work;
  const link = await findLink(db, identity.hash);
  const user = link && (await findUser(db, link.user_id));
  if (purpose === 'confirm' && (!user || user.id !== context.user?.id))
    return { error: createNoAccessError('This is a different account. Choose the one you signed in with') };
  if (!link) return undefined;
  if (user) return { user, link };
  await saveWaitingIdentity(db, identity.hash, identity, context.now);
  const { username = '' } = (await findUser(db, link.user_id, { deleted: true })) ?? {};
  logActivity({ action: 'was refused, being deleted', thing: 'session', thing_id: link.user_id, label: username });
  return { error: createNoAccessError('Your account here was deleted. Ask an Admin') };
}

/** Creates a user if the settings say so and the provider names role and parks. Everyone else waits for an Admin. */
async function createLinkedUser({
  context,
  db,
  identity,
  logActivity,
}: Work): Promise<LinkedUser | { error: HttpError }> {
  const { config, now } = context;
  const { hash, access, username, name, email } = identity;
  const isTaken =
    username === '' ||
    (await findUserByName(db, username)) !== undefined ||
    (await createLookalikeFinder(db))(username) !== undefined;
  if (!config.provider?.createsUsers || access.is !== 'named' || isTaken) {
    await saveWaitingIdentity(db, hash, identity, now);
    return { error: new HttpError(403, 'Ask an Admin to let you in', { code: 'ASK_ADMIN' }) };
  }
  const details = { full_name: name, email: identity.isEmailVerified ? email : '' };
  const person = { username, ...details, ...access.viewer, park: '', passwordHash: '', mustChangePassword: false };
  const id = await insertUser(db, person, now);
  await insertLink(db, { identityHash: hash, userId: id, by: id, lastSignInAt: null }, now);
  const changes = getAssignment(access.viewer);
  logActivity({ action: 'created through single sign-on', thing: 'user', thing_id: id, label: username, changes });
  const created = { user: await findUser(db, id), link: await findLink(db, hash) };
  return created as LinkedUser;
}

/** Sets the role and parks that the provider names. Returns a reason if the user is refused. */
async function applyAccess(
  { context, db, identity, logActivity }: Work,
  { user, link }: LinkedUser,
): Promise<HttpError | undefined> {
  const { access } = identity;
  if (access.is === 'local' || (access.is === 'unknown' && link.access === 'allowed'))
    return link.access === 'refused' ? createNoAccessError('Ask an Admin to let you in again') : undefined;
  const isLast = await isLastLocalAdmin(db, user);
  if (access.is === 'named') {
    if (link.access !== 'usual') await updateLink(db, user.id, { access: 'usual' });
    if (isLast && !isAdminOfAllParks(access.viewer))
      await tellAdmins(context, db, user, 'would lose the last Admin role');
    else await changeAssignment(db, user, access.viewer, logActivity);
    if (!isLast && access.viewer.role !== user.role)
      await deleteUserSessions(db, user.id, getOwnSession(context, user));
    return undefined;
  }
  if (isLast || link.access !== 'refused') await tellAdmins(context, db, user, 'has no role at the provider any more');
  logActivity({ action: 'was refused, having no role at the provider', ...toSessionLogFields(user) });
  if (!isLast) {
    await updateLink(db, user.id, { access: 'refused' });
    await deleteUserSessions(db, user.id);
    await removeUserSubscriptions(db, user.id);
  }
  return createNoAccessError(access.message);
}

/** The session of this request, if it is the user's. */
const getOwnSession = ({ user: own }: Context, { id }: { id: string }) => (own?.id === id ? own.tokenHash : '');

async function tellAdmins({ now }: Context, db: Database, user: UserRow, what: string): Promise<void> {
  // Names are in the activity log only.
  const text = `A user ${what}`;
  await notify(db, now, {
    ...{ kind: 'providerRefusal', to: { adminsOf: '' }, thing: 'user', thing_id: user.id },
    ...{ park: '', text, line: text, link: '/admin/users', isUrgent: true },
    event: `${what} ${user.id} ${now.toISOString().slice(0, 10)}`,
  });
}

/** Begins a session or confirms the present one, or asks for our own second factor if the provider had none. */
async function startOrConfirmSession(
  { context, db, identity, logActivity }: Work,
  userId: string,
  purpose: ProviderPurpose,
): Promise<Outcome> {
  const { now } = context;
  const user = (await findUser(db, userId)) as UserRow;
  if (!identity.hasSecondFactor && (await hasSecondFactor(db, user.id))) {
    const signInKind = identity.freshSince ? 'fresh provider second step' : 'provider second step';
    const kind = purpose === 'confirm' ? 'provider confirm second step' : signInKind;
    return { secondStepOf: user, token: await insertOneUseToken(db, kind, user.id, secondStepSeconds, now) };
  }
  await updateLink(db, user.id, { last_sign_in_at: now.toISOString() });
  const method: SignInMethod = identity.hasSecondFactor ? 'single sign-on with second factor' : 'single sign-on';
  if (purpose === 'sign in' || !context.user)
    return { user, method, cookies: await startSession(context, db, logActivity, user, method, identity.freshSince) };
  const confirmedMethod = context.user.method === 'single sign-on' ? method : context.user.method;
  const session = { role: user.role, method: confirmedMethod };
  const cookie = await renewSession(context, db, context.user.tokenHash, session);
  return { user, method: confirmedMethod, cookies: [cookie] };
}

const linkedAlreadyMessage =
  'This company account is linked to another user, or you already use a company account. Ask an Admin';

/** Links the identity to the user who is signed in, whose session was confirmed when this began. */
async function linkOwnAccount({ context, db, identity, logActivity }: Work): Promise<Outcome> {
  const { now } = context;
  const user = context.user && (await findUser(db, context.user.id));
  if (!user || !context.user) throw new HttpError(401, 'Please sign in');
  const other = await findLink(db, identity.hash);
  // Includes identities of deleted users, which only an Admin can link to someone else.
  if ((other && other.user_id !== user.id) || (await findUserLink(db, user.id)))
    return { error: new HttpError(409, linkedAlreadyMessage, { code: 'LINKED_ALREADY' }) };
  if (identity.access.is === 'unknown') return { error: createNoAccessError(identity.access.message) };
  await linkUser({
    db,
    now,
    logActivity,
    user,
    by: user.id,
    identityHash: identity.hash,
    lastSignInAt: now.toISOString(),
    ownSession: context.user.tokenHash,
  });
  const link = (await findUserLink(db, user.id)) as IdentityLink;
  await applyAccess({ context, db, identity, logActivity }, { user, link });
  return { user: (await findUser(db, user.id)) as UserRow, method: context.user.method, cookies: [] };
}

type Linking = Pick<Work, 'db' | 'logActivity'> & {
  now: Date;
  user: { id: string; username: string };
  by: string;
  identityHash: string;
  lastSignInAt: string | null;
  /** The session in which users link themselves, which stays. */
  ownSession?: string;
};

/**
 * Links an identity to a user, and tells them. Sessions and half-finished sign-ins by password end: from now on
 * the provider decides who signs in.
 */
export async function linkUser({ db, now, logActivity, user, ownSession, ...link }: Linking): Promise<void> {
  await insertLink(db, { ...link, userId: user.id }, now);
  await deleteUserSessions(db, user.id, ownSession);
  await removeUserSubscriptions(db, user.id, ownSession);
  logActivity({ action: 'linked to single sign-on', ...toUserLogFields(user) });
  await notifyUser(db, now, user.id, 'Your account is linked to single sign-on, with which you sign in from now on');
}

// Authenticates requests and checks their permissions.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { canSeePark, isAllowed } from '#shared/access.ts';
import type { Endpoint } from '#shared/contract.ts';
import type { Database } from '../db/schema.ts';
import { HttpError } from '../errors/http-error.ts';
import { findSharedDevice, hasSignedInBy } from '../sign-in/devices/shared-devices.ts';
import { findAccount } from '../sign-in/session/accounts.ts';
import { findBrowser } from '../sign-in/session/browsers.ts';
import { findUserLink } from '../sign-in/session/identity-links.ts';
import { findSession, parseCookieToken, type SignedInUser } from '../sign-in/session/session.ts';
import { getClientNetwork } from '../sign-in/throttle/client-network.ts';
import { countAttempt } from '../sign-in/throttle/throttle.ts';
import { parseStoredParks } from '../user-parks.ts';
import type { Services } from './handler-context.ts';

declare module 'fastify' {
  interface FastifyRequest {
    user: SignedInUser | undefined;
    /** The id of the deleted user whose input this user sends. */
    submittedFor: string | undefined;
    /**
     * Whose request it is for limits: the user, without one a shared device or a browser in which someone has signed in,
     * or the network.
     */
    caller: string;
    /** Why a shared device may not send this. */
    deviceError: HttpError | undefined;
  }
}

/**
 * Paths that browsers request by themselves to update cached screens. These requests do not extend
 * the session.
 */
const backgroundRequestPattern = /^\/(?:assets\/|sw\.js|index\.html|operator-logo|manifest\.webmanifest|icons\/)/;

/**
 * Whether a user's action caused this request, so that it extends the session. Images do not count,
 * because they follow their page's requests.
 */
const isUserActive = ({ url, headers }: FastifyRequest) =>
  headers['x-background'] === undefined && !url.startsWith('/uploads/');

/**
 * Adds the hook that sets the user and caller of each request. Register it before the rate limit, which
 * depends on the user.
 */
export function authenticateRequests(server: FastifyInstance, { db, config, clock }: Services): void {
  server.decorateRequest('user', undefined);
  server.decorateRequest('submittedFor', undefined);
  server.decorateRequest('caller', '');
  server.decorateRequest('deviceError', undefined);
  server.addHook('onRequest', async (request) => {
    request.caller = getClientNetwork(request.ip);
    if (isFromSharedDevice(request)) {
      try {
        request.user = await findDeviceUser(db, request, config, clock());
        request.caller = request.user.id;
      } catch (error) {
        if (!(error instanceof HttpError)) throw error;
        request.deviceError = error;
      }
      return;
    }
    if (backgroundRequestPattern.test(request.url)) return;
    const { cookie } = request.headers;
    const token = parseCookieToken(cookie, config.isSecure);
    request.user = token
      ? await findSession(db, token, config, clock(), { isUserActive: isUserActive(request) })
      : undefined;
    if (request.user) {
      request.caller = request.user.id;
      return;
    }
    // Someone else on the park's network must not use up what a device or browser may send.
    const device = await findSharedDevice(db, { cookies: cookie, config });
    const browserToken = device ? undefined : parseCookieToken(cookie, config.isSecure, 'browser');
    const browser = browserToken && (await findBrowser(db, browserToken, clock()));
    request.caller = device?.id ?? browser ?? request.caller;
  });
}

/** Rejects what a shared device may not send. Register it after the rate limit, which counts these requests too. */
export function rejectDeviceErrors(server: FastifyInstance): void {
  server.addHook('onRequest', async ({ deviceError }) => {
    if (deviceError) throw deviceError;
  });
}

/** Checks session, role and rate limit before the body is read. */
export async function authorise(
  { db, config, clock }: Services,
  endpoint: Pick<Endpoint, 'access' | 'path'> & Partial<Endpoint>,
  request: FastifyRequest,
): Promise<void> {
  const now = clock();
  const { user } = request;
  if (endpoint.access !== 'anyone' && !user) throw new HttpError(401, 'Please sign in');
  // Reject input that a device sends later if another user has signed in on it since.
  const intendedUser = request.headers['x-user-id'];
  if (endpoint.access !== 'anyone' && intendedUser !== undefined && intendedUser !== user?.id)
    throw new HttpError(401, 'Please sign in', { code: 'OTHER_USER' });
  if (!isAllowed(endpoint.access, user)) throw new HttpError(403, 'You do not have access to this');
  if (user?.method === 'PIN' && endpoint.notByPin) throw new HttpError(403, 'Sign in with your password to do this');
  if (isFromSharedDevice(request) && !endpoint.forAnotherUser) throwNotASubmission();
  if (user?.mustChangePassword && endpoint.access !== 'anyone' && !endpoint.allowedBeforePasswordChange)
    throw new HttpError(403, 'Please choose a new password first', { code: 'PASSWORD_CHANGE_NEEDED' });
  if (user && endpoint.changesSignIn) assertCurrentToken(user);
  if (user && endpoint.needsConfirmation) assertJustConfirmed(user, now);
  if (user && isForFormerUser(request)) {
    if (!endpoint.forAnotherUser) throwNotASubmission();
    await setFormerUser(db, request, user);
  }
  if (!endpoint.perMinute) return;
  const { count, retryAfter } = await countAttempt(db, `${endpoint.path} ${request.caller}`, 60, now);
  if (count <= endpoint.perMinute * config.rates.scale) return;
  throw new HttpError(429, 'Too many requests. Please wait a moment and try again.', { retryAfter });
}

/**
 * Returns the user for whom a shared device sends what was submitted on it, with the rights of staff, at the park of
 * the device only. Records and the activity log name the device too. Throws 401, so that the item stays for a
 * manager, if the user had not signed in on the device when it was submitted, or is now no member of staff of its park.
 */
async function findDeviceUser(db: Database, request: FastifyRequest, config: Services['config'], now: Date) {
  const { headers } = request;
  const device = await findSharedDevice(db, { cookies: headers.cookie, config });
  if (!device) throw new HttpError(401, 'This device is not set up for sharing', { code: 'NOT_SHARED' });
  request.caller = device.id;
  const sentTime = Date.parse(String(headers['x-made-at']));
  // The clock of the device may be ahead.
  const madeAt = new Date(Math.min(sentTime, now.getTime()));
  const account = await findAccount(db, String(headers['x-device-user']));
  const isKnown =
    account?.deleted_at === null &&
    account.role === 'None' &&
    canSeePark({ parks: parseStoredParks(account.parks) }, device.park) &&
    (await findUserLink(db, account.id))?.access !== 'refused' &&
    !Number.isNaN(madeAt.getTime()) &&
    (await hasSignedInBy(db, device.id, account.id, madeAt.toISOString()));
  if (!isKnown) throw new HttpError(401, 'Please sign in', { code: 'NOT_SEEN_HERE' });
  const at = madeAt.toISOString();
  const user: SignedInUser = {
    ...{ id: account.id, username: `${account.username} on ${device.name}`, parks: [device.park] },
    ...{ role: 'None', fullRole: 'None', factorNeed: undefined, mustChangePassword: false, method: 'PIN' },
    ...{ signedInAt: at, confirmedAt: '', isByEarlierToken: false, expiresAt: at, canExtend: false, tokenHash: '' },
    sharedDevice: { id: device.id, madeAt: at },
  };
  return user;
}

const confirmationMs = 10 * 60_000;

/** Throws unless the user has entered their password, and second factor, in the last ten minutes. */
export function assertJustConfirmed(user: SignedInUser, now: Date): void {
  assertCurrentToken(user);
  if (Math.abs(now.getTime() - Date.parse(user.confirmedAt)) < confirmationMs) return;
  throw new HttpError(403, 'Please confirm that it is you', { code: 'CONFIRMATION_NEEDED' });
}

/** Throws if the session has had a new token since: someone may have copied this one, to add a way in. */
export function assertCurrentToken({ isByEarlierToken }: SignedInUser): void {
  if (isByEarlierToken) throw new HttpError(401, 'Please sign in');
}

/** Whether a reviewer submits this on behalf of a deleted user. */
export const isForFormerUser = ({ headers }: FastifyRequest) => headers['x-submitted-for'] !== undefined;

/** Whether a shared device sends what one of its users has submitted. */
export const isFromSharedDevice = ({ headers }: FastifyRequest) => headers['x-device-user'] !== undefined;

export function throwNotASubmission(): never {
  throw new HttpError(400, 'This cannot be sent for someone else', { code: 'NOT_A_SUBMISSION' });
}

/**
 * Sets the deleted user whose submission a reviewer sends from the same device. Records and the
 * activity log name both users.
 */
async function setFormerUser(db: Database, request: FastifyRequest, user: SignedInUser): Promise<void> {
  const formerId = String(request.headers['x-submitted-for']);
  if (!isAllowed('reviewer', user)) throw new HttpError(403, 'You do not have access to this');
  const formerUser = await findAccount(db, formerId);
  if (formerUser && !formerUser.deleted_at)
    throw new HttpError(403, `${formerUser.username} still has an account and has to sign in`, { code: 'NOT_LEFT' });
  if (formerUser) request.submittedFor = formerId;
  request.user = { ...user, username: `${user.username} for ${formerUser?.username ?? 'a former user'}` };
}

// Slows down password guessing without locking anyone out. A browser in which the user has signed in has counters of
// its own, which nobody else can fill; so has a session whose user confirms who they are. All other attempts share
// counters: of the username and network, of the network, and of the username from all networks.
import { pluralise } from '#shared/pluralise.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/schema.ts';
import { HttpError } from '../../errors/http-error.ts';
import { sha256 } from '../../hash.ts';
import { readGeneratedPassword } from '../session/passwords.ts';
import { getClientNetwork } from './client-network.ts';
import {
  countAttempts,
  deleteAttempts,
  deleteAttemptsByPrefix,
  extendAttempts,
  listAttempts,
  uncountAttempt,
} from './throttle.ts';

const quarterHour = 15 * 60;
const hour = 60 * 60;
const day = 24 * hour;

/** Wrong passwords in some seconds. */
export type Limit = {
  key: string;
  count: number;
  seconds: number;
  /** For how many seconds the last one stops all attempts; a right one before clears the count, unless `staysAfterSuccess`. */
  pause?: number | (() => Promise<number>);
  staysAfterSuccess?: true;
};

/** How long the check of a username takes that is guessed from many networks. One is checked, four wait. */
const slowCheckSeconds = 2;
const maxWaiting = 4;

/**
 * Limits for browsers in which the user has not signed in. The keys contain hashes, because users sometimes type
 * their password as username and every backup contains the counters.
 */
function createSharedLimits(username: string, ip: string) {
  const network = getClientNetwork(ip);
  const [pairs, name, nameDay] = createUsernamePrefixes(username);
  return {
    pair: { key: `${pairs} ${network}`, count: 5, seconds: quarterHour, pause: quarterHour },
    network: { key: `sign-in-place ${network}`, count: 100, seconds: quarterHour },
    day: { key: `${nameDay}`, count: 200, seconds: day },
    /** Beyond it, passwords are checked slowly. */
    hour: { key: `${name}`, count: 20, seconds: hour },
  } as const satisfies Record<string, Limit>;
}

const createUsernamePrefixes = (username: string) =>
  ['sign-in-pair', 'sign-in-name', 'sign-in-day'].map((kind) => `${kind} ${sha256(username)}`);

const createBrowserPrefixes = (userId: string) =>
  ['sign-in-browser', 'sign-in-browser-day'].map((kind) => `${kind} ${userId}`);

function createBrowserLimits({ userId, browser }: KnownBrowser): Limit[] {
  const [short, long] = createBrowserPrefixes(userId).map((prefix) => `${prefix} ${browser}`);
  return [
    { key: `${short}`, count: 10, seconds: quarterHour, pause: quarterHour },
    { key: `${long}`, count: 50, seconds: day },
  ];
}

/** The request of an attempt. `delayResponse` waits without counting as a timeout. */
type Context = {
  db: Database;
  ip: string;
  now: Date;
  config: Pick<Config, 'passkeyHost' | 'provider'>;
  delayResponse(ms: number): Promise<void>;
};

/** A user, and the hash of the token of a browser in which they have signed in. */
type KnownBrowser = { userId: string; browser: string };

type SignIn = {
  /** As `getUsernameKey` writes it; such a user may not exist. */
  username: string;
  password: string;
  known: KnownBrowser | undefined;
  /** Checks the password: before those of unknown browsers, and with `isOneTimeOnly` against a one-time password only. */
  checkPassword(options: { isUrgent: boolean; isOneTimeOnly: boolean }): Promise<boolean>;
  /** Called after the last wrong password of a day. */
  onLastOfDay(): Promise<unknown>;
};

/** `locked` is the failure that begins a pause. */
type Result = 'right' | 'wrong' | 'locked';

/** Checks the password of a sign-in, unless too many were wrong: then throws 429. */
export async function checkPasswordThrottled(context: Context, signIn: SignIn): Promise<Result> {
  const { known, checkPassword } = signIn;
  if (!known) return checkFromUnknownBrowser(context, signIn);
  return checkInTurn(context, createBrowserLimits(known), () =>
    checkPassword({ isUrgent: true, isOneTimeOnly: false }),
  );
}

/** Checks the password of a user who is signed in, unless too many were wrong in this session: then throws 429. */
export const checkSessionPassword = (
  context: Context,
  { tokenHash }: { tokenHash: string },
  checkPassword: () => Promise<boolean>,
): Promise<Result> =>
  checkInTurn(
    context,
    [
      { key: `confirm ${tokenHash}`, count: 5, seconds: quarterHour, pause: quarterHour },
      { key: `confirm-day ${tokenHash}`, count: 50, seconds: day },
    ],
    checkPassword,
  );

/**
 * Checks one attempt at a time for the first limit, so that simultaneous right ones all succeed although each is
 * counted before it is checked. Throws what `createError` returns, by default 429, if a limit is reached.
 */
export const checkInTurn = (
  context: Pick<Context, 'db' | 'now'>,
  limits: Limit[],
  check: () => Promise<boolean>,
  createError = createPauseError,
): Promise<Result> =>
  runInOrder(limits[0]?.key ?? '', async () => {
    const outcome = await checkWithin(context, limits, check);
    if (typeof outcome === 'object') throw createError(outcome.reached.retryAfter);
    return outcome;
  });

type SharedCheck = { isQuick: boolean; isOneTimeOnly?: boolean };

async function checkFromUnknownBrowser(context: Context, signIn: SignIn): Promise<Result> {
  const { pair, network, day, hour } = createSharedLimits(signIn.username, context.ip);
  const onReached = (limit: Limit) => (limit === day ? signIn.onLastOfDay() : undefined);
  const check = async ({ isQuick, isOneTimeOnly = false }: SharedCheck): Promise<Result | 'slowly'> => {
    const ofHour = isQuick ? hour : { ...hour, count: Number.POSITIVE_INFINITY };
    // A one-time password has 79 random bits, so guessing one is hopeless: it need not wait in line.
    const limits: Limit[] = isOneTimeOnly ? [pair, network] : [pair, network, day, ofHour];
    const outcome = await checkWithin(
      context,
      limits,
      () => signIn.checkPassword({ isUrgent: false, isOneTimeOnly }),
      onReached,
    );
    if (typeof outcome === 'string') return outcome;
    const { limit, retryAfter } = outcome.reached;
    if (limit === hour) return 'slowly';
    if (limit === day && readGeneratedPassword(signIn.password)) return check({ isQuick, isOneTimeOnly: true });
    throw limit === day ? createDayError(context, retryAfter) : createPauseError(retryAfter);
  };
  const result = await runInOrder(pair.key, () => check({ isQuick: true }));
  return result === 'slowly'
    ? runSlowly(hour.key, context, () => check({ isQuick: false }) as Promise<Result>)
    : result;
}

type Counted = { limit: Limit; count: number; retryAfter: number }[];

const withLimits = (limits: Limit[], attempts: { count: number; retryAfter: number }[]): Counted =>
  limits.map((limit, at) => ({ limit, ...(attempts[at] ?? { count: 0, retryAfter: 0 }) }));

/** Attempts that are being checked, by key: they are counted until they turn out to be right. */
const underWay = new Map<string, Set<Promise<void>>>();
/** Who reads the counter of a key now: all attempts that may be in what is read, also those that began or ended since. */
const readers = new Map<string, Set<Set<Promise<void>>>>();

/** Returns a function that ends the attempt. */
function beginAttempt(keys: string[]): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const key of keys) {
    addTo(underWay, key, promise);
    for (const attempts of readers.get(key) ?? []) attempts.add(promise);
  }
  return () => {
    for (const key of keys) removeFrom(underWay, key, promise);
    resolve();
  };
}

/** Reads the counters of these keys, and the attempts that may be among those counted for each. */
async function readCounters(db: Database, keys: string[], now: Date) {
  const attempts = new Map(keys.map((key) => [key, new Set(underWay.get(key))]));
  for (const [key, own] of attempts) addTo(readers, key, own);
  try {
    return { attempts, counters: await listAttempts(db, keys, now) };
  } finally {
    for (const [key, own] of attempts) removeFrom(readers, key, own);
  }
}

function addTo<T>(sets: Map<string, Set<T>>, key: string, item: T): void {
  sets.set(key, (sets.get(key) ?? new Set()).add(item));
}

function removeFrom<T>(sets: Map<string, Set<T>>, key: string, item: T): void {
  sets.get(key)?.delete(item);
  if (sets.get(key)?.size === 0) sets.delete(key);
}

/**
 * Checks an attempt, which is counted for each limit before, so that other instances count it too. If a limit is
 * reached, counts nothing and returns it. While it is reached only because of attempts that are being checked, waits
 * for them in a line, in which one at a time looks again: they may be right.
 */
async function checkWithin(
  { db, now }: Pick<Context, 'db' | 'now'>,
  limits: Limit[],
  check: () => Promise<boolean>,
  onReached?: (limit: Limit) => unknown,
  isInLine = false,
): Promise<Result | { reached: Counted[number] }> {
  const keys = limits.map(({ key }) => key);
  for (;;) {
    const { attempts, counters } = await readCounters(db, keys, now);
    const reached = withLimits(limits, counters).find(({ limit, count }) => count >= limit.count);
    if (reached) {
      const { key, count } = reached.limit;
      if (reached.count - (attempts.get(key)?.size ?? 0) >= count) return { reached };
      if (!isInLine)
        return runInOrder(`line of ${key}`, () => checkWithin({ db, now }, limits, check, onReached, true));
      await Promise.race(underWay.get(key) ?? [undefined]);
      continue;
    }
    const endAttempt = beginAttempt(keys);
    try {
      const counted = withLimits(limits, await countAttempts(db, limits, now));
      if (counted.every(({ limit, count }) => count <= limit.count))
        return await checkCounted(db, counted, now, check, onReached);
      await uncount(db, counted);
    } finally {
      endAttempt();
    }
  }
}

const uncount = (db: Database, counted: Counted) => uncountAttempt(db, ...counted.map(({ limit }) => limit.key));

/** Checks a password whose attempt was counted. Only a wrong one stays counted. */
async function checkCounted(
  db: Database,
  counted: Counted,
  now: Date,
  check: () => Promise<boolean>,
  onReached?: (limit: Limit) => unknown,
): Promise<Result> {
  let isRight = false;
  try {
    isRight = await check();
  } catch (error) {
    await uncount(db, counted);
    throw error;
  }
  if (isRight) {
    await uncount(db, counted);
    for (const { limit } of counted) if (limit.pause && !limit.staysAfterSuccess) await deleteAttempts(db, limit.key);
    return 'right';
  }
  let result: Result = 'wrong';
  for (const { limit, count } of counted) {
    if (count !== limit.count) continue;
    await onReached?.(limit);
    if (!limit.pause) continue;
    const seconds = typeof limit.pause === 'number' ? limit.pause : await limit.pause();
    await extendAttempts(db, limit.key, seconds, now);
    result = 'locked';
  }
  return result;
}

/** `15 minutes`, for a wait of these seconds. */
export const formatWait = (seconds: number): string =>
  seconds < 60
    ? pluralise(seconds, 'second')
    : seconds < 2 * hour
      ? pluralise(Math.ceil(seconds / 60), 'minute')
      : pluralise(Math.ceil(seconds / hour), 'hour');

const createPauseError = (retryAfter: number) =>
  new HttpError(429, `Too many failed attempts. Wait ${formatWait(retryAfter)} and try again.`, { retryAfter });

/** Says how the user can sign in today. The same for usernames that do not exist. */
function createDayError({ config }: Context, retryAfter: number): HttpError {
  const ways = [
    'on a device that you have used before',
    ...(config.passkeyHost ? ['with a passkey'] : []),
    ...(config.provider ? [`with ${config.provider.label}`] : []),
    'with a one-time password that a manager or an Admin sets',
  ];
  const message = `Too many wrong passwords were entered for this username today. Sign in ${ways.slice(0, -1).join(', ')}, or ${ways.at(-1)}.`;
  return new HttpError(429, message, { code: 'GUESSED_TODAY', retryAfter });
}

/** Deletes what was counted for a user, after a one-time password was set. Networks stay counted. */
export async function deleteFailures(db: Database, user: { id: string; username_key: string }): Promise<void> {
  const names = createUsernamePrefixes(user.username_key);
  // In the order in which attempts lock these rows.
  for (const prefix of [...names, ...createBrowserPrefixes(user.id)].toSorted()) {
    if (names.includes(prefix)) await deleteAttempts(db, prefix);
    await deleteAttemptsByPrefix(db, prefix);
  }
}

const lines = new Map<string, number>();

/**
 * Checks one attempt at a time for a key, each in two seconds. Four wait for eight seconds at most; throws 429 if as
 * many wait already.
 */
async function runSlowly<T>(key: string, { delayResponse }: Context, check: () => Promise<T>): Promise<T> {
  const inLine = lines.get(key) ?? 0;
  if (inLine > maxWaiting) throw createPauseError(slowCheckSeconds * inLine);
  lines.set(key, inLine + 1);
  try {
    return await runInOrder(key, async () => {
      const result = check();
      await Promise.allSettled([result, delayResponse(1000 * slowCheckSeconds)]);
      return result;
    });
  } finally {
    const left = (lines.get(key) ?? 1) - 1;
    if (left > 0) lines.set(key, left);
    else lines.delete(key);
  }
}

const turns = new Map<string, Promise<unknown>>();

async function runInOrder<T>(key: string, work: () => Promise<T>): Promise<T> {
  const currentTurn = (turns.get(key) ?? Promise.resolve()).then(work, work);
  turns.set(key, currentTurn);
  try {
    return await currentTurn;
  } finally {
    if (turns.get(key) === currentTurn) turns.delete(key);
  }
}

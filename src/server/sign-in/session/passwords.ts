// Password rules and hashing (Argon2id, the library's default, with OWASP's parameters).
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { hash, hashRaw, verify } from '@node-rs/argon2';
import { listParks } from '#shared/park-list.ts';
import { HttpError } from '../../errors/http-error.ts';
import { sha256 } from '../../hash.ts';

const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Each hash uses 19 MiB of memory, and more hashes at once than CPU cores are not faster. */
const maxConcurrent = Math.min(4, availableParallelism());
const maxQueued = 50;

function readLines(file: string): string[] {
  return readFileSync(join(import.meta.dirname, file), 'utf8')
    .trimEnd()
    .split('\n');
}

/** Returns the text in lower case, without spaces, and without what precedes the first letter and follows the last. */
const getCore = (text: string) =>
  text
    .toLowerCase()
    .replace(/\s+/g, '')
    .replace(/^\P{L}+|\P{L}+$/gu, '');

/**
 * The 10,000 most common passwords of 8 or more characters, from Mark Burnett's list of ten million
 * (public domain); their cores, and 20,000 common English words and first names. They are from
 * zxcvbn-ts (MIT), which has the words from Wikipedia and OpenSubtitles (OPUS, ODC-BY).
 */
function readCommon() {
  const passwords = readLines('common-passwords.txt');
  const words = new Set(passwords.map(getCore).concat(readLines('common-words.txt')));
  words.delete('');
  return { passwords: new Set(passwords), words };
}

/** Read at first use, because most starts set no password. */
let common: ReturnType<typeof readCommon> | undefined;

/**
 * Throws if the password is easily guessed: a common one; or the username, a common word, or the name
 * of a park or the operator with digits or punctuation. `field` is its name in the payload.
 */
export function assertStrongPassword(
  password: string,
  username: string,
  operatorName: string,
  min: number,
  field = 'password',
): void {
  const throwWeakPassword = (message: string) => {
    throw new HttpError(400, message, { code: 'WEAK_PASSWORD', fields: { [field]: message } });
  };
  if ([...password].length < min) throwWeakPassword(`A password has at least ${min} characters`);
  const lowercase = password.toLowerCase();
  const core = getCore(password);
  const isName = core !== '' && [username, operatorName, ...listParks()].map(getCore).includes(core);
  common ??= readCommon();
  if (common.passwords.has(lowercase) || lowercase === username.toLowerCase() || isName || common.words.has(core))
    throwWeakPassword('Choose a less common password');
}

let runningCount = 0;
const queues: Record<'urgent' | 'usual', (() => void)[]> = { urgent: [], usual: [] };

/**
 * Limits concurrent hashing, so that the server stays responsive while many users sign in. Urgent work comes first:
 * a flood of sign-ins from unknown browsers does not delay it.
 */
async function limitConcurrency<T>(work: () => Promise<T>, { isUrgent = true } = {}): Promise<T> {
  if (runningCount >= maxConcurrent) {
    const waiting = queues[isUrgent ? 'urgent' : 'usual'];
    if (waiting.length >= maxQueued)
      throw new HttpError(503, 'Many people are signing in. Please try again in a moment.', { retryAfter: 3 });
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else runningCount += 1;
  try {
    return await work();
  } finally {
    const next = queues.urgent.shift() ?? queues.usual.shift();
    if (next) next();
    else runningCount -= 1;
  }
}

export const hashPassword = (password: string) => limitConcurrency(() => hash(password, parameters));

/**
 * A hash that is the same for the same password and salt, and as slow to guess from as
 * `hashPassword`.
 */
export const hashWithSalt = async (password: string, salt: string) => {
  const options = { ...parameters, salt: Buffer.from(sha256(salt), 'hex').subarray(0, 16) };
  return (await limitConcurrency(() => hashRaw(password, options))).toString('hex');
};

/** Whether a hash was created with other parameters than the current ones. */
export const needsRehash = (passwordHash: string) => {
  const { memoryCost, timeCost, parallelism } = parameters;
  return !passwordHash.startsWith(`$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`);
};

/** Lower-case letters and digits, without those that look alike: i, l and o, 0 and 1. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
const groupsOfFour = (text: string) => text.match(/.{4}/g)?.join('-') ?? '';

/** Returns a random password of 79 bits: four groups of letters and digits, easy to read out and type. */
export const generatePassword = () =>
  groupsOfFour(Array.from({ length: 16 }, () => alphabet[randomInt(alphabet.length)]).join(''));

/**
 * Returns a password as `generatePassword` made it, however its capitals, hyphens and spaces were typed; undefined if it
 * cannot be one. Earlier versions used all letters.
 */
export function readGeneratedPassword(typed: string): string | undefined {
  const plain = typed.toLowerCase().replace(/[\s-]/g, '');
  return /^[a-z2-9]{16}$/.test(plain) ? groupsOfFour(plain) : undefined;
}

/** Returns the password to verify: a one-time password as it was made, another one exactly as typed. */
export const readTypedPassword = (typed: string, isOneTime: boolean): string =>
  (isOneTime ? readGeneratedPassword(typed) : undefined) ?? typed;

/**
 * Verified instead if a username does not exist or has no password, so that the response takes as long as
 * for one that has.
 */
const dummyHash = hash('no such user', parameters);

export async function verifyPassword(
  passwordHash: string | undefined,
  password: string,
  options?: { isUrgent: boolean },
): Promise<boolean> {
  const storedHash = passwordHash || (await dummyHash);
  const matches = await limitConcurrency(() => verify(storedHash, password), options);
  return Boolean(passwordHash) && matches;
}

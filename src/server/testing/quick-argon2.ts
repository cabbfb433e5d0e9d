// Replaces @node-rs/argon2 in the tests (see vitest.config.ts). It creates hashes that look like
// the product's but take hardly any CPU time. Other hashes are verified as usual.
import { randomBytes } from 'node:crypto';
import * as argon2 from '@node-rs/argon2/index.js';

const quickOptions = { memoryCost: 8, timeCost: 1, parallelism: 1 };
const quickParameters = 'm=8,t=1,p=1';

/** The first bytes of the salt of a quick hash, and their Base64. */
const mark = 'quick.';
const markInBase64 = Buffer.from(mark).toString('base64');

const replaceParameters = (passwordHash: string, parameters: string) =>
  passwordHash.replace(/m=\d+,t=\d+,p=\d+/, parameters);

/** How often each was called, for tests that compare the work of two requests. */
export const calls = { hash: 0, verify: 0 };

export async function hash(password: string, options: argon2.Options = {}): Promise<string> {
  calls.hash += 1;
  const { memoryCost = 19_456, timeCost = 2, parallelism = 1 } = options;
  const salt = Buffer.concat([Buffer.from(mark), randomBytes(10)]);
  const realHash = await argon2.hash(password, { ...options, ...quickOptions, salt });
  return replaceParameters(realHash, `m=${memoryCost},t=${timeCost},p=${parallelism}`);
}

export const hashRaw = (password: string, options: argon2.Options = {}) =>
  argon2.hashRaw(password, { ...options, ...quickOptions });

export function verify(passwordHash: string, password: string) {
  calls.verify += 1;
  return argon2.verify(
    passwordHash.includes(`$${markInBase64}`) ? replaceParameters(passwordHash, quickParameters) : passwordHash,
    password,
  );
}

// Passkeys (WebAuthn): keys that a phone, computer or security key holds, and uses once it has recognised
// its user. One proves password and second factor at once.
import type { CreatedPasskey, Passkey, SignedPasskey } from '#shared/sign-in/second-factors.ts';
import type { Config } from '../../config.ts';
import { countRows } from '../../db/queries.ts';
import type { Database, Tables } from '../../db/schema.ts';
import { HttpError } from '../../errors/http-error.ts';
import { newId } from '../../ids.ts';
import { consumeOneUseToken, insertOneUseToken } from '../session/one-use-tokens.ts';

/** Loaded when a passkey is first checked: it takes most of a second, and 25 MB of memory. */
const loadLibrary = () => import('@simplewebauthn/server');

/** Ed25519, ES256 and RS256, the best first. */
const algorithms = [-8, -7, -257];
const challengeSeconds = 5 * 60;
const maxPasskeys = 20;

type Context = { db: Database; config: Config; origin: string; now: Date };
type PasskeyRow = Tables['passkeys'];

export const listPasskeys = async (db: Database, { passkeyHost }: Config, userId: string): Promise<Passkey[]> =>
  (await selectPasskeys(db, userId)).map(({ id, name, created_at, last_used_at, host, is_backed_up }) => ({
    ...{ id, name, created_at, last_used_at },
    isUsable: host === passkeyHost,
    isSynced: is_backed_up === 1,
  }));

const selectPasskeys = (db: Database, userId: string) =>
  db
    .selectFrom('passkeys')
    .selectAll()
    .where('user_id', '=', userId)
    .where('is_confirmed', '=', 1)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

/** Counts passkeys that no longer work, because the server had another host name when they were created. */
export const countLostPasskeys = async (db: Database, { passkeyHost }: Config): Promise<number> =>
  countRows(db.selectFrom('passkeys').where('host', '!=', passkeyHost));

function assertPasskeysPossible({ passkeyHost }: Config): void {
  if (!passkeyHost) throw new HttpError(409, 'Passkeys need an address with HTTPS and a host name');
}

/** Returns what a browser needs to use any passkey of this server. */
export async function requestPasskey({ db, config, now }: Context) {
  assertPasskeysPossible(config);
  return {
    challenge: await insertOneUseToken(db, 'passkey', '', challengeSeconds, now),
    rpId: config.passkeyHost,
    userVerification: 'required',
    timeout: challengeSeconds * 1000,
  } as const;
}

/** Returns what a browser needs to create a passkey for this user. */
export async function describeNewPasskey({ db, config, now }: Context, user: { id: string; username: string }) {
  assertPasskeysPossible(config);
  const passkeys = await selectPasskeys(db, user.id);
  if (passkeys.length >= maxPasskeys) throw new HttpError(409, `You have ${maxPasskeys} passkeys. Remove one first`);
  const type = 'public-key';
  return {
    challenge: await insertOneUseToken(db, 'new passkey', user.id, challengeSeconds, now),
    rp: { id: config.passkeyHost, name: config.operator.name },
    user: { id: createUserHandle(user.id), name: user.username, displayName: user.username },
    pubKeyCredParams: algorithms.map((alg) => ({ type, alg }) as const),
    excludeCredentials: passkeys.map(({ credential_id }) => ({ type, id: credential_id }) as const),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    timeout: challengeSeconds * 1000,
  } as const;
}

/** Returns the user handle of WebAuthn: the id of the account, which does not contain personal data. */
const createUserHandle = (userId: string) => Buffer.from(userId).toString('base64url');

/** Checks a passkey that a browser has created for this user. Returns its row, not yet stored. */
export async function checkNewPasskey(
  { db, config, origin, now }: Context,
  user_id: string,
  name: string,
  created: CreatedPasskey,
): Promise<PasskeyRow> {
  const { verifyRegistrationResponse } = await loadLibrary();
  let challenge = '';
  const { registrationInfo } = await verifyRegistrationResponse({
    response: { ...created, clientExtensionResults: {} },
    expectedChallenge: (used) => {
      challenge = used;
      return true;
    },
    expectedOrigin: origin,
    expectedRPID: config.passkeyHost,
    supportedAlgorithmIDs: algorithms,
  }).catch(() => ({ registrationInfo: undefined }));
  const token = registrationInfo && (await consumeOneUseToken(db, challenge, ['new passkey'], now));
  if (!registrationInfo || token?.user_id !== user_id)
    throw new HttpError(400, 'This passkey could not be checked. Try again');
  const { credential, credentialDeviceType, credentialBackedUp } = registrationInfo;
  return {
    ...{ id: newId(), user_id, name, host: config.passkeyHost, is_confirmed: 0 },
    ...{ credential_id: credential.id, public_key: Buffer.from(credential.publicKey).toString('base64url') },
    counter: credential.counter,
    can_be_backed_up: credentialDeviceType === 'multiDevice' ? 1 : 0,
    is_backed_up: credentialBackedUp ? 1 : 0,
    ...{ created_at: now.toISOString(), last_used_at: null },
  };
}

export async function insertPasskey(db: Database, passkey: PasskeyRow): Promise<void> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== 1n) throw new HttpError(409, 'You have already added this passkey');
}

export async function renamePasskey(db: Database, userId: string, id: string, name: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('passkeys')
    .set({ name })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function deletePasskey(db: Database, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('passkeys')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** A passkey whose signature is right; `consumePasskey` checks that it is not used again. */
type PasskeyUse = Pick<PasskeyRow, 'id' | 'user_id' | 'counter' | 'is_backed_up'> & { challenge: string };

/** Checks what a passkey signed. Returns undefined if it is not right. */
export async function checkPasskey(
  { db, config, origin }: Context,
  signed: SignedPasskey,
): Promise<PasskeyUse | undefined> {
  const passkey = await db
    .selectFrom('passkeys')
    .selectAll()
    .where('credential_id', '=', signed.id)
    .where('is_confirmed', '=', 1)
    .executeTakeFirst();
  if (!passkey || signed.response.userHandle !== createUserHandle(passkey.user_id)) return undefined;
  const { verifyAuthenticationResponse } = await loadLibrary();
  let challenge = '';
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...signed, clientExtensionResults: {} },
    expectedChallenge: (used) => {
      challenge = used;
      return true;
    },
    expectedOrigin: origin,
    expectedRPID: config.passkeyHost,
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
      counter: passkey.counter,
    },
  }).catch(() => ({ verified: false, authenticationInfo: undefined }));
  if (!verified || !authenticationInfo) return undefined;
  const { newCounter, credentialDeviceType, credentialBackedUp } = authenticationInfo;
  // A key that cannot leave its device never becomes one that can.
  if ((credentialDeviceType === 'multiDevice') !== (passkey.can_be_backed_up === 1)) return undefined;
  const { id, user_id } = passkey;
  return { id, user_id, counter: newCounter, is_backed_up: credentialBackedUp ? 1 : 0, challenge };
}

/** Uses up the challenge of a checked passkey. Returns false if it was used up before or has expired. */
export async function consumePasskey(
  db: Database,
  { id, counter, is_backed_up, challenge }: PasskeyUse,
  now: Date,
): Promise<boolean> {
  if (!(await consumeOneUseToken(db, challenge, ['passkey'], now))) return false;
  const { numUpdatedRows } = await db
    .updateTable('passkeys')
    .set({ counter, is_backed_up, last_used_at: now.toISOString() })
    .where('id', '=', id)
    .where('counter', counter === 0 ? '=' : '<', counter)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

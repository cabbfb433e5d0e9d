// A passkey in software: what a phone or security key does (WebAuthn), without asking anyone.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { api } from '#shared/api.ts';
import type { CreatedPasskey, SignedPasskey } from '#shared/sign-in/second-factors.ts';
import type { TestClient } from './server.ts';

type Behaviour = { origin: string; host: string; isUserVerified: boolean; counter: number; canBeBackedUp: boolean };

const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest();
const toBase64Url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

/** Encode values as CBOR: a text of less than 24 characters, and 24 to 255 bytes. */
const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
const bytes = (value: Buffer) => Buffer.concat([Buffer.from([0x58, value.length]), value]);

/** Returns a new passkey for the pages of this origin. `changes` make one of its responses wrong. */
export function createAuthenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(32);
  const credential = { id: toBase64Url(id), rawId: toBase64Url(id), type: 'public-key' } as const;
  let userHandle = 'none';
  let uses = 0;
  const defaults = { origin, host: new URL(origin).hostname, isUserVerified: true, canBeBackedUp: false };

  const describe = (type: string, challenge: string, { origin }: Behaviour) =>
    Buffer.from(JSON.stringify({ type: `webauthn.${type}`, challenge, origin, crossOrigin: false }));
  function createData({ host, isUserVerified, counter, canBeBackedUp }: Behaviour, isNew: boolean) {
    const flags = 1 | (isUserVerified ? 4 : 0) | (canBeBackedUp ? 8 : 0) | (isNew ? 64 : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(host), Buffer.from([flags]), count]);
  }

  return {
    /** Creates the passkey. */
    create(options: { challenge: string; user: { id: string } }, changes: Partial<Behaviour> = {}): CreatedPasskey {
      const behaviour = { ...defaults, counter: uses, ...changes };
      userHandle = options.user.id;
      const key = Buffer.concat([
        ...[Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21]), bytes(Buffer.from(x, 'base64url'))],
        ...[Buffer.from([0x22]), bytes(Buffer.from(y, 'base64url'))],
      ]);
      const data = Buffer.concat([createData(behaviour, true), Buffer.alloc(16), Buffer.from([0, id.length]), id, key]);
      const attestation = [
        text('fmt'),
        text('none'),
        text('attStmt'),
        Buffer.from([0xa0]),
        text('authData'),
        bytes(data),
      ];
      return {
        ...credential,
        response: {
          clientDataJSON: toBase64Url(describe('create', options.challenge, behaviour)),
          attestationObject: toBase64Url(Buffer.concat([Buffer.from([0xa3]), ...attestation])),
        },
      };
    },
    /** Signs a challenge, to sign in or to confirm the user's identity. */
    sign(challenge: string, changes: Partial<Behaviour> & Partial<SignedPasskey['response']> = {}): SignedPasskey {
      uses += 1;
      const behaviour = { ...defaults, counter: uses, ...changes };
      const clientData = describe('get', challenge, behaviour);
      const data = createData(behaviour, false);
      return {
        ...credential,
        response: {
          clientDataJSON: toBase64Url(clientData),
          authenticatorData: toBase64Url(data),
          signature: toBase64Url(sign('sha256', Buffer.concat([data, sha256(clientData)]), privateKey)),
          userHandle: changes.userHandle ?? userHandle,
        },
      };
    },
  };
}

export type Authenticator = ReturnType<typeof createAuthenticator>;

/** Responses of a browser to challenges that no server sent. */
const unknownAuthenticator = createAuthenticator('http://localhost');
export const signedPasskey = unknownAuthenticator.sign('x');
export const unknownPasskey = unknownAuthenticator.create({ challenge: 'x', user: { id: 'x' } });

/** Adds a passkey to this user. Returns the recovery codes if it is the first second factor. */
export async function addPasskey(client: TestClient, authenticator: Authenticator, name = 'Phone') {
  const passkey = authenticator.create(await client(api.startPasskeySetUp));
  const { recoveryCodes } = await client(api.addPasskey, { body: { name, passkey } });
  if (recoveryCodes) await client(api.confirmRecoveryCodes, { body: { code: recoveryCodes[2] ?? '' } });
  return recoveryCodes ?? [];
}

// Idempotency: the reply to a request with an Idempotency-Key is stored with its change, and a
// repeated request gets it again.

import { contract, type EndpointName } from '#shared/api.ts';
import type { Endpoint } from '#shared/contract.ts';
import { formatInstant } from '#shared/dates.ts';
import { HttpError } from '../errors/http-error.ts';
import { sha256 } from '../hash.ts';
import { insertRow, prepare } from './prepared.ts';
import type { Database } from './schema.ts';

/** Identifies an idempotent request and its content. */
export type IdempotentRequest = {
  user_id: string;
  route: string;
  key: string;
  fingerprint: string;
  /** The fingerprint as the first release computed it, for replies stored then. */
  oldFingerprint: string;
};

/** The prefix of current fingerprints. Older ones covered neither the query nor a password. */
const fingerprintPrefix = '2 ';

/**
 * Returns a fingerprint of everything in a request, in the current form and in that of the first
 * release. `secret` stands for the request's password: a slow hash of it.
 */
export const createFingerprints = (request: { query: unknown; body: unknown; file: unknown; secret: string }) => ({
  fingerprint: fingerprintPrefix + createFingerprint(request),
  oldFingerprint: createFingerprint({ body: request.body, file: request.file }),
});

/** The stored reply of a repeated request. Thrown to leave a transaction whose work was already done. */
export class Replay extends Error {
  readonly status: number;
  readonly body: string;
  constructor(status: number, body: string) {
    super('Already done');
    this.status = status;
    this.body = body;
  }
}

const uuid = /^"?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"?$/i;

/** Parses the header, quoted or bare; throws 400 if it is not a UUID. */
export function parseIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const key = uuid.exec(String(header))?.[1];
  if (!key) throw new HttpError(400, 'The Idempotency-Key must be a UUID', { code: 'BAD_KEY' });
  return key.toLowerCase();
}

/**
 * SHA-256 of a payload, independent of member order. Leaves out passwords: a stored fast hash would
 * help to guess them.
 */
export const createFingerprint = (payload: unknown) => sha256(toCanonicalJson(payload));

/** The digest of a file, which stands for its bytes in a fingerprint. */
export class FileDigest {
  readonly sha256: string;
  constructor(sha256: string) {
    this.sha256 = sha256;
  }
}

function toCanonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(',')}]`;
  if (value instanceof FileDigest) return value.sha256;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .filter(([name]) => name !== 'password')
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => `${JSON.stringify(name)}:${toCanonicalJson(member)}`)
      .join(',')}}`;
  return JSON.stringify(value) ?? 'null';
}

const selectReply = prepare((db, { user_id, route, key }: Pick<IdempotentRequest, 'user_id' | 'route' | 'key'>) =>
  db.selectFrom('replies').selectAll().where('user_id', '=', user_id).where('route', '=', route).where('key', '=', key),
);

/**
 * Returns the stored reply of a repeated request; throws 422 if the key was used with other content, or if
 * the reply was deleted: `isSame` then says that the content is what was received.
 */
export async function findStoredReply(
  db: Database,
  { fingerprint, oldFingerprint, ...request }: IdempotentRequest,
): Promise<Replay | undefined> {
  const [row] = await selectReply(db, request);
  if (!row) return undefined;
  const expected = row.fingerprint.startsWith(fingerprintPrefix) ? fingerprint : oldFingerprint;
  const isSame = row.fingerprint === expected;
  if (isSame && row.body !== null) return new Replay(row.status, row.body);
  const receivedReply = { at: row.created_at, ...getReceivedRecord(row.body), ...(isSame && { isSame }) };
  const at = formatInstant(row.created_at).replace(', ', ' at ');
  const number = receivedReply.number ? ` Its number is ${receivedReply.number}.` : '';
  throw new HttpError(422, `This was already received on ${at}.${number}`, {
    code: 'KEY_REUSED',
    body: { received: receivedReply },
  });
}

/** Returns the id and number of the record in a stored reply, to show to the user. */
function getReceivedRecord(body: string | null): { id?: string; number?: string } {
  const { id, number } = JSON.parse(body ?? '{}') as { id?: string; number?: string };
  return { ...(id && { id }), ...(number && { number }) };
}

/** Stores a reply beside the id of the record, or the path of the upload, with which it is deleted. */
export async function storeReply(
  db: Database,
  { oldFingerprint: _, ...request }: IdempotentRequest,
  { status, body, record, now }: { status: number; body: unknown; record: string | null; now: Date },
): Promise<void> {
  const reply = { status, body: JSON.stringify(body), record, created_at: now.toISOString() };
  await insertRow(db, 'replies', { ...request, ...reply });
}

const listEndpoints = (isListed: (endpoint: Endpoint) => boolean | undefined) =>
  (Object.keys(contract) as EndpointName[]).filter((name) => isListed(contract[name]));

/**
 * A device may send the same report again after months, so these replies are deleted only with
 * their record.
 */
const submissions = listEndpoints(({ forAnotherUser, idempotent }) => forAnotherUser && idempotent === 'reply.id');

/** The requests that change a record: their stored replies may contain it, and texts of others. */
const changes = listEndpoints(({ idempotent }) => idempotent === 'path.id');

/**
 * Deletes the texts of replies to changes that are older than a day, and of others older than a week, except those to
 * submissions. Used keys are kept forever.
 */
export async function clearOldReplies(db: Database, now: Date): Promise<void> {
  const getDaysAgo = (days: number) => new Date(now.getTime() - days * 24 * 60 * 60 * 1000).toISOString();
  const stored = db.updateTable('replies').set({ body: null }).where('body', 'is not', null);
  await stored.where('route', 'in', changes).where('created_at', '<', getDaysAgo(1)).execute();
  await stored.where('route', 'not in', submissions).where('created_at', '<', getDaysAgo(7)).execute();
}

/** Deletes the replies that refer to these deleted records or uploads. */
export async function deleteRepliesOf(db: Database, records: string[]): Promise<void> {
  if (records.length === 0) return;
  await db.updateTable('replies').set({ body: null, fingerprint: '' }).where('record', 'in', records).execute();
}

/**
 * Deletes the stored replies to all changes. Call it when a name is erased or records are removed, because an
 * investigation shows texts of the records that it covers. A change repeated later gets an error that says that it was
 * received.
 */
export async function deleteRepliesToChanges(db: Database): Promise<void> {
  await db
    .updateTable('replies')
    .set({ body: null })
    .where('body', 'is not', null)
    .where('route', 'in', changes)
    .execute();
}

/**
 * Deletes the fingerprints of the requests that created or changed these records, because a guess at an erased
 * name could be checked with them. A repeated request then gets an error with the number of the
 * record and when it was received.
 */
export async function deleteFingerprintsOf(db: Database, records: string[]): Promise<void> {
  await db.updateTable('replies').set({ fingerprint: '' }).where('record', 'in', records).execute();
}

/**
 * Deletes the fingerprints of what a user sent at this time: a request that closed a message of a guest, with a reason
 * or an answer, and has no record of its own.
 */
export async function deleteFingerprintsSent(db: Database, userId: string, at: string): Promise<void> {
  await db
    .updateTable('replies')
    .set({ fingerprint: '' })
    .where('user_id', '=', userId)
    .where('created_at', '=', at)
    .execute();
}

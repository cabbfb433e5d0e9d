// Sent twice, done once: the answer to a call that carried an Idempotency-Key is kept with the change it made.

import type { EndpointName } from '#shared/api.ts';
import { formatInstant } from '#shared/dates.ts';
import { HttpError } from '../errors/http-error.ts';
import { sha256 } from '../hash.ts';
import { insertRow, prepare } from './prepared.ts';
import type { Database } from './schema.ts';

/** What tells one keyed call from another, and what it asked for. */
export type IdempotentRequest = { user_id: string; route: string; key: string; fingerprint: string };

/** Thrown to leave a transaction whose work was already done: `body` is the answer it got then. */
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

/** Reads the header, quoted or bare; refuses what is no UUID. */
export function parseIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const key = uuid.exec(String(header))?.[1];
  if (!key) throw new HttpError(400, 'The Idempotency-Key must be a UUID', { code: 'BAD_KEY' });
  return key.toLowerCase();
}

/** A payload's SHA-256, whatever the order of its members. Passwords are left out: a quick hash that is kept would help to guess them. */
export const createFingerprint = (payload: unknown) => sha256(canonical(payload));

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value instanceof Uint8Array) return sha256(value);
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .filter(([name]) => name !== 'password')
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`)
      .join(',')}}`;
  return JSON.stringify(value) ?? 'null';
}

const selectReply = prepare((db, { user_id, route, key }: Omit<IdempotentRequest, 'fingerprint'>) =>
  db.selectFrom('replies').selectAll().where('user_id', '=', user_id).where('route', '=', route).where('key', '=', key),
);

/** Leaves with the first answer when this call was answered before; refuses the key when it came with something else. */
export async function throwStoredReply(db: Database, { fingerprint, ...request }: IdempotentRequest): Promise<void> {
  const [row] = await selectReply(db, request);
  if (!row) return;
  if (row.fingerprint === fingerprint && row.body !== null) throw new Replay(row.status, row.body);
  const received = { at: row.created_at, ...getReceived(row.body) };
  const at = formatInstant(row.created_at).replace(', ', ' at ');
  const number = received.number ? ` Its number is ${received.number}.` : '';
  throw new HttpError(422, `This was already received on ${at}.${number}`, { code: 'KEY_REUSED', body: { received } });
}

/** What a stored reply says of the record, for people. */
function getReceived(body: string | null): { id?: string; number?: string } {
  const { id, number } = JSON.parse(body ?? '{}') as { id?: string; number?: string };
  return { ...(id && { id }), ...(number && { number }) };
}

export async function storeReply(
  db: Database,
  request: IdempotentRequest,
  status: number,
  body: unknown,
  now: Date,
): Promise<void> {
  const stored = { status, body: JSON.stringify(body), record: getRecord(body), created_at: now.toISOString() };
  await insertRow(db, 'replies', { ...request, ...stored });
}

/** What a call made, by its reply: the id of a record or the path of an upload. */
function getRecord(body: unknown): string | null {
  const { id, filePath } = Object(body) as { id?: string; filePath?: string };
  return id ?? filePath ?? null;
}

/** A phone may lie in a drawer for months with the same report: these replies go only with their record. */
const submissions: EndpointName[] = ['submitAccident', 'submitIncident', 'submitChecklist', 'createAudit'];

/** Other replies are kept for a week; that the key was used, for good. */
export async function deleteOldReplies(db: Database, now: Date): Promise<void> {
  const week = 7 * 24 * 60 * 60 * 1000;
  await db
    .updateTable('replies')
    .set({ body: null })
    .where('body', 'is not', null)
    .where('route', 'not in', submissions)
    .where('created_at', '<', new Date(now.getTime() - week).toISOString())
    .execute();
}

/** Deletes the replies that name these records or uploads, which are no longer there. */
export async function deleteRepliesOf(db: Database, records: string[]): Promise<void> {
  if (records.length === 0) return;
  await db.updateTable('replies').set({ body: null }).where('record', 'in', records).execute();
}

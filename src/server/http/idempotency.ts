// Sent twice, done once: the answer to a call that carried an Idempotency-Key is kept with the change it made.

import type { Database } from '../db/schema.ts';
import { sha256 } from '../hash.ts';
import { Refusal } from './errors.ts';

/** What tells one keyed call from another, and what it asked for. */
export type KeyedCall = { user_id: string; route: string; key: string; fingerprint: string };

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
export function readKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const key = uuid.exec(String(header))?.[1];
  if (!key) throw new Refusal(400, 'The Idempotency-Key must be a UUID', { code: 'BAD_KEY' });
  return key.toLowerCase();
}

/** A payload's SHA-256, whatever the order of its members. Passwords are left out: a quick hash that is kept would help to guess them. */
export const fingerprintOf = (payload: unknown) => sha256(canonical(payload));

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

/** Leaves with the first answer when this call was answered before; refuses the key when it came with something else. */
export async function replayIfDone(db: Database, { fingerprint, ...call }: KeyedCall): Promise<void> {
  const row = await db
    .selectFrom('replies')
    .selectAll()
    .where('user_id', '=', call.user_id)
    .where('route', '=', call.route)
    .where('key', '=', call.key)
    .executeTakeFirst();
  if (!row) return;
  if (row.fingerprint !== fingerprint || row.body === null)
    throw new Refusal(422, `This was already received on ${row.created_at.slice(0, 16).replace('T', ' at ')} (UTC).`, {
      code: 'KEY_REUSED',
    });
  throw new Replay(row.status, row.body);
}

export async function keepReply(
  db: Database,
  call: KeyedCall,
  status: number,
  body: unknown,
  now: Date,
): Promise<void> {
  await db
    .insertInto('replies')
    .values({ ...call, status, body: JSON.stringify(body), created_at: now.toISOString() })
    .execute();
}

/** Answers are kept for a week; that the key was used, for good. */
export async function forgetOldReplies(db: Database, now: Date): Promise<void> {
  const week = 7 * 24 * 60 * 60 * 1000;
  await db
    .updateTable('replies')
    .set({ body: null })
    .where('body', 'is not', null)
    .where('created_at', '<', new Date(now.getTime() - week).toISOString())
    .execute();
}

// The append-only activity log. Each row carries the hash of the row before it, so that a later
// change is detected.
import { sql } from 'kysely';
import type { EntityType } from '#shared/activity.ts';
import { foldText } from '#shared/text.ts';
import { sha256 } from '../hash.ts';
import { insertRows, prepare } from './prepared.ts';
import { splitList } from './queries.ts';
import type { Database, Tables } from './schema.ts';

/** Who causes an entry: a user, a guest or the server. `ip` is '' if no device is logged. */
export type Actor = { id: string | null; name: string; ip: string; requestId: string };

/** The actor of changes that no user requested. */
export const serverActor: Actor = { id: null, name: 'the server', ip: '', requestId: 'start' };

export type ActivityEntry = {
  /**
   * A past-tense verb: `filed`, `deleted`, `opened as PDF`. Stored and hashed, so never change one.
   */
  action: string;
  thing: EntityType;
  thing_id?: string | null;
  /** The record's display name: a report's number, a username, a title. */
  label?: string;
  /** Old and new values of changed fields; never passwords. */
  changes?: Record<string, unknown>;
  /** The actor if it is not the request's user: at sign-in there is none yet. */
  by?: { id: string; username: string };
};

/** Adds an entry to the write transaction that runs. */
export type LogActivity = (entry: ActivityEntry) => void;

/** Returns the fields of an entry about a user. */
export const toUserLogFields = ({ id, username }: { id: string; username: string }) =>
  ({ thing: 'user', thing_id: id, label: username }) as const;

/** Returns the fields of an entry about a sign-in of a user. */
export const toSessionLogFields = ({ id, username }: { id: string; username: string }) =>
  ({ thing: 'session', thing_id: id, label: username }) as const;

type LogHead = { seq: number; hash: string };

/**
 * Locks the row with the end of the log. Every write transaction locks it, so a second one waits until
 * this one ends.
 */
export async function lockActivity(db: Database): Promise<LogHead> {
  const [head] = await lockHead(db, {});
  if (!head) throw new Error('The table activity_head has no row.');
  return head;
}

const lockHead = prepare((db) =>
  db.updateTable('activity_head').set({ seq: sql`seq` }).where('id', '=', 1).returning(['seq', 'hash']),
);
const updateHead = prepare((db, { seq, hash }: LogHead) =>
  db.updateTable('activity_head').set({ seq, hash }).where('id', '=', 1),
);

type ActivityRow = Tables['activity'];

type HashedRow = Omit<ActivityRow, 'hash' | 'search_text'>;

/** Returns the hash of all columns except the hash itself and the search text, which is derived from others. */
export const hashEntry = (row: HashedRow) =>
  sha256(
    JSON.stringify([
      row.previous_hash,
      row.seq,
      row.at,
      row.actor_id,
      row.actor,
      row.ip,
      row.action,
      row.thing,
      row.thing_id,
      row.label,
      row.changes,
      row.request_id,
    ]),
  );

/** Returns the text in which searches look for words. */
export const createActivitySearchText = (row: HashedRow) => foldText([row.actor, row.action, row.label].join('\n'));

export type LogLine = { actor: Actor; now: Date; entry: ActivityEntry };

/** Small, because a query is prepared for each number of rows. */
const maxRowsAtOnce = 32;

/** Appends to the log, whose end this transaction has locked. */
export async function appendActivity(db: Database, head: LogHead, lines: LogLine[]): Promise<void> {
  if (lines.length === 0) return;
  let { seq, hash } = head;
  const rows: ActivityRow[] = [];
  for (const { actor, now, entry } of lines) {
    seq += 1;
    const row = {
      seq,
      at: now.toISOString(),
      actor_id: entry.by?.id ?? actor.id,
      actor: entry.by?.username ?? actor.name,
      ip: actor.ip,
      action: entry.action,
      thing: entry.thing,
      thing_id: entry.thing_id ?? null,
      label: entry.label ?? '',
      changes: entry.changes ? JSON.stringify(entry.changes) : null,
      request_id: actor.requestId,
      previous_hash: hash,
    };
    hash = hashEntry(row);
    rows.push({ ...row, hash, search_text: createActivitySearchText(row) });
  }
  for (const some of splitList(rows, maxRowsAtOnce)) await insertRows(db, 'activity', some);
  await updateHead(db, { seq, hash });
}

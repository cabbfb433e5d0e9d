// The append-only log of who did what. Each row carries the hash of the one before it, so that a row altered later is found.
import { sql } from 'kysely';
import type { EntityType } from '#shared/activity.ts';
import { foldText } from '#shared/text.ts';
import { sha256 } from '../hash.ts';
import { insertRow, prepare } from './prepared.ts';
import type { Database, Tables } from './schema.ts';

export type Actor = { id: string | null; name: string; ip: string; requestId: string };

/** Who it was where no person asked for it. */
export const serverActor: Actor = { id: null, name: 'the server', ip: '', requestId: 'start' };

export type ActivityEntry = {
  /** A verb in the past: `filed`, `deleted`, `opened as PDF`. */
  action: string;
  thing: EntityType;
  thing_id?: string | null;
  /** What people call the thing: a report's number, a username, a title. */
  label?: string;
  /** Before and after of what changed; never a password. */
  changes?: Record<string, unknown>;
  /** Who did it, where that is not who made the request: at sign-in nobody is signed in yet. */
  by?: { id: string; username: string };
};

type LogHead = { seq: number; hash: string };

/** Takes the log's end, and with it the turn to write: a second transaction waits here until this one is over. */
export async function lockActivity(db: Database): Promise<LogHead> {
  const [head] = await takeHead(db, {});
  if (!head) throw new Error('The activity log has no end.');
  return head;
}

const takeHead = prepare((db) =>
  db.updateTable('activity_head').set({ seq: sql`seq` }).where('id', '=', 1).returning(['seq', 'hash']),
);
const moveHead = prepare((db, { seq, hash }: LogHead) =>
  db.updateTable('activity_head').set({ seq, hash }).where('id', '=', 1),
);

type ActivityRow = Tables['activity'];

type HashedRow = Omit<ActivityRow, 'hash' | 'search_text'>;

/** What a row's hash covers: everything in it but the hash itself, and what follows from the rest. */
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

/** What a search looks through: who, what and which. */
export const createSearchText = (row: HashedRow) => foldText([row.actor, row.action, row.label].join('\n'));

/** An entry, who made it and when. */
export type Line = { actor: Actor; now: Date; entry: ActivityEntry };

/** Adds to the log whose end was taken in this transaction. */
export async function appendActivity(db: Database, head: LogHead, lines: Line[]): Promise<void> {
  if (lines.length === 0) return;
  let { seq, hash } = head;
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
    await insertRow(db, 'activity', { ...row, hash, search_text: createSearchText(row) });
  }
  await moveHead(db, { seq, hash });
}

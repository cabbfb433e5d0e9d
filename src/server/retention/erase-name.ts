// Erases a person's name inside a record that is kept, or again in a record restored from a backup.
import { sql } from 'kysely';
import { type ErasableType, getErasureText } from '#shared/people/name-erasure.ts';
import {
  deleteFingerprintsOf,
  deleteFingerprintsSent,
  deleteRepliesOf,
  deleteRepliesToChanges,
} from '../db/idempotency.ts';
import { markTraces } from '../db/remove-traces.ts';
import type { Database, Tables } from '../db/schema.ts';
import { sha256 } from '../hash.ts';
import { newId } from '../ids.ts';
import { getInvestigationVersion } from '../investigations/store.ts';
import { expirePacksWith } from '../packs/store.ts';
import { kinds, listPackItems } from '../records/kinds.ts';
import { listChildIds } from '../records/remove.ts';
import { renameInLists } from './lists.ts';
import {
  createEraser,
  createRepeatedEraser,
  type ErasureTarget,
  type NameMarks,
  type ReplaceText,
} from './name-marks.ts';
import { isReplaceable, rewriteTexts } from './rewrite-texts.ts';

type ErasedNameRow = Tables['blanked'];

type Erasure = {
  entry: ErasedNameRow;
  label: string;
  /** Files to delete after the commit. */
  paths: string[];
  /**
   * For the activity log: the fields that contained the name, and a hash of the entry about the
   * erasure.
   */
  changes: { fields: string[]; places: number; why: string; hash: string };
};

type RecordKey = { thing: ErasableType; id: string };

/**
 * Erases names in a record. Call it inside a write transaction. Returns undefined if no text of the
 * record contains one of the names.
 */
export async function eraseName(
  db: Database,
  { thing, id }: RecordKey,
  target: ErasureTarget,
  why: string,
  now: Date,
): Promise<Erasure | undefined> {
  const { replace, marks } = createEraser(target, now);
  const rewritten = await rewriteTexts(db, thing, id, replace, now);
  if (!rewritten) return undefined;
  const entry: ErasedNameRow = {
    ...{ id: newId(), thing, thing_id: id, why, version: rewritten.version },
    ...{ marks: JSON.stringify(marks), blanked_at: now.toISOString() },
  };
  return recordErasure(db, entry, marks, rewritten);
}

/**
 * Erases the same places again in a record restored from a backup. Returns undefined if there are
 * none.
 */
export async function eraseNameAgain(db: Database, entry: ErasedNameRow): Promise<Erasure | undefined> {
  const marks = JSON.parse(entry.marks) as NameMarks;
  const [thing, id] = [entry.thing as ErasableType, entry.thing_id];
  const erasedAt = new Date(entry.blanked_at);
  const isSameVersion = entry.version === null || (await findVersion(db, entry)) === entry.version;
  const repeat = createRepeatedEraser(marks, isSameVersion, erasedAt);
  const replace: ReplaceText = (field, text) =>
    isReplaceable(field) && !marks[field] && text !== '' ? getErasureText(erasedAt) : repeat(field, text);
  const rewritten = await rewriteTexts(db, thing, id, replace, erasedAt);
  return rewritten && recordErasure(db, entry, marks, rewritten);
}

/** Returns the version of a record whose entry has one; those of an investigation are of its sections. */
async function findVersion(db: Database, { thing, thing_id }: ErasedNameRow): Promise<number | undefined> {
  if (thing === 'investigation') return getInvestigationVersion(db, thing_id);
  const { table } = kinds[thing as ErasableType];
  const query = sql<{ version: number }>`select version from ${sql.table(table)} where id = ${thing_id}`;
  return (await query.execute(db)).rows[0]?.version;
}

async function recordErasure(
  db: Database,
  entry: ErasedNameRow,
  marks: NameMarks,
  { label, paths }: { label: string; paths: string[] },
): Promise<Erasure> {
  const packs = await expirePacksWith(db, await listPackItems(db, entry.thing, entry.thing_id), {
    problem: 'A name in it was erased.',
    recordStays: true,
  });
  // The replies to what created a record have only its id and number, but those to changes contain the name too.
  await deleteRepliesToChanges(db);
  await deleteRepliesOf(db, paths);
  const childIds = await listChildIds(db, entry.thing as ErasableType, [entry.thing_id]);
  await deleteFingerprintsOf(db, [entry.thing_id, ...[...childIds.values()].flat()]);
  if (entry.thing === 'message') await deleteClosingFingerprint(db, entry.thing_id);
  await markTraces(db);
  await db.insertInto('blanked').values(entry).execute();
  await renameInLists(db, entry.thing_id, label || 'A record with an erased name');
  const fields = Object.keys(marks);
  const places = Object.values(marks).reduce((sum, { spans }) => sum + spans.length, 0);
  const hash = sha256(JSON.stringify([entry.thing, entry.thing_id, entry.marks]));
  return { entry, label, paths: [...paths, ...packs], changes: { fields, places, why: entry.why, hash } };
}

/** Deletes the fingerprint of the request that closed a message, also one that created an audit or report from it. */
async function deleteClosingFingerprint(db: Database, id: string): Promise<void> {
  const query = db.selectFrom('guest_messages').select(['closed_by', 'closed_at']).where('id', '=', id);
  const { closed_by, closed_at } = (await query.executeTakeFirst()) ?? {};
  if (closed_by && closed_at) await deleteFingerprintsSent(db, closed_by, closed_at);
}

// Stores messages of guests. Words are never rejected for being many, but for their bytes; see `bounds`.

import { isUrgentKind } from '#shared/places/hazards.ts';
import type { LogActivity } from '../db/activity-log.ts';
import type { Database, Tables } from '../db/schema.ts';
import { HttpError } from '../errors/http-error.ts';
import { newId } from '../ids.ts';
import { guestAccountId } from '../names/guest-account.ts';
import { attachUploads, type NamedUpload, toMediaFile } from '../uploads/store.ts';
import { addToCounter, findCounter, startCounter } from './counters.ts';
import { markRows } from './rows.ts';
import { getMessageLabel } from './store.ts';
import { tellOfMessage } from './tell.ts';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

/** A message counts as this many bytes at least, about what its row takes. */
const minBytes = 400;
/**
 * Beyond these bytes a message is not stored, unless it is among the first different texts of its label in an hour.
 * `all` bounds the open messages.
 */
const bounds = { networkAndDay: 2 ** 20, all: 200 * 2 ** 20, textsOfLabelAndHour: 20 };

type Fields = Pick<Tables['guest_messages'], 'kind' | 'words' | 'hurt' | 'name' | 'contact' | 'language'>;

export type NewGuestMessage = Fields & {
  /** A hash of the form's id and its content: the same form sent again makes no second message. */
  contentHash: string;
  /**
   * A hash of the content without regard to case, accents, spaces and what nobody sees: an equal text counts on the row
   * of the first.
   */
  textHash: string;
  /** Whether a photo follows, which an equal text has not. */
  hasPhoto?: boolean;
  /** A hash of the network that sent it, with a key that only the running server knows. */
  network: string;
  /** Returns the hash of the receipt of the message with this id. */
  getReceiptHash(id: string): string;
  place: { id: string; park: string; name: string };
};

export type CreatedMessage = { id: string; isNew: boolean; hasPhoto: boolean; bytes: number };

type Options = {
  now: Date;
  /** The bytes of all open messages: see `sumOpenBytes`. */
  openBytes?: number;
};

/** There is no room for the message. */
class TooManyMessagesError extends HttpError {
  constructor() {
    super(429, 'Too many messages');
  }
}

/**
 * Stores a guest's message in the caller's transaction and notifies the reviewers of its park. If the form was sent
 * before, or an equal text at this place within 24 hours that is still open, returns that message. Throws 429 beyond
 * the bounds.
 */
export async function createGuestMessage(
  db: Database,
  logActivity: LogActivity,
  message: NewGuestMessage,
  { now, openBytes = 0 }: Options,
): Promise<CreatedMessage> {
  const earlier = (await findSameForm(db, message)) ?? (await countOnEqualText(db, message, now));
  if (earlier) return earlier;
  const { place, network, contentHash, textHash, getReceiptHash, hasPhoto: _, ...fields } = message;
  const bytes = Math.max(minBytes, Buffer.byteLength(fields.words + fields.name + fields.contact));
  await assertHasRoom(db, { network, place, bytes, openBytes, now });
  const id = newId();
  const hour = now.toISOString().slice(0, 13);
  const group = await addToCounter(db, {
    ...{ key: `group ${network} ${place.id} ${hour}`, amount: 1, ref: newId() },
    ...{ endsAt: new Date(now.getTime() + hourMs), now },
  });
  const priority = getPriority(fields);
  await db
    .insertInto('guest_messages')
    .values({
      ...{
        ...fields,
        id,
        form_id: contentHash,
        receipt_hash: getReceiptHash(id),
        place_id: place.id,
        park: place.park,
      },
      ...{ media_files: '[]', photo_removed: 0, created_at: now.toISOString(), reason: '', answer: '' },
      ...{ priority, rank: group.amount, group_id: group.ref ?? id, is_listed: 1, sent_count: 1, is_junk: 0, bytes },
    })
    .execute();
  await markRows(db, [group.ref ?? id]);
  await startCounter(db, { key: `text ${textHash}`, ref: id, endsAt: new Date(now.getTime() + dayMs) });
  logActivity({
    action: 'received',
    thing: 'message',
    thing_id: id,
    label: getMessageLabel({ kind: fields.kind, place }),
  });
  await tellOfMessage(db, now, { park: place.park, place: place.id, priority });
  return { id, isNew: true, hasPhoto: false, bytes };
}

/** 0: someone was hurt; 1: an urgent kind; 2: other. */
const getPriority = ({ hurt, kind }: Fields) => (hurt === 'hurt' ? 0 : isUrgentKind(kind) ? 1 : 2);

const selectSent = (db: Database) =>
  db
    .selectFrom('guest_messages')
    .select(['id', 'form_id', 'media_files', 'photo_removed', 'receipt_hash', 'closed_at']);

async function findSameForm(
  db: Database,
  { contentHash, getReceiptHash, hasPhoto }: NewGuestMessage,
): Promise<CreatedMessage | undefined> {
  const own = await selectSent(db).where('form_id', '=', contentHash).executeTakeFirst();
  // With a photo, a form that counted on an equal text is a message of its own.
  const row =
    own ?? (hasPhoto ? undefined : await selectSent(db).where('last_form_hash', '=', contentHash).executeTakeFirst());
  if (!row) return undefined;
  // The receipt follows from a key, which an operator may have replaced since.
  const receipt_hash = getReceiptHash(row.id);
  if (receipt_hash !== row.receipt_hash)
    await db.updateTable('guest_messages').set({ receipt_hash }).where('id', '=', row.id).execute();
  return {
    id: row.id,
    isNew: false,
    hasPhoto: own !== undefined && (row.media_files !== '[]' || row.photo_removed === 1),
    bytes: 0,
  };
}

/** Counts a text that an open message of the last 24 hours already says. One with a photo is a message of its own. */
async function countOnEqualText(
  db: Database,
  { textHash, hasPhoto, contentHash, getReceiptHash }: NewGuestMessage,
  now: Date,
): Promise<CreatedMessage | undefined> {
  const counter = hasPhoto ? undefined : await findCounter(db, `text ${textHash}`, now);
  const row = counter?.ref && (await selectSent(db).where('id', '=', counter.ref).executeTakeFirst());
  if (!row || row.closed_at || getReceiptHash(row.id) !== row.receipt_hash) return undefined;
  await db
    .updateTable('guest_messages')
    .set((eb) => ({ sent_count: eb('sent_count', '+', 1), last_form_hash: contentHash }))
    .where('id', '=', row.id)
    .execute();
  return { id: row.id, isNew: false, hasPhoto: false, bytes: 0 };
}

type Room = Pick<NewGuestMessage, 'network' | 'place'> & { bytes: number; openBytes: number; now: Date };

/** Counts the bytes of a message. Throws 429 if they are too many and its label had its texts of this hour. */
async function assertHasRoom(db: Database, { network, place, bytes, openBytes, now }: Room): Promise<void> {
  const endsAt = new Date(now.getTime() + dayMs);
  const { amount } = await addToCounter(db, { key: `bytes ${network}`, amount: bytes, endsAt, now });
  if (amount <= bounds.networkAndDay && openBytes + bytes <= bounds.all) return;
  const hour = now.toISOString().slice(0, 13);
  const beyond = await db
    .selectFrom('guest_messages')
    .select('id')
    .where('place_id', '=', place.id)
    .where('created_at', '>=', `${hour}:00:00.000Z`)
    .offset(bounds.textsOfLabelAndHour - 1)
    .limit(1)
    .executeTakeFirst();
  if (beyond) throw new TooManyMessagesError();
}

export async function sumOpenBytes(db: Database): Promise<number> {
  const { bytes } = await db
    .selectFrom('guest_messages')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('bytes'), eb.lit(0)).as('bytes'))
    .where('closed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(bytes);
}

/** Attaches uploads of the account of guests to a message. Throws 409 if it has photos or is closed. */
export async function addGuestPhotos(db: Database, id: string, photos: NamedUpload[]): Promise<void> {
  const uploads = await attachUploads(db, photos, guestAccountId, { attached_to: 'message', attached_id: id });
  const { numUpdatedRows } = await db
    .updateTable('guest_messages')
    .set({ media_files: JSON.stringify(uploads.map((upload) => toMediaFile(upload, ''))) })
    .where('id', '=', id)
    .where('media_files', '=', '[]')
    .where('photo_removed', '=', 0)
    .where('closed_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw new HttpError(409, 'This message is closed or already has a photo');
}

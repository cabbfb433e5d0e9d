// Messages of guests. One whose audit was deleted is open again, unless the audit was destroyed after its period.
import { type ExpressionBuilder, sql } from 'kysely';
import type { ParkViewer } from '#shared/access.ts';
import { getHazardTitle, type HazardKind, isUrgentKind } from '#shared/hazards.ts';
import type { Hurt, Language } from '#shared/messages.ts';
import type { ActivityEntry } from '../db/activity-log.ts';
import { guestAccountId } from '../db/guest-account.ts';
import type { Database, Tables } from '../db/schema.ts';
import { isOfVisiblePark } from '../db/user-parks.ts';
import { HttpError } from '../errors/http-error.ts';
import { newId } from '../ids.ts';
import { notify } from '../notifications/notify.ts';
import { attachUploads, type NamedUpload, toMediaFile } from '../uploads/store.ts';

export type NewGuestMessage = {
  /** The id of the form: a form that is sent again makes no second message. */
  formId: string;
  receiptHash: string;
  place: { id: string; park: string; name: string };
  kind: HazardKind | null;
  words: string;
  /** Unattached uploads of the account of guests. */
  photos: NamedUpload[];
  hurt: Hurt | null;
  name: string;
  contact: string;
  language: Language;
};

type Options = {
  now: Date;
  /** False beyond the limits of messages: then there is one notification for each park and hour. */
  notify: boolean;
};

/**
 * Stores a guest's message in the caller's transaction and notifies the reviewers of its park. If the form was
 * sent before, returns the message of that time and changes nothing.
 */
export async function createGuestMessage(
  db: Database,
  logActivity: (entry: ActivityEntry) => void,
  { formId, receiptHash, place, photos, ...fields }: NewGuestMessage,
  { now, notify: notifies }: Options,
): Promise<{ id: string; isNew: boolean; hasPhoto: boolean }> {
  const earlier = await db
    .selectFrom('guest_messages')
    .select(['id', 'media_files'])
    .where('form_id', '=', formId)
    .executeTakeFirst();
  if (earlier) return { id: earlier.id, isNew: false, hasPhoto: earlier.media_files !== '[]' };
  const id = newId();
  const uploads = await attachUploads(db, photos, guestAccountId, { attached_to: 'message', attached_id: id });
  const { kind, hurt } = fields;
  await db
    .insertInto('guest_messages')
    .values({
      ...fields,
      ...{ id, form_id: formId, receipt_hash: receiptHash, place_id: place.id, park: place.park },
      media_files: JSON.stringify(uploads.map((upload) => toMediaFile(upload, ''))),
      created_at: now.toISOString(),
      reason: '',
      answer: '',
    })
    .execute();
  const label = getHazardTitle(kind ?? undefined, place.name);
  logActivity({ action: 'received', thing: 'message', thing_id: id, label });
  const line = `Message from a guest at ${place.park}`;
  const notice = { kind: 'guestMessage', to: { reviewersOf: place.park }, park: place.park, line } as const;
  await notify(
    db,
    now,
    notifies
      ? {
          ...notice,
          ...{ thing: 'message', thing_id: id, link: `/messages/${id}`, text: `${line}: ${label}` },
          isUrgent: hurt === 'hurt' || isUrgentKind(kind ?? undefined),
        }
      : {
          ...notice,
          ...{ thing: 'park', thing_id: place.park, link: '/messages', text: `Messages from guests at ${place.park}` },
          line: `Messages from guests at ${place.park}`,
          event: `messages at ${place.park} in the hour ${now.toISOString().slice(0, 13)}`,
        },
  );
  return { id, isNew: true, hasPhoto: uploads.length > 0 };
}

/** Attaches an upload of the account of guests to a message. Throws 409 if it has a photo or is closed. */
export async function addGuestPhoto(db: Database, id: string, path: string): Promise<void> {
  const uploads = await attachUploads(db, [{ path }], guestAccountId, { attached_to: 'message', attached_id: id });
  const { numUpdatedRows } = await db
    .updateTable('guest_messages')
    .set({ media_files: JSON.stringify(uploads.map((upload) => toMediaFile(upload, ''))) })
    .where('id', '=', id)
    .where('media_files', '=', '[]')
    .where('closed_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw new HttpError(409, 'This message has a photo already');
}

/** The condition for messages that wait for a reviewer. */
export const isOpen = (eb: ExpressionBuilder<Tables, 'guest_messages'>) =>
  eb.or([
    eb('closed_at', 'is', null),
    eb.and([
      eb('audit_id', 'is not', null),
      sql<boolean>`not exists (select 1 from audits where id = audit_id and deletion_id is null)`,
      sql<boolean>`not exists (select 1 from destroyed where id = audit_id)`,
    ]),
  ]);

/** Returns what the sender of a message reads; undefined if there is no such receipt. */
export async function findReceipt(db: Database, receiptHash: string) {
  const row = await db
    .selectFrom('guest_messages')
    .leftJoin('places', 'places.id', 'place_id')
    .select(['guest_messages.park', 'places.name as place', 'created_at', 'read_at', 'closed_at', 'answer'])
    .where('receipt_hash', '=', receiptHash)
    .executeTakeFirst();
  if (!row) return undefined;
  const state = row.closed_at ? ('closed' as const) : row.read_at ? ('read' as const) : ('received' as const);
  return { state, answer: row.answer, createdAt: row.created_at, place: row.place ?? '', park: row.park };
}

/** Returns a message of one of the viewer's parks. */
export async function findMessage(db: Database, viewer: ParkViewer, id: string) {
  return db
    .selectFrom('guest_messages')
    .selectAll()
    .where('id', '=', id)
    .where(isOfVisiblePark('park', viewer))
    .executeTakeFirst();
}

// Messages of guests. One whose audit was deleted is open again, unless the audit was destroyed after its period.
import { type ExpressionBuilder, sql } from 'kysely';
import type { ParkViewer } from '#shared/access.ts';
import { getHazardTitle, type HazardKind, isUrgentKind } from '#shared/hazards.ts';
import type { Hurt, Language } from '#shared/messages.ts';
import type { ActivityEntry } from '../db/activity-log.ts';
import { guestAccountId } from '../db/guest-account.ts';
import type { Database, Tables } from '../db/schema.ts';
import { isOfVisiblePark } from '../db/user-parks.ts';
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
): Promise<{ id: string; isNew: boolean }> {
  const earlier = await db.selectFrom('guest_messages').select('id').where('form_id', '=', formId).executeTakeFirst();
  if (earlier) return { id: earlier.id, isNew: false };
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
  return { id, isNew: true };
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
export async function findReceipt(
  db: Database,
  receiptHash: string,
): Promise<{ state: 'received' | 'read' | 'closed'; answer: string } | undefined> {
  const row = await db
    .selectFrom('guest_messages')
    .select(['read_at', 'answer', 'closed_at'])
    .where('receipt_hash', '=', receiptHash)
    .executeTakeFirst();
  if (!row) return undefined;
  return { state: row.closed_at ? 'closed' : row.read_at ? 'read' : 'received', answer: row.answer };
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

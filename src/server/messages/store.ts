// Messages of guests. A closed message whose audit was deleted is open again, unless the audit was destroyed after its
// retention period.
import { sql } from 'kysely';
import type * as z from 'zod/mini';
import type { ParkViewer } from '#shared/access.ts';
import { pageTexts } from '#shared/places/guest-texts.ts';
import { getHazardTitle, type HazardKind, isUrgentKind } from '#shared/places/hazards.ts';
import {
  type Hurt,
  type Language,
  type Message,
  type MessageQuery,
  maxListedMessages,
  needsReasonMessage,
} from '#shared/places/messages.ts';
import type { LogActivity } from '../db/activity-log.ts';
import { guestAccountId } from '../db/guest-account.ts';
import { pageSize } from '../db/page-size.ts';
import type { Database, Tables } from '../db/schema.ts';
import { isOfVisiblePark } from '../db/user-parks.ts';
import { createFieldError, HttpError } from '../errors/http-error.ts';
import { newId } from '../ids.ts';
import { notify } from '../notifications/notify.ts';
import { attachUploads, type NamedUpload, toMediaFile } from '../uploads/store.ts';

export type NewGuestMessage = {
  /** A hash of the form's id, the place and the content: the same content sent again makes no second message. */
  contentHash: string;
  receiptHash: string;
  place: { id: string; park: string; name: string };
  kind: HazardKind | null;
  words: string;
  hurt: Hurt | null;
  name: string;
  contact: string;
  language: Language;
};

type Options = {
  now: Date;
  /**
   * Whether more messages arrive than expected: then there is one notification for each park and hour, and one more
   * for urgent messages.
   */
  isBeyondLimits: boolean;
};

/**
 * Stores a guest's message in the caller's transaction and notifies the reviewers of its park. If the form was
 * sent before, returns the message of that time and changes nothing.
 */
export async function createGuestMessage(
  db: Database,
  logActivity: LogActivity,
  { contentHash, receiptHash, place, ...fields }: NewGuestMessage,
  { now, isBeyondLimits }: Options,
): Promise<{ id: string; isNew: boolean; hasPhoto: boolean }> {
  const earlier = await db
    .selectFrom('guest_messages')
    .select(['id', 'media_files'])
    .where('form_id', '=', contentHash)
    .executeTakeFirst();
  if (earlier) return { id: earlier.id, isNew: false, hasPhoto: earlier.media_files !== '[]' };
  const id = newId();
  const { park } = place;
  await db
    .insertInto('guest_messages')
    .values({
      ...{ ...fields, id, form_id: contentHash, receipt_hash: receiptHash, place_id: place.id, park },
      ...{ media_files: '[]', created_at: now.toISOString(), reason: '', answer: '' },
    })
    .execute();
  const label = getMessageLabel({ kind: fields.kind, place });
  logActivity({ action: 'received', thing: 'message', thing_id: id, label });
  const isUrgent = fields.hurt === 'hurt' || isUrgentKind(fields.kind);
  const one = `Message from a guest at ${park}`;
  const many = `${isUrgent ? 'Urgent messages' : 'Messages'} from guests at ${park}`;
  await notify(db, now, {
    ...{ kind: 'guestMessage', to: { reviewersOf: park }, park, isUrgent },
    ...(isBeyondLimits
      ? {
          // Without the park, because an urgent message must not wait for one about the others.
          ...{ thing: 'park', thing_id: isUrgent ? '' : park, link: '/messages', text: many, line: many },
          event: `${many} in the hour ${now.toISOString().slice(0, 13)}`,
        }
      : { thing: 'message', thing_id: id, link: `/messages/${id}`, text: `${one}: ${label}`, line: one }),
  });
  return { id, isNew: true, hasPhoto: false };
}

/** Attaches uploads of the account of guests to a message. Throws 409 if it has photos or is closed. */
export async function addGuestPhotos(db: Database, id: string, photos: NamedUpload[]): Promise<void> {
  const uploads = await attachUploads(db, photos, guestAccountId, { attached_to: 'message', attached_id: id });
  const { numUpdatedRows } = await db
    .updateTable('guest_messages')
    .set({ media_files: JSON.stringify(uploads.map((upload) => toMediaFile(upload, ''))) })
    .where('id', '=', id)
    .where('media_files', '=', '[]')
    .where('closed_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw new HttpError(409, 'This message is closed or already has a photo');
}

/** The condition for messages that wait for a reviewer. */
export const isOpenCondition = sql<boolean>`(closed_at is null or (
  audit_id is not null
  and not exists (select 1 from audits where audits.id = audit_id and audits.deletion_id is null)
  and not exists (select 1 from destroyed where destroyed.id = audit_id)))`;

const isOpenFlag = sql<number>`case when ${isOpenCondition} then 1 else 0 end`.as('isOpen');

/** Returns what the sender of a message reads; undefined if there is no such receipt. */
export async function findReceipt(db: Database, receiptHash: string) {
  const row = await db
    .selectFrom('guest_messages')
    .leftJoin('places', 'places.id', 'place_id')
    .select(['guest_messages.park', 'places.name as place', 'created_at', 'read_at', 'answer'])
    .select(isOpenFlag)
    .where('receipt_hash', '=', receiptHash)
    .executeTakeFirst();
  if (!row) return undefined;
  const state = row.isOpen === 0 ? ('closed' as const) : row.read_at ? ('read' as const) : ('received' as const);
  return { state, answer: row.answer, createdAt: row.created_at, place: row.place ?? '', park: row.park };
}

const selectMessages = (db: Database, viewer: ParkViewer, park?: readonly string[]) =>
  db
    .selectFrom('guest_messages')
    .where(isOfVisiblePark('guest_messages.park', viewer))
    .$if(park !== undefined, (qb) => qb.where('guest_messages.park', 'in', park ?? []));

/** Returns how many messages of the viewer's parks are open. */
export async function countOpenMessages(db: Database, viewer: ParkViewer, park?: readonly string[]): Promise<number> {
  const { count } = await selectMessages(db, viewer, park)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(isOpenCondition)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Selects messages with their place, and the audit or report created from them unless it was deleted. */
const selectWhole = (db: Database, viewer: ParkViewer, park?: readonly string[]) =>
  selectMessages(db, viewer, park)
    .innerJoin('places', 'places.id', 'place_id')
    .leftJoin('audits', (join) => join.onRef('audits.id', '=', 'audit_id').on('audits.deletion_id', 'is', null))
    .leftJoin('reports', (join) => join.onRef('reports.id', '=', 'report_id').on('reports.deletion_id', 'is', null))
    .selectAll('guest_messages')
    .select(['places.name as place', 'audits.title', 'reports.number'])
    .select(isOpenFlag);

type Row = Awaited<ReturnType<ReturnType<typeof selectWhole>['execute']>>[number];

const toMessage = ({ place_id, place, media_files, audit_id, title, report_id, number, ...row }: Row): Message => ({
  ...row,
  park: row.park as Message['park'],
  place: { id: place_id, name: place },
  photos: JSON.parse(media_files),
  isOpen: row.isOpen === 1,
  read_by: row.read_by_name,
  closed_by: row.closed_by_name,
  audit: audit_id && title !== null ? { id: audit_id, title } : null,
  report: report_id && number ? { id: report_id, number } : null,
});

/** Returns open messages, unread ones first, oldest first; or closed ones, the last closed first. */
export async function listMessages(
  db: Database,
  viewer: ParkViewer,
  { closed, park }: z.output<typeof MessageQuery>,
): Promise<Message[]> {
  const query = selectWhole(db, viewer, park);
  const listed = closed
    ? query.where(sql<boolean>`not ${isOpenCondition}`).orderBy('closed_at', 'desc')
    : query
        .where(isOpenCondition)
        .orderBy(sql`case when read_at is null then 0 else 1 end`)
        .orderBy('guest_messages.created_at');
  return (await listed.limit(maxListedMessages).execute()).map(toMessage);
}

/** Yields all messages, oldest first, page by page. */
export async function* readMessagePages(
  db: Database,
  viewer: ParkViewer,
  park?: readonly string[],
): AsyncGenerator<Message[]> {
  for (let last = { created_at: '', id: '' }; ; ) {
    const { created_at, id } = last;
    const rows = await selectWhole(db, viewer, park)
      .where((eb) => eb(eb.refTuple('guest_messages.created_at', 'guest_messages.id'), '>', eb.tuple(created_at, id)))
      .orderBy('guest_messages.created_at')
      .orderBy('guest_messages.id')
      .limit(pageSize)
      .execute();
    yield rows.map(toMessage);
    const lastRow = rows.at(-1);
    if (!lastRow) return;
    last = lastRow;
  }
}

/** Returns a message of one of the viewer's parks. */
export async function findMessage(db: Database, viewer: ParkViewer, id: string): Promise<Message | undefined> {
  const row = await selectWhole(db, viewer).where('guest_messages.id', '=', id).executeTakeFirst();
  return row && toMessage(row);
}

export async function requireMessage(db: Database, viewer: ParkViewer, id: string): Promise<Message> {
  const message = await findMessage(db, viewer, id);
  if (!message) throw new HttpError(404, 'Message not found');
  return message;
}

type By = { by: { id: string; username: string }; now: Date };

/** Stores who read a message first. */
export async function setRead(db: Database, id: string, { by, now }: By): Promise<void> {
  await db
    .updateTable('guest_messages')
    .set({ read_at: now.toISOString(), read_by: by.id, read_by_name: by.username })
    .where('id', '=', id)
    .where('read_at', 'is', null)
    .execute();
}

type Outcome = Partial<Pick<Tables['guest_messages'], 'reason' | 'answer' | 'audit_id' | 'report_id'>>;

/**
 * Closes a message in the caller's transaction. Throws 409 if it is closed, and 400 if someone was hurt and there is
 * neither a report nor a reason.
 */
export async function closeMessage(
  db: Database,
  logActivity: LogActivity,
  message: Message,
  { by, now, reason = '', answer = '', audit_id = null, report_id = null }: By & Outcome,
): Promise<void> {
  const { id, language, hurt, isOpen } = message;
  if (!isOpen) throw new HttpError(409, 'Someone else has closed this message');
  if (hurt === 'hurt' && !report_id && !reason.trim()) throw createFieldError('reason', needsReasonMessage);
  await setRead(db, id, { by, now });
  await db
    .updateTable('guest_messages')
    .set({ reason, answer: answer || (report_id ? pageTexts.reported[language] : ''), audit_id, report_id })
    .set({ closed_at: now.toISOString(), closed_by: by.id, closed_by_name: by.username })
    .where('id', '=', id)
    .execute();
  logActivity({ action: 'closed', thing: 'message', thing_id: id, label: getMessageLabel(message) });
}

/** Returns the label in the log, such as `Electrical: Plot 12`: never the words of a guest. */
export const getMessageLabel = ({ kind, place }: Pick<Message, 'kind' | 'place'>) => getHazardTitle(kind, place.name);

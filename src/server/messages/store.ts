// Messages of guests. A closed message whose audit was deleted is open again, unless it is junk or the audit was
// destroyed after its retention period.
import { sql } from 'kysely';
import type { ParkViewer } from '#shared/access.ts';
import { pageTexts } from '#shared/places/guest-texts.ts';
import { getHazardTitle } from '#shared/places/hazards.ts';
import { type Message, needsReasonMessage } from '#shared/places/messages.ts';
import { hasVisibleText, matchesSearch } from '#shared/text.ts';
import type { LogActivity } from '../db/activity-log.ts';
import { pageSize } from '../db/page-size.ts';
import { countRows, readPages } from '../db/queries.ts';
import type { Database, Tables } from '../db/schema.ts';
import { createFieldError, HttpError, required } from '../errors/http-error.ts';
import { isOfVisiblePark } from '../user-parks.ts';
import { markRows } from './rows.ts';

/** The condition for closed messages that are open again, because their audit was deleted. */
export const isReopened = sql<boolean>`(closed_at is not null and audit_id is not null and is_junk = 0
  and not exists (select 1 from audits where audits.id = audit_id and audits.deletion_id is null)
  and not exists (select 1 from destroyed where destroyed.id = audit_id))`;

// Their index has only what these conditions say word for word.
export const isListed = sql<boolean>`is_listed = 1`;
export const isHurt = sql<boolean>`priority = 0`;

/** The condition for messages that wait for a reviewer. */
export const isOpenCondition = sql<boolean>`(closed_at is null or ${isReopened})`;

/** The place of a message: for one at a joined place, that into which it was joined. */
const messagePlaceId = sql<string>`coalesce(named.joined_into, named.id)`;

const isOpenFlag = sql<number>`case when ${isOpenCondition} then 1 else 0 end`.as('isOpen');

/** For how long the receipt shows what the sender wrote. */
const wordsOnReceiptMs = 30 * 60 * 1000;

/** Returns what the sender of a message reads; undefined if there is no such receipt. */
export async function findReceipt(db: Database, receiptHash: string, now: Date) {
  const row = await db
    .selectFrom('guest_messages')
    .leftJoin('places as named', 'named.id', 'place_id')
    .leftJoin('places', (join) => join.on('places.id', '=', messagePlaceId))
    .leftJoin('park_settings', 'park_settings.park', 'guest_messages.park')
    .select(['guest_messages.park', 'places.name as place', 'guest_messages.created_at', 'read_at', 'answer'])
    .select(['words', 'media_files', 'sent_count', 'guest_telephone as telephone', 'gas_telephone as gasTelephone'])
    .select(isOpenFlag)
    .where('receipt_hash', '=', receiptHash)
    .executeTakeFirst();
  if (!row) return undefined;
  const state = row.isOpen === 0 ? ('closed' as const) : row.read_at ? ('read' as const) : ('received' as const);
  const age = now.getTime() - Date.parse(row.created_at);
  const { words, telephone, gasTelephone } = row;
  // An equal text of someone else has the same receipt, and may have come without the photo.
  const photos = row.sent_count === 1 ? JSON.parse(row.media_files).length : 0;
  const sent =
    age >= 0 && age < wordsOnReceiptMs ? { words, photos: Number(photos), telephone, gasTelephone } : undefined;
  return { state, answer: row.answer, createdAt: row.created_at, place: row.place ?? '', park: row.park, sent };
}

export const selectMessages = (db: Database, viewer: ParkViewer, park?: readonly string[]) =>
  db
    .selectFrom('guest_messages')
    .where(isOfVisiblePark('guest_messages.park', viewer))
    .$if(park !== undefined, (qb) => qb.where('guest_messages.park', 'in', park ?? []));

/** Returns how many messages of the viewer's parks are open. */
export async function countOpenMessages(db: Database, viewer: ParkViewer, park?: readonly string[]): Promise<number> {
  const messages = selectMessages(db, viewer, park);
  // Two queries, each with an index: guests may have sent any number.
  return (await countRows(messages.where('closed_at', 'is', null))) + (await countRows(messages.where(isReopened)));
}

/** Returns how many rows the list of open messages has of those about someone hurt. */
export async function countHurtMessages(db: Database, viewer: ParkViewer): Promise<number> {
  const messages = selectMessages(db, viewer).where(isHurt);
  const listed = messages.where('closed_at', 'is', null).where(isListed);
  return (await countRows(listed)) + (await countRows(messages.where(isReopened)));
}

/** Selects messages with their place, and the audit or report created from them unless it was deleted. */
const selectWhole = (db: Database, viewer: ParkViewer, park?: readonly string[]) =>
  selectMessages(db, viewer, park)
    .leftJoin('places as named', 'named.id', 'place_id')
    .leftJoin('places', (join) => join.on('places.id', '=', messagePlaceId))
    .leftJoin('audits', (join) => join.onRef('audits.id', '=', 'audit_id').on('audits.deletion_id', 'is', null))
    .leftJoin('reports', (join) => join.onRef('reports.id', '=', 'report_id').on('reports.deletion_id', 'is', null))
    .selectAll('guest_messages')
    .select(['places.id as followed_id', 'places.name as place', 'audits.title', 'reports.number'])
    .select(isOpenFlag);

type Row = Awaited<ReturnType<ReturnType<typeof selectWhole>['execute']>>[number];

/** The name of a place that is missing. */
export const unknownPlace = 'Place not known';

const junkMs = 30 * 24 * 60 * 60 * 1000;
/** Junk that was closed before this time is deleted. */
export const getJunkLimit = (now: Date) => new Date(now.getTime() - junkMs).toISOString();

const toMessage = ({
  place_id,
  followed_id,
  place,
  media_files,
  audit_id,
  title,
  report_id,
  number,
  ...row
}: Row): Message => ({
  ...row,
  park: row.park as Message['park'],
  // A message is shown even if its place is missing.
  place: { id: followed_id ?? place_id, name: place ?? unknownPlace },
  photos: JSON.parse(media_files),
  isOpen: row.isOpen === 1,
  read_by: row.read_by_name,
  closed_by: row.closed_by_name,
  audit: audit_id && title !== null ? { id: audit_id, title } : null,
  report: report_id && number ? { id: report_id, number } : null,
  junk_until:
    row.is_junk && row.closed_at && title === null ? new Date(Date.parse(row.closed_at) + junkMs).toISOString() : null,
});

/** Returns these messages in this order, with their groups; those that the viewer does not see are left out. */
export async function listWhole(
  db: Database,
  viewer: ParkViewer,
  ids: string[],
): Promise<(Message & { group_id: string })[]> {
  if (ids.length === 0) return [];
  const rows = await selectWhole(db, viewer).where('guest_messages.id', 'in', ids).execute();
  const byId = new Map(rows.map((row) => [row.id, { ...toMessage(row), group_id: row.group_id }]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Returns a page of the closed messages, the last closed first. */
export async function listClosed(
  db: Database,
  viewer: ParkViewer,
  { park, offset, limit }: { park?: readonly string[] | undefined; offset: number; limit: number },
): Promise<Message[]> {
  const query = selectWhole(db, viewer, park).where('closed_at', 'is not', null).where(sql<boolean>`not ${isReopened}`);
  return (
    await query.orderBy('closed_at', 'desc').orderBy('guest_messages.id').offset(offset).limit(limit).execute()
  ).map(toMessage);
}

/** How many of the newest messages a search reads. */
const searchedMessages = 1000;

/** Returns the newest messages whose words or place match; searches the newest 1,000 of the viewer's parks. */
export async function findMessages(db: Database, viewer: ParkViewer, q: string, limit: number): Promise<Message[]> {
  const query = selectWhole(db, viewer).orderBy('guest_messages.created_at', 'desc').limit(searchedMessages);
  const messages = (await query.execute()).map(toMessage);
  return messages.filter(({ words, place }) => matchesSearch([words, place.name], q)).slice(0, limit);
}

/** Yields all messages, oldest first, page by page. */
export const readMessagePages = (db: Database, viewer: ParkViewer, park?: readonly string[]) =>
  readPages<Message>(async (last) => {
    const { created_at = '', id = '' } = last ?? {};
    const rows = await selectWhole(db, viewer, park)
      .where((eb) => eb(eb.refTuple('guest_messages.created_at', 'guest_messages.id'), '>', eb.tuple(created_at, id)))
      .orderBy('guest_messages.created_at')
      .orderBy('guest_messages.id')
      .limit(pageSize)
      .execute();
    return rows.map(toMessage);
  });

export async function findMessage(db: Database, viewer: ParkViewer, id: string): Promise<Message | undefined> {
  const row = await selectWhole(db, viewer).where('guest_messages.id', '=', id).executeTakeFirst();
  return row && toMessage(row);
}

export const requireMessage = async (db: Database, viewer: ParkViewer, id: string): Promise<Message> =>
  required(await findMessage(db, viewer, id), 'Message not found');

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

type Outcome = Partial<Pick<Tables['guest_messages'], 'reason' | 'answer' | 'audit_id' | 'report_id' | 'is_junk'>>;

/**
 * Closes a message in the caller's transaction. Throws 409 if it is closed, and 400 if someone was hurt and there is
 * neither a report nor a reason.
 */
export async function closeMessage(
  db: Database,
  logActivity: LogActivity,
  message: Message,
  { by, now, reason = '', answer = '', audit_id = null, report_id = null, is_junk = 0 }: By & Outcome,
): Promise<void> {
  const { id, language, hurt, isOpen } = message;
  if (!isOpen) throw new HttpError(409, 'Someone else has closed this message');
  if (hurt === 'hurt' && !report_id && !hasVisibleText(reason)) throw createFieldError('reason', needsReasonMessage);
  await setRead(db, id, { by, now });
  const { group_id } = await db
    .updateTable('guest_messages')
    .set({ closed_at: now.toISOString(), closed_by: by.id, closed_by_name: by.username, is_junk })
    // Junk may have an audit that is deleted and can be restored.
    .$if(is_junk === 0, (qb) =>
      qb.set({ reason, answer: answer || (report_id ? pageTexts.reported[language] : ''), audit_id, report_id }),
    )
    .where('id', '=', id)
    .returning('group_id')
    .executeTakeFirstOrThrow();
  await markRows(db, [group_id]);
  if (is_junk === 0) logActivity({ action: 'closed', thing: 'message', thing_id: id, label: getMessageLabel(message) });
}

/** Returns the label in the log, such as `Electrical: Plot 12`: never the words of a guest. */
export const getMessageLabel = ({ kind, place }: Pick<Message, 'kind' | 'place'>) => getHazardTitle(kind, place.name);

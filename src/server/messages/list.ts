// The list of open messages: those about someone hurt first, then urgent kinds, then others; within that by their rank
// in their label, network and hour, then the newest first. Four or more open messages of one label, network and hour
// are one row, in the place of the best of them. `is_listed` marks the rows, so that a page is read at the speed of its
// own length however many messages there are.
import { sql } from 'kysely';
import type { ParkViewer } from '#shared/access.ts';
import type { ListedMessage, Message } from '#shared/places/messages.ts';
import type { Database, Tables } from '../db/schema.ts';
import { getIds } from '../ids.ts';
import { minGrouped } from './rows.ts';
import { isHurt, isListed, isReopened, listWhole, selectMessages } from './store.ts';

type Page = { park?: readonly string[] | undefined; offset: number; limit: number };
type OpenPage = Page & { hurt?: '1' | undefined };
type Row = Pick<Tables['guest_messages'], 'id' | 'priority' | 'rank' | 'created_at'>;

const compareRows = (a: Row, b: Row) =>
  a.priority - b.priority ||
  a.rank - b.rank ||
  (a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : 0) ||
  (a.id < b.id ? -1 : 1);

/** Returns a page of the rows. Messages that are open again because their audit is gone are rows of their own. */
export async function listOpenMessages(
  db: Database,
  viewer: ParkViewer,
  { park, hurt, offset, limit }: OpenPage,
): Promise<ListedMessage[]> {
  const select = () =>
    selectMessages(db, viewer, park)
      .select(['guest_messages.id', 'priority', 'rank', 'guest_messages.created_at'])
      .orderBy('priority')
      .orderBy('rank')
      .orderBy('guest_messages.created_at', 'desc')
      .orderBy('guest_messages.id')
      .$if(hurt !== undefined, (qb) => qb.where(isHurt))
      .limit(offset + limit);
  const unclosed = await select().where('closed_at', 'is', null).where(isListed).execute();
  const reopened = await select().where(isReopened).execute();
  const rows = [...unclosed, ...reopened].sort(compareRows).slice(offset, offset + limit);
  const messages = await listWhole(db, viewer, getIds(rows));
  return describeGroups(db, messages);
}

/** Adds to the rows of groups how many messages they stand for. */
async function describeGroups(db: Database, messages: (Message & { group_id: string })[]): Promise<ListedMessage[]> {
  if (messages.length === 0) return [];
  const groups = await db
    .selectFrom('guest_messages')
    .select([
      'group_id',
      (eb) => eb.fn.sum<number>('sent_count').as('sent'),
      (eb) => eb.fn.countAll<number>().as('texts'),
    ])
    .select(sql<number>`sum(case when priority = 0 then sent_count else 0 end)`.as('hurt'))
    .where('group_id', 'in', [...new Set(messages.map(({ group_id }) => group_id))])
    .where('closed_at', 'is', null)
    .groupBy('group_id')
    .having((eb) => eb(eb.fn.countAll<number>(), '>=', minGrouped))
    .execute();
  const byId = new Map(groups.map((row) => [row.group_id, row]));
  return messages.map(({ group_id, ...message }) => {
    const group = message.closed_at === null ? byId.get(group_id) : undefined;
    if (!group) return { ...message, group: null };
    const { sent, texts, hurt } = group;
    return { ...message, group: { id: group_id, sent: Number(sent), texts: Number(texts), hurt: Number(hurt) } };
  });
}

/** Returns a page of the open messages of a group. */
export async function listGroup(
  db: Database,
  viewer: ParkViewer,
  { group, offset, limit }: Page & { group: string },
): Promise<ListedMessage[]> {
  const rows = await selectMessages(db, viewer)
    .select('guest_messages.id')
    .where('group_id', '=', group)
    .where('closed_at', 'is', null)
    .orderBy('priority')
    .orderBy('rank')
    .offset(offset)
    .limit(limit)
    .execute();
  const messages = await listWhole(db, viewer, getIds(rows));
  return messages.map(({ group_id: _, ...message }) => ({ ...message, group: null }));
}

// Which open messages are a row of the list: see list.ts.
import { sql } from 'kysely';
import type { Database } from '../db/schema.ts';

/** From this many open messages on, those of one label, network and hour are one row. */
export const minGrouped = 4;

/** Marks the rows of a group. Call it in the transaction that adds, closes or opens one of its messages. */
export async function markRows(db: Database, groups: string[]): Promise<void> {
  for (const group of new Set(groups)) {
    const open = await db
      .selectFrom('guest_messages')
      .select('id')
      .where('group_id', '=', group)
      .where('closed_at', 'is', null)
      .orderBy('priority')
      .orderBy('rank')
      .limit(minGrouped)
      .execute();
    const rows = (open.length < minGrouped ? open : open.slice(0, 1)).map(({ id }) => id);
    await db
      .updateTable('guest_messages')
      .set({ is_listed: 0 })
      .where('group_id', '=', group)
      .where(sql<boolean>`is_listed = 1`)
      .$if(rows.length > 0, (qb) => qb.where('id', 'not in', rows))
      .execute();
    if (rows.length === 0) continue;
    const unmarked = db.updateTable('guest_messages').set({ is_listed: 1 }).where('id', 'in', rows);
    await unmarked.where('is_listed', '=', 0).execute();
  }
}

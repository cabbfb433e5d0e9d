// Erases who sent a message of a guest, 30 days after it was closed.
import { serverActor } from '../db/activity-log.ts';
import { markTraces } from '../db/remove-traces.ts';
import type { Database } from '../db/schema.ts';
import { writeTransaction } from '../db/write-transaction.ts';
import { isOpenCondition } from '../messages/store.ts';
import { findHolds } from './kept-until.ts';

const periodMs = 30 * 24 * 60 * 60 * 1000;

/** Returns how many messages lost their name and contact details. Those under a hold keep them. */
export async function eraseContacts(db: Database, now: Date): Promise<number> {
  const select = (db: Database) =>
    db
      .selectFrom('guest_messages')
      .select('id')
      .where('closed_at', '<', new Date(now.getTime() - periodMs).toISOString())
      .where((eb) => eb.or([eb('name', '<>', ''), eb('contact', '<>', '')]))
      .where((eb) => eb.not(isOpenCondition))
      .execute();
  if ((await select(db)).length === 0) return 0;
  return writeTransaction(db, serverActor, now, async (db, logActivity) => {
    const records = (await select(db)).map(({ id }) => ({ thing: 'message', id }));
    const holds = await findHolds(db, records);
    const ids = records.map(({ id }) => id).filter((id) => !holds.has(id));
    for (const id of ids) {
      await db.updateTable('guest_messages').set({ name: '', contact: '' }).where('id', '=', id).execute();
      logActivity({ action: 'erased the sender of', thing: 'message', thing_id: id });
    }
    if (ids.length > 0) await markTraces(db);
    return ids.length;
  });
}

import type { Thing } from '../../shared/activity.ts';
import type { Database } from '../db/schema.ts';
import { newId } from '../ids.ts';

type Deleting = { thing: Thing; thing_id: string; label: string; by: { id: string; username: string }; now: Date };

/** Opens an entry of the bin. What was deleted in one act carries its id, and comes back with it. */
export async function insertDeletion(db: Database, { by, now, ...what }: Deleting): Promise<string> {
  const id = newId();
  await db
    .insertInto('deletions')
    .values({ id, ...what, deleted_at: now.toISOString(), deleted_by: by.id, deleted_by_name: by.username })
    .execute();
  return id;
}

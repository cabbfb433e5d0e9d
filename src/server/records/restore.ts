// Restores a record from the bin.
import { sql } from 'kysely';
import type { RecordKindName } from '#shared/record-kinds.ts';
import type { Database } from '../db/schema.ts';
import { kinds } from './kinds.ts';

/**
 * Restores everything that a deletion covers, inside a write transaction. Throws 409 if the record cannot be
 * restored now, because what contains it is deleted.
 */
export async function restoreRecord(db: Database, name: RecordKindName, deletionId: string, now: Date): Promise<void> {
  const { table, contains, bin } = kinds[name];
  await bin?.assertRestorable?.(db, deletionId);
  if (bin?.restore) return bin.restore(db, deletionId, now);
  for (const restored of contains ? [table, kinds[contains.kind].table] : [table])
    await sql`update ${sql.table(restored)} set deletion_id = null where deletion_id = ${deletionId}`.execute(db);
  await db.deleteFrom('releases').where('deletion_id', '=', deletionId).execute();
}

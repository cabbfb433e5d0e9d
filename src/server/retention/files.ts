import type { Database } from '../db/schema.ts';
import { listAttached, type UploadOwner, type UploadRow } from '../uploads/store.ts';

/** Returns the uploads of records, of which `owners` are the records and rows that have some. */
export async function listFiles(db: Database, owners: UploadOwner[]): Promise<UploadRow[]> {
  const files = await Promise.all(owners.map((owner) => listAttached(db, owner.attached_to, [owner.attached_id])));
  return files.flat();
}

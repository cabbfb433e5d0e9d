// Folders and audits at the end of their time in the bin: how they go for good.
import type { Database } from '../db/schema.ts';
import type { Owner } from '../uploads/store.ts';

/** Removes the audit of this deletion for good, and gives what it held files as. */
export async function purgeAudit(db: Database, deletionId: string): Promise<Owner[]> {
  const gone = await db.deleteFrom('audits').where('deletion_id', '=', deletionId).returning('id').execute();
  return gone.map(({ id }) => ({ attached_to: 'audit', attached_id: id }));
}

/** Removes the folder of this deletion and all that is in it for good, and gives what they held files as. */
export async function purgeFolder(db: Database, deletionId: string): Promise<Owner[]> {
  const folder = db.selectFrom('folders').select('id').where('deletion_id', '=', deletionId);
  const audits = await db.deleteFrom('audits').where('folder_id', 'in', folder).returning('id').execute();
  const gone = await db.deleteFrom('folders').where('deletion_id', '=', deletionId).returning('id').execute();
  return [
    ...audits.map(({ id }) => ({ attached_to: 'audit', attached_id: id }) as const),
    ...gone.map(({ id }) => ({ attached_to: 'folder', attached_id: id }) as const),
  ];
}

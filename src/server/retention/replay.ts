// Destroys records and erases names again if a restored backup contains them, and completes the
// ledger.
import type { ErasableType } from '#shared/people/name-erasure.ts';
import { getLogWord } from '#shared/record-kinds.ts';
import { serverActor } from '../db/activity-log.ts';
import type { Database, Tables } from '../db/schema.ts';
import { writeTransaction } from '../db/write-transaction.ts';
import { getFilePath } from '../files/upload-path.ts';
import type { Services } from '../http/handler-context.ts';
import { destroy } from './destroy.ts';
import type { RecordType } from './due.ts';
import { eraseNameAgain } from './erase-name.ts';
import { addToLedger, isErasedName, type LedgerEntry, readLedger } from './ledger.ts';

/**
 * Destroys again what the ledger says was destroyed, and erases again the names that it says were erased. Returns
 * the number of records that an older backup had brought back.
 */
export async function replayLedger({
  db,
  config,
  files,
  clock,
}: Pick<Services, 'db' | 'config' | 'files' | 'clock'>): Promise<number> {
  const now = clock();
  const databaseEntries: LedgerEntry[] = [
    ...(await db.selectFrom('destroyed').selectAll().execute()),
    ...(await db.selectFrom('blanked').selectAll().execute()),
  ];
  const ids = new Set(databaseEntries.map(({ id }) => id));
  let repeatedCount = 0;
  for (const entry of (await readLedger(config.retention.ledger)).filter(({ id }) => !ids.has(id))) {
    const thing = entry.thing as RecordType;
    const paths = await writeTransaction(db, serverActor, now, async (db, logActivity) => {
      // Another instance that starts at the same time may have replayed this entry.
      const table = isErasedName(entry) ? 'blanked' : 'destroyed';
      const isReplayed = await db.selectFrom(table).select('id').where('id', '=', entry.id).executeTakeFirst();
      if (isReplayed) return undefined;
      if (isErasedName(entry)) {
        const erasure = await eraseNameAgain(db, entry);
        if (!erasure) {
          await db.insertInto('blanked').values(entry).execute();
          return undefined;
        }
        logActivity({
          action: 'blanked a name again after a restore in',
          thing: getLogWord(entry.thing as ErasableType),
          thing_id: entry.thing_id,
          label: erasure.label,
          changes: { ...erasure.changes, blanked_at: entry.blanked_at },
        });
        return erasure.paths;
      }
      const destroyedRecord = await destroy(db, { ...entry, thing }, now);
      if (!destroyedRecord) {
        await insertDestroyedRecord(db, entry);
        return undefined;
      }
      const { destroyed_at } = entry;
      logActivity({
        action: 'destroyed again after a restore',
        thing: getLogWord(thing),
        thing_id: entry.id,
        label: destroyedRecord.label,
        changes: { class: entry.class, until: entry.until, destroyed_at, hash: destroyedRecord.entry.hash },
      });
      return destroyedRecord.paths;
    });
    for (const path of paths ?? []) await files.remove(getFilePath(path));
    if (paths) repeatedCount += 1;
  }
  await addToLedger(config.retention.ledger, databaseEntries);
  return repeatedCount;
}

const insertDestroyedRecord = (db: Database, entry: Tables['destroyed']) =>
  db
    .insertInto('destroyed')
    .values({
      id: entry.id,
      thing: entry.thing,
      class: entry.class ?? '',
      until: entry.until ?? '',
      files: entry.files ?? 0,
      hash: entry.hash ?? '',
      destroyed_at: entry.destroyed_at ?? '',
    })
    .execute();

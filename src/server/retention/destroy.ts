// Destroys a record: its rows, texts and files. Only a ledger entry, the activity log and a count
// without personal data are left. Users, access requests and holds are not counted; the row of a user
// stays as "Former user" with a number.
import { sql } from 'kysely';
import { markTraces } from '../db/remove-traces.ts';
import type { Database, Tables } from '../db/schema.ts';
import { sha256 } from '../hash.ts';
import { expirePacksWith } from '../packs/store.ts';
import type { CountedRecord, RecordKind } from '../record-kind.ts';
import { kinds, listPackItems } from '../records/kinds.ts';
import { listUploadOwners, removeRecords } from '../records/remove.ts';
import type { RecordType } from './due.ts';
import { listFiles } from './files.ts';
import { renameInLists } from './lists.ts';

type Destroyed = {
  /** Files to delete after the commit. */
  paths: string[];
  entry: Tables['destroyed'];
  /** The record's label in the activity log. */
  label: string;
};

type RecordToDestroy = { id: string; thing: RecordType; class: string; until: string };

/**
 * Destroys a record. Call it inside a write transaction. Returns undefined if there is no such
 * record.
 */
export async function destroy(db: Database, record: RecordToDestroy, now: Date): Promise<Destroyed | undefined> {
  const { id, thing } = record;
  const { table, retention }: RecordKind = kinds[thing];
  const { rows } = await sql<{ number?: string }>`select * from ${sql.table(table)} where id = ${id}`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const files = await listFiles(db, await listUploadOwners(db, thing, [id]));
  const packs = await expirePacksWith(db, await listPackItems(db, thing, id));
  let [label, paths]: [string | undefined, string[]] = [row.number ?? '', []];
  if (retention?.destroy) {
    label = await retention.destroy(db, id);
    await markTraces(db);
  } else {
    if (retention?.toCount) await count(db, { kind: thing, ...(await retention.toCount(row as never, db)) });
    paths = await removeRecords(db, thing, [id]);
  }
  if (label === undefined) return undefined;
  if (retention?.storedLabel) await renameInLists(db, id, 'A destroyed record');
  const entry = {
    id,
    thing,
    class: record.class,
    until: record.until,
    files: files.length,
    hash: sha256(JSON.stringify([id, ...files.map(({ sha256_stored }) => sha256_stored)])),
    destroyed_at: now.toISOString(),
  };
  await db
    .insertInto('destroyed')
    .values(entry)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  return { paths: [...paths, ...packs], entry, label };
}

const count = (db: Database, statistic: CountedRecord & { kind: string }) =>
  db
    .insertInto('record_statistics')
    .values({ status: '', age_band: '', rules: '[]', outcome: '', ...statistic, count: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'park', 'month', 'status', 'age_band', 'rules', 'outcome'])
        .doUpdateSet({ count: sql`record_statistics.count + 1` }),
    )
    .execute();

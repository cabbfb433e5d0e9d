// Finds records whose retention period is over: walks all kinds of records that have one.
import { sql } from 'kysely';
import { addYears } from '#shared/calendar.ts';
import { getToday } from '#shared/dates.ts';
import { type RetentionRow, retentionLimits } from '#shared/people/keeping.ts';
import type { Database } from '../db/schema.ts';
import { startSlices } from '../event-loop.ts';
import { sha256 } from '../hash.ts';
import type { RecordKind, RetentionSettings } from '../record-kind.ts';
import { kindEntries } from '../records/kinds.ts';
import { listUploadOwners, readChildRows } from '../records/remove.ts';
import { listFiles } from './files.ts';
import { findHoldOnRecord } from './kept-until.ts';

/** The kinds of records that are destroyed after a retention period. */
export type RecordType = RetentionRow['thing'];

/**
 * A record whose retention period is over, with a hash of the data that was checked, so that a
 * later change is detected.
 */
export type DueRow = RetentionRow & { hash: string };

const operatorsPeriodName = 'The operator’s own period';

type Retention = NonNullable<RecordKind['retention']>;
type DatedKind = { name: RecordType; kind: RecordKind; retention: Retention };

const datedKinds = kindEntries.flatMap(([name, kind]): DatedKind[] =>
  kind.retention ? [{ name: name as RecordType, kind, retention: kind.retention }] : [],
);

/** Selects the rows of a kind that may be due. */
const fromKind = ({ kind: { table, bin }, retention: { condition = 'true' } }: DatedKind) =>
  sql`from ${sql.table(table)} where ${sql.raw(bin ? 'deletion_id is null' : 'true')} and (${sql.raw(condition)})`;

type Cursor = { id: string; at: string };
const pageSize = 200;

/** Lists records dated before `before` that may be due, oldest first, after those already listed. */
async function listDated(db: Database, kind: DatedKind, before: string, after: Cursor): Promise<Cursor[]> {
  const at = sql.ref(kind.retention.from);
  const { rows } = await sql<Cursor>`select id, ${at} as at ${fromKind(kind)}
    and ${at} < ${before} and (${at}, id) > (${after.at}, ${after.id})
    order by ${at}, id limit ${sql.lit(pageSize)}`.execute(db);
  return rows;
}

/** Returns the record as it is now, or undefined if it is not of this kind or its period is not over. */
async function findDueOfKind(
  db: Database,
  settings: RetentionSettings,
  dated: DatedKind,
  id: string,
  today: string,
): Promise<DueRow | undefined> {
  const { rows } = await sql<object>`select * ${fromKind(dated)} and id = ${id}`.execute(db);
  const [row] = rows;
  const facts = row && (await dated.retention.dueFrom(row as never, db, settings));
  if (!row || !facts || facts.until >= today) return undefined;
  const files = await listFiles(db, await listUploadOwners(db, dated.name, [id]));
  const hold = (await findHoldOnRecord(db, dated.name, id))?.reason ?? null;
  const children = await readChildRows(db, dated.name, id);
  const fileHashes = files.map(({ sha256_stored }) => sha256_stored);
  return {
    ...{ place: '', kind: '', source: operatorsPeriodName, ...facts },
    ...{ id, thing: dated.name, files: files.length, hold },
    hash: sha256(JSON.stringify([row, children, facts.until, hold, fileHashes])),
  };
}

/** Returns records whose period is over, oldest of each kind first. */
export async function listDue(
  db: Database,
  settings: RetentionSettings,
  now: Date,
): Promise<{ rows: DueRow[]; hasMore: boolean }> {
  const today = getToday(now);
  const rows: DueRow[] = [];
  const waitForSlice = startSlices();
  for (const dated of datedKinds) {
    const before = `${addYears(today, -dated.retention.minYears(settings))}T99`;
    let after: Cursor = { id: '', at: '' };
    for (;;) {
      const page = await listDated(db, dated, before, after);
      for (const { id } of page) {
        await waitForSlice();
        const row = await findDueOfKind(db, settings, dated, id, today);
        if (row && rows.length === retentionLimits.listed) return { rows, hasMore: true };
        if (row) rows.push(row);
      }
      const last = page.at(-1);
      if (!last || page.length < pageSize) break;
      after = last;
    }
  }
  return { rows, hasMore: false };
}

/** Returns a record as it is now, or undefined if its period is not over. */
export async function findDue(
  db: Database,
  settings: RetentionSettings,
  now: Date,
  id: string,
): Promise<DueRow | undefined> {
  for (const dated of datedKinds) {
    const row = await findDueOfKind(db, settings, dated, id, getToday(now));
    if (row) return row;
  }
  return undefined;
}

/** Returns the hash of a list, which depends on its rows and their order. */
export const hashList = (rows: DueRow[]) => sha256(JSON.stringify(rows.map(({ id, hash }) => [id, hash])));

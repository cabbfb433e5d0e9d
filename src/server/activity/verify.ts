// Verifies the activity log: each row must carry its own hash and the hash of the row before it,
// and the last row must match the stored end of the log.
import { createActivitySearchText, hashEntry } from '../db/activity-log.ts';
import type { Database, Tables } from '../db/schema.ts';

type Row = Tables['activity'];
type LogEnd = Pick<Row, 'seq' | 'hash'>;

export type VerificationResult = { rows: number; hash: string; badRow?: { seq: number; at?: string; reason: string } };

const rowsPerRead = 2000;

/**
 * Verifies the log and returns its first bad row: altered, missing, inserted, or cut off at the
 * end. The log may grow while this runs.
 */
export async function verifyLog(db: Database): Promise<VerificationResult> {
  let last: LogEnd = { seq: 0, hash: '' };
  const createResult = (badRow?: VerificationResult['badRow']) => ({
    rows: last.seq,
    hash: last.hash,
    ...(badRow && { badRow }),
  });
  for (;;) {
    // Read the end of the log before the rows, so that every row up to it must be found.
    const end = await db.selectFrom('activity_head').select(['seq', 'hash']).executeTakeFirstOrThrow();
    const rows = await db
      .selectFrom('activity')
      .selectAll()
      .where('seq', '>', last.seq)
      .orderBy('seq')
      .limit(rowsPerRead)
      .execute();
    for (const row of rows) {
      const reason = findRowError(row, last);
      if (reason) return createResult({ seq: last.seq + 1, at: row.at, reason });
      last = row;
    }
    if (rows.length > 0) continue;
    if (end.seq > last.seq) return createResult({ seq: last.seq + 1, reason: 'is missing' });
    if (end.seq < last.seq) return createResult({ seq: end.seq + 1, reason: 'was put in' });
    if (end.hash !== last.hash) return createResult({ seq: end.seq, reason: 'was altered' });
    return createResult();
  }
}

function findRowError(row: Row, before: LogEnd): string | undefined {
  if (row.seq !== before.seq + 1) return 'is missing';
  if (
    row.previous_hash !== before.hash ||
    row.hash !== hashEntry(row) ||
    row.search_text !== createActivitySearchText(row)
  )
    return 'was altered';
  return undefined;
}

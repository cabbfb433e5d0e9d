// Going through the log from its first row: each must carry its own hash and that of the one before, and the last must be where the log ends.

import { createSearchText, hashEntry } from '../db/activity-log.ts';
import type { Database, Tables } from '../db/schema.ts';

type Row = Tables['activity'];
type LogEnd = Pick<Row, 'seq' | 'hash'>;

export type VerificationResult = { rows: number; hash: string; bad?: { seq: number; at?: string; reason: string } };

const page = 2000;

/** Verifies the whole log, or finds its first bad row: altered, missing, put in, or cut off at the end. It may grow meanwhile. */
export async function verifyLog(db: Database): Promise<VerificationResult> {
  let last: LogEnd = { seq: 0, hash: '' };
  const found = (bad?: VerificationResult['bad']) => ({ rows: last.seq, hash: last.hash, ...(bad && { bad }) });
  for (;;) {
    // Before the rows: then all up to it must be among them.
    const end = await db.selectFrom('activity_head').select(['seq', 'hash']).executeTakeFirstOrThrow();
    const rows = await db
      .selectFrom('activity')
      .selectAll()
      .where('seq', '>', last.seq)
      .orderBy('seq')
      .limit(page)
      .execute();
    for (const row of rows) {
      const reason = findError(row, last);
      if (reason) return found({ seq: last.seq + 1, at: row.at, reason });
      last = row;
    }
    if (rows.length > 0) continue;
    if (end.seq > last.seq) return found({ seq: last.seq + 1, reason: 'is missing' });
    if (end.seq < last.seq) return found({ seq: end.seq + 1, reason: 'was put in' });
    if (end.hash !== last.hash) return found({ seq: end.seq, reason: 'was altered' });
    return found();
  }
}

function findError(row: Row, before: LogEnd): string | undefined {
  if (row.seq !== before.seq + 1) return 'is missing';
  if (row.previous_hash !== before.hash || row.hash !== hashEntry(row) || row.search_text !== createSearchText(row))
    return 'was altered';
  return undefined;
}

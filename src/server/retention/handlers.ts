// The retention run: an Admin ticks records from a list of those past their period, types how many,
// and they are destroyed.
import { getToday } from '#shared/dates.ts';
import { type RecordStatistic, type RetentionOutcome, smallestShownCount } from '#shared/people/keeping.ts';
import { getLogWord } from '#shared/record-kinds.ts';
import { serverActor } from '../db/activity-log.ts';
import { assertNoBackup } from '../db/purge-pause.ts';
import { removeTraces } from '../db/remove-traces.ts';
import type { Database, Tables } from '../db/schema.ts';
import { writeTransaction } from '../db/write-transaction.ts';
import { createFieldError, HttpError } from '../errors/http-error.ts';
import { getFilePath } from '../files/upload-path.ts';
import type { Handlers, Services } from '../http/handler-context.ts';
import { kinds } from '../records/kinds.ts';
import { destroy } from './destroy.ts';
import { type DueRow, findDue, hashList, listDue } from './due.ts';
import { heldMessage } from './kept-until.ts';
import { addToLedger } from './ledger.ts';
import type { ListedRows } from './lists.ts';

export const retentionRunHandlers = {
  async listRetention({ db, config, now, writeTransaction }) {
    const { rows, hasMore } = await listDue(db, config.retention, now);
    const hash = await writeTransaction(async (db, logActivity) => {
      if (rows.length > 0)
        logActivity({ action: 'listed what may be destroyed', thing: 'report', changes: { records: rows.length } });
      return storeList(db, rows, now, 0);
    });
    const monthlyList = await findMonthlyList(db);
    return {
      hash,
      made_at: now.toISOString(),
      rows: rows.map(({ hash: _, ...row }) => row),
      hasMore,
      monthly: monthlyList
        ? { made_at: monthlyList.made_at, count: Object.keys(JSON.parse(monthlyList.rows)).length }
        : null,
      statistics: await listStatistics(db),
    };
  },

  async runRetention({ db, log, body, config, files, now, writeTransaction }) {
    const ids = [...new Set(body.ids)];
    if (body.count !== ids.length)
      throw createFieldError('count', `You ticked ${ids.length}. Type that number to destroy them.`);
    // Not part of the transaction's result, which is stored as the reply.
    let paths: string[] = [];
    let entries: Tables['destroyed'][] = [];
    const outcome = await writeTransaction(async (db, logActivity) => {
      [paths, entries] = [[], []];
      await assertNoBackup(db, now, 'Nothing was destroyed.');
      const list = await db.selectFrom('retention_lists').selectAll().where('hash', '=', body.hash).executeTakeFirst();
      const listedRows = new Map(Object.entries((list ? JSON.parse(list.rows) : {}) as ListedRows));
      if (ids.some((id) => !listedRows.has(id)))
        throw new HttpError(409, 'The list of records has changed. Check it again.');
      const outcome: RetentionOutcome = { destroyed: [], skipped: [] };
      for (const id of ids) {
        const listedRow = listedRows.get(id) as ListedRows[string];
        const row = await findDue(db, config.retention, now, id);
        const reason = getReasonToSkip(row, listedRow.hash);
        const destroyedRecord = row && !reason ? await destroy(db, row, now) : undefined;
        if (!row || !destroyedRecord) {
          const label = row ? getStoredLabel(row) : listedRow.label;
          outcome.skipped.push({ label, reason: reason ?? 'It has already been deleted' });
          continue;
        }
        outcome.destroyed.push(row.thing === 'user' ? destroyedRecord.label : getStoredLabel(row));
        paths.push(...destroyedRecord.paths);
        entries.push(destroyedRecord.entry);
        logActivity({
          action: 'destroyed',
          thing: getLogWord(row.thing),
          thing_id: id,
          label: destroyedRecord.label,
          changes: {
            class: row.class,
            rule: row.source,
            until: row.until,
            files: destroyedRecord.entry.files,
            hash: destroyedRecord.entry.hash,
          },
        });
      }
      return outcome;
    });
    // After a crash here, the next start adds the missing entries from the database.
    await addToLedger(config.retention.ledger, entries);
    for (const path of paths) await files.remove(getFilePath(path));
    await removeTraces(db, log);
    return outcome;
  },
} satisfies Partial<Handlers>;

/** Returns a label without a person's name, because lists and replies are stored. */
const getStoredLabel = ({ thing, label }: DueRow): string => kinds[thing].retention?.storedLabel ?? label;

function getReasonToSkip(row: DueRow | undefined, hash: string): string | undefined {
  if (!row) return 'Its period is not over, or it has already been deleted';
  if (row.hold !== null) return heldMessage;
  return row.hash === hash ? undefined : 'It was changed since the list was made';
}

/**
 * Stores the hash of each record in a list, so that a later change is detected. Deletes older
 * lists, which are no longer used.
 */
async function storeList(db: Database, rows: DueRow[], now: Date, is_monthly: 0 | 1): Promise<string> {
  const hash = hashList(rows);
  const listedRows: ListedRows = Object.fromEntries(
    rows.map((row) => [row.id, { label: getStoredLabel(row), hash: row.hash }]),
  );
  const list = { made_at: now.toISOString(), rows: JSON.stringify(listedRows), is_monthly };
  await db
    .insertInto('retention_lists')
    .values({ hash, ...list })
    .onConflict((conflict) =>
      conflict
        .column('hash')
        .doUpdateSet({ made_at: list.made_at, rows: list.rows, ...(is_monthly && { is_monthly }) }),
    )
    .execute();
  const day = 24 * 60 * 60 * 1000;
  await db
    .deleteFrom('retention_lists')
    .where('is_monthly', '=', 0)
    .where('made_at', '<', new Date(now.getTime() - day).toISOString())
    .execute();
  return hash;
}

const findMonthlyList = (db: Database) =>
  db
    .selectFrom('retention_lists')
    .select(['made_at', 'rows'])
    .where('is_monthly', '=', 1)
    .orderBy('made_at', 'desc')
    .executeTakeFirst();

/** Creates the monthly list automatically. Destroys nothing. */
export async function createMonthlyList({
  db,
  config,
  clock,
}: Pick<Services, 'db' | 'config' | 'clock'>): Promise<void> {
  const now = clock();
  const last = await findMonthlyList(db);
  if (last && getToday(new Date(last.made_at)).slice(0, 7) === getToday(now).slice(0, 7)) return;
  const { rows } = await listDue(db, config.retention, now);
  await writeTransaction(db, serverActor, now, async (db, logActivity) => {
    await db.deleteFrom('retention_lists').where('is_monthly', '=', 1).execute();
    await storeList(db, rows, now, 1);
    logActivity({
      action: 'listed what may be destroyed',
      thing: 'report',
      changes: { records: rows.length, hash: hashList(rows) },
    });
  });
}

async function listStatistics(db: Database): Promise<RecordStatistic[]> {
  const rows = await db
    .selectFrom('record_statistics')
    .selectAll()
    .orderBy('month', 'desc')
    .orderBy('kind')
    .orderBy('park')
    .limit(1000)
    .execute();
  return rows.map(({ age_band, rules, count, ...row }) => ({
    ...row,
    ageBand: age_band,
    rules: JSON.parse(rules) as string[],
    count: count < smallestShownCount ? null : count,
  }));
}

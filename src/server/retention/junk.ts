// Messages of guests that are junk: closed as such, opened again within 30 days, or then deleted.
import { noJunkMessage } from '#shared/places/messages.ts';
import { type LogActivity, serverActor } from '../db/activity-log.ts';
import { arePurgesPaused } from '../db/purge-pause.ts';
import type { Database, Tables } from '../db/schema.ts';
import { writeTransaction } from '../db/write-transaction.ts';
import { HttpError } from '../errors/http-error.ts';
import { getFilePath } from '../files/upload-path.ts';
import { sha256 } from '../hash.ts';
import type { Handlers, Services } from '../http/handler-context.ts';
import { getIds } from '../ids.ts';
import { markRows } from '../messages/rows.ts';
import { closeMessage, findMessage, getJunkLimit, getMessageLabel, listWhole } from '../messages/store.ts';
import { everyParkViewer } from '../names/user-names.ts';
import { removeRecords } from '../records/remove.ts';
import { findHolds } from './kept-until.ts';

export const junkHandlers = {
  markJunk: ({ body: { ids }, user, now, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      const kept = await findKept(db, ids);
      let changed = 0;
      for (const id of new Set(ids)) {
        const message = await findMessage(db, user, id);
        if (!message?.isOpen || kept.has(id)) continue;
        if (message.hurt === 'hurt') throw new HttpError(400, noJunkMessage);
        await closeMessage(db, logActivity, message, { by: user, now, is_junk: 1 });
        await logJunk(db, logActivity, 'closed as junk', message);
        changed += 1;
      }
      return { changed, skipped: ids.length - changed };
    }),

  undoJunk: ({ body: { ids }, user, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      let changed = 0;
      for (const id of new Set(ids)) {
        const message = await findMessage(db, user, id);
        if (!message?.junk_until) continue;
        const { audit_id, group_id } = await db
          .updateTable('guest_messages')
          .set({ is_junk: 0 })
          .where('id', '=', id)
          .returning(['audit_id', 'group_id'])
          .executeTakeFirstOrThrow();
        // One whose audit was deleted is open while the audit is not restored.
        if (audit_id === null)
          await db
            .updateTable('guest_messages')
            .set({ closed_at: null, closed_by: null, closed_by_name: null })
            .where('id', '=', id)
            .execute();
        await markRows(db, [group_id]);
        await logJunk(db, logActivity, 'opened again', message);
        changed += 1;
      }
      return { changed, skipped: ids.length - changed };
    }),
} satisfies Partial<Handlers>;

type LoggedMessage = Parameters<typeof getMessageLabel>[0] & { id: string };

/**
 * Logs what happened to junk, with a hash of it. Only someone with the receipt can show with it that a text was this
 * one: nobody can guess the text from the hash.
 */
async function logJunk(db: Database, logActivity: LogActivity, action: string, message: LoggedMessage): Promise<void> {
  const row = await db
    .selectFrom('guest_messages')
    .select(['receipt_hash', 'kind', 'hurt', 'words'])
    .where('id', '=', message.id)
    .executeTakeFirstOrThrow();
  const hash = sha256(JSON.stringify([row.receipt_hash, row.kind, row.hurt, row.words]));
  logActivity({ action, thing: 'message', thing_id: message.id, label: getMessageLabel(message), changes: { hash } });
}

/** Returns those of these messages that a hold or an investigation keeps. */
async function findKept(db: Database, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const holds = await findHolds(
    db,
    ids.map((id) => ({ thing: 'message', id })),
  );
  const investigated = await db
    .selectFrom('investigation_records')
    .select('thing_id')
    .where('thing_id', 'in', ids)
    .execute();
  return new Set([...holds.keys(), ...investigated.map(({ thing_id }) => thing_id)]);
}

const maxDeletedAtOnce = 100;

/** Deletes the junk of 30 days ago with its photos, except what is kept. Returns how many messages. */
export async function deleteOldJunk({ db, files, clock }: Pick<Services, 'db' | 'files' | 'clock'>): Promise<number> {
  const now = clock();
  let deleted = 0;
  for (let last: Pick<Tables['guest_messages'], 'closed_at' | 'id'> = { closed_at: '', id: '' }; ; ) {
    const { closed_at, id } = last;
    const rows = await db
      .selectFrom('guest_messages')
      .select(['id', 'closed_at'])
      .where('is_junk', '=', 1)
      .where('closed_at', '<=', getJunkLimit(now))
      .where((eb) => eb(eb.refTuple('closed_at', 'id'), '>', eb.tuple(closed_at ?? '', id)))
      .orderBy('closed_at')
      .orderBy('id')
      .limit(maxDeletedAtOnce)
      .execute();
    const lastRow = rows.at(-1);
    if (!lastRow) return deleted;
    last = lastRow;
    const paths = await writeTransaction(db, serverActor, now, async (db, logActivity) => {
      if (await arePurgesPaused(db, now)) return undefined;
      return deleteJunk(db, logActivity, getIds(rows));
    });
    if (!paths) return deleted;
    deleted += paths.count;
    // A crash here leaves orphaned files, which the cleanup of unused uploads deletes.
    for (const path of paths.files) await files.remove(getFilePath(path));
  }
}

/** Returns those of these messages that have an audit, also a deleted one. */
async function findWithAudit(db: Database, ids: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('guest_messages')
    .innerJoin('audits', 'audits.id', 'audit_id')
    .select('guest_messages.id')
    .where('guest_messages.id', 'in', ids)
    .execute();
  return getIds(rows);
}

async function deleteJunk(db: Database, logActivity: LogActivity, candidates: string[]) {
  const kept = new Set([...(await findKept(db, candidates)).keys(), ...(await findWithAudit(db, candidates))]);
  const messages = await listWhole(
    db,
    everyParkViewer,
    candidates.filter((id) => !kept.has(id)),
  );
  // One that was opened again in between has no `junk_until`.
  const junk = messages.filter(({ junk_until }) => junk_until !== null);
  for (const message of junk) await logJunk(db, logActivity, 'removed for good', message);
  const ids = getIds(junk);
  if (ids.length === 0) return { count: 0, files: [] };
  return { count: ids.length, files: await removeRecords(db, 'message', ids) };
}

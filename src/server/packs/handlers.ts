// Endpoints of packs: request, list, download and delete. Packs are built in the background.
import { canSeeParks } from '#shared/access.ts';
import { getToday } from '#shared/dates.ts';
import { isInProgress, packLimits } from '#shared/packs.ts';
import { countRows } from '../db/queries.ts';
import type { Database } from '../db/schema.ts';
import { createFieldError, HttpError, required } from '../errors/http-error.ts';
import type { Handlers } from '../http/handler-context.ts';
import { createFileName } from '../pdf/file-name.ts';
import type { SignedInUser } from '../sign-in/session/session.ts';
import { parseStoredParks } from '../user-parks.ts';
import {
  countPacks,
  deletePack,
  findPack,
  getPackPath,
  insertPack,
  listPacks,
  listReportIds,
  markExpired,
  restartPack,
} from './store.ts';

export const packHandlers = {
  createPack: ({ body, user, now, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      await assertQuota(db, user.id);
      const missing = await countMissing(db, body.reports);
      if (missing > 0)
        throw createFieldError(
          'reports',
          `${missing === 1 ? 'A report was' : `${missing} reports were`} deleted. Choose again.`,
        );
      const id = await insertPack(db, body, user, now);
      const { recipient, purpose, withoutNames, withInvestigations, reports } = body;
      logActivity({
        action: 'asked for',
        thing: 'pack',
        thing_id: id,
        label: `for ${recipient}`,
        changes: { why: purpose, withoutNames, withInvestigations, reports: reports.length },
      });
      return { success: true, id } as const;
    }),

  listPacks: ({ db, user }) => listPacks(db, user),

  async getPackFile({ db, files, params, user, now, logActivity }) {
    const pack = await requirePack(db, user, params.id);
    if (isInProgress(pack)) throw new HttpError(409, 'This pack is not ready yet.');
    const isOfOtherPark = !canSeeParks(user, parseStoredParks(pack.parks));
    const hasFile = pack.state === 'ready' && !isOfOtherPark && (pack.expires_at ?? '') > now.toISOString();
    const file = hasFile ? await files.open(getPackPath(pack.id)) : undefined;
    if (!file) {
      if (pack.state === 'ready' && !isOfOtherPark) await markExpired(db, pack.id);
      throw new HttpError(409, 'This pack has been deleted. Make it again.', { code: 'EXPIRED' });
    }
    await logActivity({ action: 'downloaded', thing: 'pack', thing_id: pack.id, label: `for ${pack.recipient}` });
    const day = getToday(new Date(pack.created_at));
    const parts = ['Pack', day, pack.recipient, ...(pack.without_names ? ['without names'] : [])];
    return { content: file.stream, type: 'application/zip', fileName: createFileName('zip', parts) };
  },

  makePackAgain: ({ params, user, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      const pack = await requirePack(db, user, params.id);
      if (isInProgress(pack)) throw new HttpError(409, 'This pack is being made.');
      await assertQuota(db, pack.created_by);
      if ((await listReportIds(db, pack.id)).length === 0)
        throw new HttpError(409, 'All reports of this pack have been permanently deleted.');
      await restartPack(db, pack.id);
      logActivity({ action: 'asked again for', thing: 'pack', thing_id: pack.id, label: `for ${pack.recipient}` });
    }),

  async deletePack({ db, files, params, user, writeTransaction }) {
    await requirePack(db, user, params.id);
    // Deletes the row last, because the cleanup needs it to find a file that could not be deleted.
    await markExpired(db, params.id);
    await files.remove(getPackPath(params.id));
    return writeTransaction(async (db, logActivity) => {
      const pack = await requirePack(db, user, params.id);
      await deletePack(db, pack.id);
      logActivity({ action: 'deleted', thing: 'pack', thing_id: pack.id, label: `for ${pack.recipient}` });
    });
  },
} satisfies Partial<Handlers>;

/** Throws if the user has a pack that is being built, or too many packs with files. */
async function assertQuota(db: Database, userId: string): Promise<void> {
  const { inProgressCount, readyCount } = await countPacks(db, userId);
  if (inProgressCount > 0) throw new HttpError(409, 'You have a pack that is being made. Wait until it is ready.');
  if (readyCount >= packLimits.packs)
    throw new HttpError(409, `You have ${readyCount} packs. Delete one before you make another.`);
}

async function countMissing(db: Database, ids: string[]): Promise<number> {
  const uniqueIds = [...new Set(ids)];
  const count = await countRows(db.selectFrom('reports').where('id', 'in', uniqueIds).where('deletion_id', 'is', null));
  return uniqueIds.length - count;
}

const requirePack = async (db: Database, user: SignedInUser, id: string) =>
  required(await findPack(db, user, id), 'Pack not found');

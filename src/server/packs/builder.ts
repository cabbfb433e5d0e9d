// Builds requested packs, one at a time. Any number of instances may run it: each pack is claimed,
// and when an instance dies its claim expires, so that another builds the pack again.
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isAllowed, type Role } from '#shared/access.ts';
import { waitUntilDurable } from '../db/connect.ts';
import { HttpError } from '../errors/http-error.ts';
import { toParkTime } from '../exports/table.ts';
import type { Services } from '../http/handler-context.ts';
import { parseStoredParks, toStoredParks } from '../user-parks.ts';
import { poll } from '../workers/poll.ts';
import { buildPack, type PackContentServices } from './build.ts';
import {
  claimPack,
  getExpiry,
  getPackPath,
  listClaims,
  listReportIds,
  type PackRow,
  updateClaimedPack,
} from './store.ts';

type PackBuilderServices = PackContentServices & Pick<Services, 'config' | 'clock' | 'log' | 'zipper'>;

const defaultPollMs = 1000;
const renewMs = 15_000;
const cleanupMs = 60_000;

/** Why a build stops: the pack was deleted, the claim was lost, or the server is stopping. */
class BuildStoppedError extends Error {}

/** Starts building; returns a function that stops it and releases the claimed pack. */
export async function startPackBuilder(
  services: PackBuilderServices,
  pollMs = defaultPollMs,
): Promise<() => Promise<void>> {
  const { db, clock, log } = services;
  const folder = join(services.config.dataDir, 'packs');
  await mkdir(folder, { recursive: true, mode: 0o750 });
  let nextCleanup = 0;
  const stop = new AbortController();
  const polling = poll({
    async work() {
      if (Date.now() >= nextCleanup) {
        await deleteDeadDrafts(db, folder, clock());
        nextCleanup = Date.now() + cleanupMs;
      }
      return buildNextPack(services, folder, stop.signal);
    },
    onError(error) {
      if (!stop.signal.aborted) log.error({ err: error }, 'making a pack failed');
    },
    pauseMs: pollMs,
    signal: stop.signal,
  });
  return async () => {
    stop.abort();
    await polling;
  };
}

/** Deletes what a killed build left: files whose claim is over. Other instances may share the folder. */
async function deleteDeadDrafts(db: Services['db'], folder: string, now: Date): Promise<void> {
  const names = await readdir(folder);
  if (names.length === 0) return;
  const claims = await listClaims(db, now);
  for (const name of names)
    if (!claims.some((claim) => name.includes(claim))) await rm(join(folder, name), { recursive: true, force: true });
}

/** Returns whether there was a pack to build. */
async function buildNextPack(services: PackBuilderServices, folder: string, signal: AbortSignal): Promise<boolean> {
  const { db, clock, log } = services;
  const pack = await claimPack(db, clock());
  if (!pack) return false;
  const draft = join(folder, `${pack.id}-${pack.claim}`);
  // Renews the claim during long steps too.
  const renewalTimer = setInterval(() => void updateClaimedPack(db, pack, {}, clock()).catch(() => {}), renewMs);
  try {
    await buildClaimedPack(services, pack, draft, signal);
  } catch (error) {
    if (signal.aborted) await updateClaimedPack(db, pack, { state: 'waiting', attempts: pack.attempts - 1 }, clock());
    else if (!(error instanceof BuildStoppedError)) {
      log.error({ err: error, pack: pack.id }, 'a pack could not be made');
      await updateClaimedPack(db, pack, { state: 'failed', problem: describe(error) }, clock());
    }
  } finally {
    clearInterval(renewalTimer);
    await rm(draft, { recursive: true, force: true });
    await rm(`${draft}.zip`, { force: true });
  }
  return true;
}

const describe = (error: unknown) =>
  error instanceof HttpError ? error.message : 'Something went wrong while it was made.';

async function buildClaimedPack(
  services: PackBuilderServices,
  pack: PackRow,
  draft: string,
  signal: AbortSignal,
): Promise<void> {
  const { db, files, clock, zipper } = services;
  const update = async (changes: Parameters<typeof updateClaimedPack>[2]) => {
    if (signal.aborted || !(await updateClaimedPack(db, pack, changes, clock()))) throw new BuildStoppedError();
  };
  const viewer = await findReviewer(services, pack);
  await update({ parks: toStoredParks(viewer.parks) });
  const now = clock();
  // Wait until the data is on disk, because a pack must not contain data that a power cut could
  // undo.
  await waitUntilDurable(db);
  await buildPack(services, pack, viewer, draft, now, (done, total) => update({ done, total }));
  const target = `${draft}.zip`;
  const about = {
    pack: pack.id,
    for: pack.recipient,
    why: pack.purpose,
    withoutNames: pack.without_names === 1,
    reports: (await listReportIds(db, pack.id)).length,
  };
  const madeAt = toParkTime(now.toISOString()) ?? '';
  const { bytes } = await zipper.run({ folder: draft, target, about, madeAt }, { signal });
  // Record before storing the file that there may be one, so that the cleanup deletes it after a
  // crash.
  await update({ has_file: 1 });
  await files.move(getPackPath(pack.id), target);
  try {
    await update({ state: 'ready', bytes, expires_at: getExpiry(clock()) });
  } catch (error) {
    await files.remove(getPackPath(pack.id));
    throw error;
  }
}

/** Returns the current role and parks of the user who asked for the pack. Throws 403 if they may not see reports now. */
async function findReviewer({ db }: Pick<Services, 'db'>, pack: PackRow) {
  const user = await db
    .selectFrom('users')
    .select(['role', 'parks'])
    .where('id', '=', pack.created_by)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  const viewer = user && { role: user.role as Role, parks: parseStoredParks(user.parks) };
  if (!viewer || !isAllowed('reviewer', viewer))
    throw new HttpError(403, 'The person who requested this pack can no longer see reports.');
  return viewer;
}

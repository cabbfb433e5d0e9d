// Packs and their records. A pack is built by one instance at a time, which holds a claim on it.
import { canSeeParks, isAdminOfAllParks, type Viewer } from '#shared/access.ts';
import { type NewPack, type Pack, packLimits } from '#shared/packs.ts';
import type { PackItemThing } from '../db/schema/packs.ts';
import type { Database, Tables } from '../db/schema.ts';
import { uploadsFolder } from '../files/upload-path.ts';
import { newId } from '../ids.ts';
import { parseStoredParks, toStoredParks } from '../user-parks.ts';

export type PackRow = Tables['packs'];
type PackViewer = Viewer & { id: string };

const dayMs = 24 * 60 * 60 * 1000;
/** An instance that has not renewed its claim for this long is considered dead. */
const claimMs = 60_000;
const maxAttempts = 3;

/** Returns the path of a pack in the file store. */
export const getPackPath = (id: string) => `packs/${id}.zip`;

export async function insertPack(
  db: Database,
  { recipient, purpose, withoutNames, withInvestigations, reports }: NewPack,
  by: { id: string; username: string },
  now: Date,
): Promise<string> {
  const id = newId();
  await db
    .insertInto('packs')
    .values({
      id,
      recipient,
      purpose,
      without_names: withoutNames ? 1 : 0,
      with_investigations: withInvestigations && !withoutNames ? 1 : 0,
      state: 'waiting',
      done: 0,
      total: reports.length,
      attempts: 0,
      claim: null,
      claimed_until: null,
      problem: null,
      bytes: null,
      has_file: 0,
      created_at: now.toISOString(),
      created_by: by.id,
      created_by_name: by.username,
      expires_at: null,
      parks: toStoredParks(null),
    })
    .execute();
  await addItems(
    db,
    id,
    [...new Set(reports)].map((thing_id) => ({ thing: 'report', thing_id })),
  );
  return id;
}

/** Adds records to a pack. Call it before reading them: if one is destroyed from then on, the pack expires too. */
export async function addItems(db: Database, pack_id: string, items: PackItem[]): Promise<void> {
  if (items.length === 0) return;
  await db
    .insertInto('pack_items')
    .values(items.map((item) => ({ pack_id, ...item })))
    .onConflict((conflict) => conflict.columns(['pack_id', 'thing', 'thing_id']).doNothing())
    .execute();
}

const toPack = ({
  without_names,
  with_investigations,
  created_by_name,
  ...row
}: PackRow & { reports: number | null }): Pack => ({
  ...row,
  reports: Number(row.reports),
  withoutNames: without_names === 1,
  withInvestigations: with_investigations === 1,
  created_by: created_by_name,
});

/**
 * Returns the user's own packs, or all packs for an Admin of all parks, newest first. A pack that
 * its creator may no longer download is shown as expired, so that they can make it again.
 */
export async function listPacks(db: Database, viewer: PackViewer): Promise<Pack[]> {
  const rows = await db
    .selectFrom('packs')
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom('pack_items')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('pack_id', '=', eb.ref('packs.id'))
        .where('thing', '=', 'report')
        .as('reports'),
    )
    .$if(!isAdminOfAllParks(viewer), (qb) => qb.where('created_by', '=', viewer.id))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  return rows.map((row) => {
    const isHidden = row.state === 'ready' && !canSeeParks(viewer, parseStoredParks(row.parks));
    return toPack(isHidden ? { ...row, state: 'expired', problem: 'Your parks have changed.' } : row);
  });
}

export async function findPack(db: Database, viewer: PackViewer, id: string): Promise<PackRow | undefined> {
  const row = await db.selectFrom('packs').selectAll().where('id', '=', id).executeTakeFirst();
  return row && (isAdminOfAllParks(viewer) || row.created_by === viewer.id) ? row : undefined;
}

export const listReportIds = async (db: Database, packId: string): Promise<string[]> =>
  (
    await db
      .selectFrom('pack_items')
      .select('thing_id')
      .where('pack_id', '=', packId)
      .where('thing', '=', 'report')
      .execute()
  ).map(({ thing_id }) => thing_id);

const inProgress = ['waiting', 'making'] as const;

/** Returns how many of a user's packs are waiting or being built, and how many are ready. */
export async function countPacks(
  db: Database,
  userId: string,
): Promise<{ inProgressCount: number; readyCount: number }> {
  const rows = await db
    .selectFrom('packs')
    .select('state')
    .where('created_by', '=', userId)
    .where('state', 'in', [...inProgress, 'ready'])
    .execute();
  const readyCount = rows.filter(({ state }) => state === 'ready').length;
  return { inProgressCount: rows.length - readyCount, readyCount };
}

export async function restartPack(db: Database, id: string): Promise<void> {
  await db
    .updateTable('packs')
    .set({ state: 'waiting', done: 0, attempts: 0, claim: null, claimed_until: null, problem: null, expires_at: null })
    .where('id', '=', id)
    .execute();
}

/** Deletes the rows of a pack. The caller deletes its file after the commit. */
export async function deletePack(db: Database, id: string): Promise<void> {
  await db.deleteFrom('pack_items').where('pack_id', '=', id).execute();
  await db.deleteFrom('packs').where('id', '=', id).execute();
}

/**
 * Claims the oldest pack that waits or whose instance has died. Marks packs with too many attempts
 * as failed instead.
 */
export async function claimPack(db: Database, now: Date): Promise<PackRow | undefined> {
  // A claim that is longer than any was made while the clock was ahead.
  const latest = new Date(now.getTime() + 2 * claimMs).toISOString();
  const next = await db
    .selectFrom('packs')
    .selectAll()
    .where((eb) => {
      const isOver = eb.or([eb('claimed_until', '<', now.toISOString()), eb('claimed_until', '>', latest)]);
      return eb.or([eb('state', '=', 'waiting'), eb.and([eb('state', '=', 'making'), isOver])]);
    })
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();
  if (!next) return undefined;
  const hasTooManyAttempts = next.attempts >= maxAttempts;
  const { numUpdatedRows } = await db
    .updateTable('packs')
    .set(
      hasTooManyAttempts
        ? { state: 'failed', claim: null, problem: `It could not be made in ${maxAttempts} attempts.` }
        : {
            state: 'making',
            done: 0,
            attempts: next.attempts + 1,
            claim: newId(),
            claimed_until: getClaimEnd(now),
          },
    )
    .where('id', '=', next.id)
    .where('state', '=', next.state)
    // Another instance may have claimed it in between.
    .where('attempts', '=', next.attempts)
    .executeTakeFirst();
  if (numUpdatedRows === 0n || hasTooManyAttempts) return undefined;
  return db.selectFrom('packs').selectAll().where('id', '=', next.id).executeTakeFirst();
}

/** Returns the claims of the packs that are being built. */
export const listClaims = async (db: Database, now: Date): Promise<string[]> =>
  (
    await db
      .selectFrom('packs')
      .select('claim')
      .where('state', '=', 'making')
      .where('claimed_until', '>', now.toISOString())
      .execute()
  ).flatMap(({ claim }) => claim ?? []);

const getClaimEnd = (now: Date) => new Date(now.getTime() + claimMs).toISOString();

type ClaimedPack = Pick<PackRow, 'id' | 'claim'>;

/** Updates a pack if this instance still holds its claim; returns whether it does. */
export async function updateClaimedPack(
  db: Database,
  { id, claim }: ClaimedPack,
  changes: Partial<
    Pick<PackRow, 'done' | 'total' | 'state' | 'problem' | 'bytes' | 'has_file' | 'expires_at' | 'attempts' | 'parks'>
  >,
  now: Date,
): Promise<boolean> {
  const isOver = changes.state !== undefined;
  const { numUpdatedRows } = await db
    .updateTable('packs')
    .set({ ...changes, claim: isOver ? null : claim, claimed_until: isOver ? null : getClaimEnd(now) })
    .where('id', '=', id)
    .where('state', '=', 'making')
    .where('claim', '=', claim)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export const getExpiry = (now: Date) => new Date(now.getTime() + packLimits.days * dayMs).toISOString();

type PackItem = { thing: PackItemThing; thing_id: string };

/**
 * Expires the packs that contain a record, inside the transaction that destroys or changes the record and before
 * its row is deleted. Returns the paths of their files, to be deleted after the commit. `recordStays` says that the
 * record itself stays, so the pack can be created again.
 */
export async function expirePacksWith(
  db: Database,
  items: PackItem[],
  { problem, recordStays } = { problem: 'A record in it was permanently deleted.', recordStays: false },
): Promise<string[]> {
  const ids = new Set<string>();
  for (const { thing, thing_id } of items) {
    const packs = await db
      .selectFrom('pack_items')
      .select('pack_id')
      .where('thing', '=', thing)
      .where('thing_id', '=', thing_id)
      .execute();
    for (const { pack_id } of packs) ids.add(pack_id);
    // A pack created again must not look for the destroyed record. Rows for checks stay, because they name a park
    // and not one check.
    if (!recordStays && thing !== 'checks')
      await db.deleteFrom('pack_items').where('thing', '=', thing).where('thing_id', '=', thing_id).execute();
  }
  if (ids.size === 0) return [];
  await db
    .updateTable('packs')
    .set({ state: 'expired', claim: null, problem })
    .where('id', 'in', [...ids])
    .execute();
  return [...ids].map((id) => uploadsFolder + getPackPath(id));
}

/**
 * Marks packs as expired when their time is over, and deletes rows of packs that expired long ago.
 * Returns the files to delete.
 */
export async function expirePacks(db: Database, now: Date): Promise<string[]> {
  const at = now.toISOString();
  await db
    .updateTable('packs')
    .set({ state: 'expired' })
    .where('state', '=', 'ready')
    .where('expires_at', '<=', at)
    .execute();
  const before = new Date(now.getTime() - 30 * dayMs).toISOString();
  const oldPacks = await db
    .selectFrom('packs')
    .select('id')
    .where('state', 'in', ['expired', 'failed'])
    .where('has_file', '=', 0)
    .where('created_at', '<', before)
    .execute();
  for (const { id } of oldPacks) await deletePack(db, id);
  const rows = await db
    .selectFrom('packs')
    .select('id')
    .where('state', 'in', ['expired', 'failed'])
    .where('has_file', '=', 1)
    .execute();
  return rows.map(({ id }) => id);
}

/** Stops the build, and keeps the file's path for the cleanup. */
export const markExpired = (db: Database, id: string) =>
  db.updateTable('packs').set({ state: 'expired', claim: null }).where('id', '=', id).execute();

/** Records that the file has been deleted. */
export const markFileDeleted = (db: Database, id: string) =>
  db
    .updateTable('packs')
    .set({ has_file: 0, bytes: null })
    .where('id', '=', id)
    .where('state', 'in', ['expired', 'failed'])
    .execute();

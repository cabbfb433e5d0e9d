// The hourly cleaning, and the watch over the disk: what is over its time is removed, one kind at a time.

import { checkpoint } from './db/connect.ts';
import { purgeDeleted } from './deletions/bin.ts';
import type { Services } from './http/call.ts';
import { forgetOldReplies } from './http/idempotency.ts';
import { deleteOldSessions } from './http/session.ts';
import { forgetOldTries } from './http/throttle.ts';
import { sweepUploads } from './uploads/sweep.ts';

const minute = 60_000;
const quietHour = 3;

/** Starts both; gives what stops them. */
export function sweep(services: Services): () => void {
  const clean = async () => {
    const { db, config, clock, log } = services;
    await deleteOldSessions(db, config.sessions, clock());
    await forgetOldReplies(db, clock());
    await forgetOldTries(db, clock());
    const purged = await purgeDeleted(services);
    if (purged > 0) log.info({ purged }, 'removed for good what was in the bin for 30 days');
    const removed = await sweepUploads(services);
    if (clock().getUTCHours() === quietHour) await checkpoint(db);
    if (removed.loose + removed.unnamed > 0) log.info(removed, 'removed unused uploads');
  };
  const logged = (work: () => Promise<unknown>) => () =>
    void work().catch((error: unknown) => services.log.error({ err: error }, 'the sweep failed'));
  const timers = [setInterval(logged(clean), 60 * minute), setInterval(logged(services.space.tend), minute)];
  return () => timers.forEach(clearInterval);
}

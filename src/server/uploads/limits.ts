import type { Config } from '../config.ts';
import type { Database } from '../db/schema.ts';
import { HttpError } from '../errors/http-error.ts';
import { countUploadsSince } from './store.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** Throws 429 if the user would have added more photos in 24 hours than the limit, copies included. */
export async function assertDailyUploadLimit(
  db: Database,
  { user, config, now }: { user: { id: string }; config: Config; now: Date },
  newPhotos: number,
): Promise<void> {
  const recentPhotos = await countUploadsSince(db, user.id, new Date(now.getTime() - dayMs));
  if (recentPhotos + newPhotos > config.rates.uploadsPerDay)
    throw new HttpError(429, 'You have reached the number of photos for one day. Please try again tomorrow.', {
      retryAfter: 3600,
    });
}

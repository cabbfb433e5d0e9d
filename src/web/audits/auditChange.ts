import type { Audit } from '#shared/audits.ts';
import type { MediaFile } from '#shared/uploads.ts';
import { findPlaceId } from '../parks/findPlaceId.ts';
import type { AuditFields } from './useAuditEdits.ts';

/** Returns the request body for the named fields; new photos are added to those of `base`. */
export function createChange(
  names: readonly (keyof AuditFields)[],
  values: AuditFields,
  base: Audit,
  added: MediaFile[],
) {
  const named: Partial<AuditFields> = Object.fromEntries(names.map((name) => [name, values[name]]));
  const { title, date, time, photos: _, answer, done_note: __, done_photos: ___, ...data } = named;
  return {
    ...(title !== undefined && { title }),
    ...(date !== undefined && { date: date || null }),
    ...(time !== undefined && { time: time || null }),
    ...(data.location !== undefined && findPlaceId(base.park, data.location)),
    data: {
      ...data,
      ...(answer && { answer }),
      ...(added.length > 0 && { media_files: [...base.data.media_files, ...added] }),
    },
  };
}

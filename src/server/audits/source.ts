// The record from which a new audit is created: a report, another audit, an investigation or a message of a guest.
import { isAllowed } from '#shared/access.ts';
import type { NewAudit } from '#shared/audits.ts';
import { formatInstantDay } from '#shared/dates.ts';
import type { StoredMediaFile } from '#shared/uploads.ts';
import type { Database } from '../db/schema.ts';
import { createFieldError, required } from '../errors/http-error.ts';
import { findMessage } from '../messages/store.ts';
import type { SignedInUser } from '../sign-in/session/session.ts';
import { listAttached, type UploadRow } from '../uploads/store.ts';
import { findAudit } from './store.ts';

type Source = NewAudit['source'];
type RecordKey = Pick<NonNullable<Source>, 'thing' | 'id'>;

/**
 * Returns the source to store with a new audit. Throws 404 if the user may not open it, and 400 if it belongs
 * to another park.
 */
export async function createSource(db: Database, user: SignedInUser, source: Source, park: string) {
  if (!source) return undefined;
  const record = await requireSource(db, user, source);
  if (record.park !== undefined && record.park !== park)
    throw createFieldError('folder_id', `Choose a folder of ${record.park}`);
  const { thing, id, cause } = source;
  return { thing, id, label: record.label, ...(thing === 'investigation' && { section: cause ?? null }) };
}

/** Returns what a new audit or investigation is about. Throws 404 if the user may not open it. */
export const requireSource = async (db: Database, user: SignedInUser, source: RecordKey): Promise<FoundSource> =>
  required(await findSource(db, user, source), notFoundMessages[source.thing]);

const notFoundMessages = {
  report: 'Report not found',
  audit: 'Audit not found',
  investigation: 'Investigation not found',
  message: 'Message not found',
};

type FoundSource = {
  label: string;
  /** The park of its audits; undefined if they may be at any park. */
  park?: string;
  photos: StoredMediaFile[];
};

async function findSource(
  db: Database,
  user: SignedInUser,
  { thing, id }: RecordKey,
): Promise<FoundSource | undefined> {
  if (thing === 'audit') {
    const audit = await findAudit(db, user, id);
    return audit && { label: audit.title, park: audit.folder.park, photos: audit.media_files };
  }
  if (!isAllowed('reviewer', user)) return undefined;
  if (thing === 'investigation') {
    const investigation = await db
      .selectFrom('investigations')
      .select('number')
      .where('id', '=', id)
      .where('deletion_id', 'is', null)
      .executeTakeFirst();
    return investigation && { label: investigation.number, photos: [] };
  }
  if (thing === 'message') {
    const message = await findMessage(db, user, id);
    return message && { label: formatInstantDay(message.created_at), park: message.park, photos: message.photos };
  }
  const report = await db
    .selectFrom('reports')
    .select(['number', 'selectedPlace', 'mediaFiles'])
    .where('id', '=', id)
    .where('deletion_id', 'is', null)
    .executeTakeFirst();
  return (
    report && {
      label: report.number,
      park: report.selectedPlace,
      photos: JSON.parse(report.mediaFiles) as StoredMediaFile[],
    }
  );
}

/** Returns the chosen photos of the source in its order, if the user may open it. */
export async function listSourcePhotos(db: Database, user: SignedInUser, source: Source): Promise<UploadRow[]> {
  const record = source && source.photos.length > 0 ? await findSource(db, user, source) : undefined;
  if (!source || !record) return [];
  // Leave out other uploads of the source, such as the signatures of a report.
  const chosen = record.photos.map(({ path }) => path).filter((path) => source.photos.includes(path));
  const uploads = await listAttached(db, source.thing, [source.id]);
  return chosen.flatMap((chosenPath) => uploads.find(({ path }) => path === chosenPath) ?? []);
}

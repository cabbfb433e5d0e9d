// The draft of a new audit, and the item it becomes in the outbox.
import { type AuditTexts, mapAuditTexts } from '#shared/audit-fields.ts';
import { defaultVerifyDays } from '#shared/audits.ts';
import type { MediaFile } from '#shared/uploads.ts';
import type { SessionUser } from '#shared/users.ts';
import { outboxForms } from '../../formNames.ts';
import { newUuid } from '../../newUuid.ts';
import type { NewFile, NewItem, OutboxItem } from '../../outbox/items.ts';
import { readPhotos } from '../../outbox/readPhotos.ts';
import { findPlaceId } from '../../parks/findPlaceId.ts';
import type { PreparedPhoto } from '../../photos/preparePhoto.ts';
import type { UploadedPaths } from '../../photos/uploadPhotos.ts';

type AuditValues = AuditTexts & {
  title: string;
  date: string;
  time: string;
  is_urgent: boolean;
  completed: boolean;
  /** Whether someone else verifies the audit, how many days after its completion, and who. */
  isVerified: boolean;
  verifyDays: string;
  verifier: string;
};

export type AuditDraft = AuditValues & {
  photos: PreparedPhoto[];
  /** The id of the item that it becomes in the outbox: the same draft sent twice is one audit. */
  key?: string | undefined;
};

export const createAuditDraft = (): AuditDraft => ({
  title: '',
  ...mapAuditTexts(() => ''),
  date: '',
  time: '',
  is_urgent: false,
  completed: false,
  isVerified: false,
  verifyDays: String(defaultVerifyDays),
  verifier: '',
  photos: [],
  key: newUuid(),
});

export const getCreationFormName = outboxForms.newAudit;

/** Returns the uploaded photos as the audit's `media_files`. */
export const toMediaFiles = (photos: PreparedPhoto[], paths: UploadedPaths): MediaFile[] =>
  photos.flatMap(({ id, name, file }) => {
    const path = paths[id];
    return path ? [{ path, name, type: file.type, size: file.size, storageType: 'server' as const }] : [];
  });

/** Returns the photos as files of an outbox item. Those in `uploaded` are not uploaded again. */
export const toFiles = (photos: PreparedPhoto[], uploaded: UploadedPaths = {}): NewFile[] =>
  photos.map(({ id, file }) => {
    const path = uploaded[id];
    const upload = path && { path, name: file.name, type: file.type, size: file.size };
    return { id, slot: 'photo', file, ...(upload && { upload }) };
  });

/** Returns the request body that creates the audit, without its photos. */
export function toNewAudit(
  folder_id: string,
  { photos: _, key: __, date, time, isVerified, verifyDays, verifier, ...fields }: AuditDraft,
) {
  const verification = isVerified ? { days: Number(verifyDays), verifier } : undefined;
  return { folder_id, ...fields, date: date || null, time: time || null, ...(verification && { verification }) };
}

export function createAuditSubmission(
  folder: { id: string; park: string },
  draft: AuditDraft,
  id: string,
  { id: userId, username }: Pick<SessionUser, 'id' | 'username'>,
): NewItem {
  const form = getCreationFormName(folder.id);
  return {
    id,
    userId,
    username,
    kind: 'audit',
    form,
    address: `/${form}`,
    title: draft.title,
    park: folder.park,
    body: { ...toNewAudit(folder.id, draft), ...findPlaceId(folder.park, draft.location) },
    files: toFiles(draft.photos),
  };
}

type Body = ReturnType<typeof toNewAudit> & { placeId?: string };

/** Returns the submitted audit as its form holds it. */
export async function readAuditSubmission(item: OutboxItem): Promise<AuditDraft> {
  const { folder_id: _, placeId: __, date, time, verification, ...values } = item.body as Body;
  return {
    ...values,
    date: date ?? '',
    time: time ?? '',
    isVerified: verification !== undefined,
    verifyDays: String(verification?.days ?? defaultVerifyDays),
    verifier: verification?.verifier ?? '',
    photos: await readPhotos(item),
  };
}

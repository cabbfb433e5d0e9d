// The draft of a new audit, and its request.
import type { MediaFile } from '#shared/uploads.ts';
import { newUuid } from '../newUuid.ts';
import type { PreparedPhoto } from '../photos/preparePhoto.ts';
import type { UploadedPaths } from '../photos/uploadPhotos.ts';

export type AuditDraft = {
  title: string;
  location: string;
  date: string;
  time: string;
  is_urgent: boolean;
  completed: boolean;
  assignee: string;
  description: string;
  photos: PreparedPhoto[];
  uploaded: UploadedPaths;
  /** The Idempotency-Key: repeated requests create one audit. */
  key: string;
};

export const createDraft = (): AuditDraft => ({
  title: '',
  location: '',
  date: '',
  time: '',
  is_urgent: false,
  completed: false,
  assignee: '',
  description: '',
  photos: [],
  uploaded: {},
  key: newUuid(),
});

/** Returns the uploaded photos as the audit names them. */
export const toMediaFiles = (photos: PreparedPhoto[], paths: UploadedPaths): MediaFile[] =>
  photos.flatMap(({ id, name, file }) => {
    const path = paths[id];
    return path ? [{ path, name, type: file.type, size: file.size, storageType: 'server' as const }] : [];
  });

/** Returns the body of the request that creates it. */
export function toNewAudit(folder_id: string, draft: AuditDraft, paths: UploadedPaths) {
  const { photos, uploaded: _, key: __, date, time, ...fields } = draft;
  return { folder_id, ...fields, date: date || null, time: time || null, media_files: toMediaFiles(photos, paths) };
}

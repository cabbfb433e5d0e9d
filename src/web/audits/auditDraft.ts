// What a half-filled audit is made of, and what is sent of it.
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
  /** The Idempotency-Key: however often it is sent, this audit is made once. */
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

/** The photos that were uploaded, as an audit names them. */
export const toMediaFiles = (photos: PreparedPhoto[], paths: UploadedPaths): MediaFile[] =>
  photos.flatMap(({ id, name, file }) => {
    const path = paths[id];
    return path ? [{ path, name, type: file.type, size: file.size, storageType: 'server' as const }] : [];
  });

/** The body of the call that creates it. */
export function toNewAudit(folder_id: string, draft: AuditDraft, paths: UploadedPaths) {
  const { photos, uploaded: _, key: __, date, time, ...fields } = draft;
  return { folder_id, ...fields, date: date || null, time: time || null, media_files: toMediaFiles(photos, paths) };
}

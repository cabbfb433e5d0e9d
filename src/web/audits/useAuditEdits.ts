// Unsaved changes of an audit, and the version they started from.
import { useEffect, useState } from 'react';
import { type AuditTexts, mapAuditTexts } from '#shared/audit-fields.ts';
import type { Audit } from '#shared/audits.ts';
import type { LessonAnswer } from '#shared/lessons.ts';
import { useLastSave } from '../client/useSave.ts';
import type { Draft } from '../drafts/draftStore.ts';
import type { PreparedPhoto } from '../photos/preparePhoto.ts';
import type { UploadedPaths } from '../photos/uploadPhotos.ts';

export type AuditFields = AuditTexts & {
  title: string;
  is_urgent: boolean;
  date: string;
  time: string;
  /** The answer to the lesson that created the audit; sent with the completion. */
  answer: LessonAnswer | '';
  answer_note: string;
  /** Photos to add. */
  photos: PreparedPhoto[];
  /** What was done; sent with the completion. */
  done_note: string;
  done_photos: PreparedPhoto[];
};

export type AuditEdits = { version: number; changes: Partial<AuditFields>; uploaded: UploadedPaths };

const noPhotos: PreparedPhoto[] = [];
const isOfNote = (name: string) => name === 'done_note' || name === 'done_photos';

const getFields = ({ title, date, time, data }: Audit): AuditFields => ({
  title,
  ...mapAuditTexts((name) => data[name] ?? ''),
  is_urgent: data.is_urgent,
  date: date ?? '',
  time: time ?? '',
  answer: '',
  answer_note: '',
  photos: noPhotos,
  done_note: '',
  done_photos: noPhotos,
});

export const noEdits = (version: number): AuditEdits => ({ version, changes: {}, uploaded: {} });

/** Compares photos by id, because photos read from the device again are new objects. */
const isSame = (a: AuditFields[keyof AuditFields] | undefined, b: AuditFields[keyof AuditFields] | undefined) =>
  a === b ||
  (Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every(({ id }, index) => id === b[index]?.id));

const pickChanges = (
  changes: Partial<AuditFields>,
  isKept: (name: keyof AuditFields) => boolean,
): Partial<AuditFields> =>
  Object.fromEntries(Object.entries(changes).filter(([name]) => isKept(name as keyof AuditFields)));

/** Removes the changes that were saved while this screen was not open. */
function removeSaved(audit: Audit, edits: AuditEdits): AuditEdits {
  const stored = getFields(audit);
  return { ...edits, changes: pickChanges(edits.changes, (name) => !isSame(edits.changes[name], stored[name])) };
}

/** `initial`: the changes that this device has; `draft`: where they are stored. */
export function useAuditEdits(audit: Audit, initial: Partial<AuditEdits>, draft: Draft<AuditEdits>) {
  const [edits, setEdits] = useState(() => removeSaved(audit, { ...noEdits(audit.version), ...initial }));
  const isSaving = useLastSave(`audit/${audit.id}`)?.status === 'pending';
  const isEmpty = Object.keys(edits.changes).length === 0;
  const current = isEmpty ? noEdits(audit.version) : edits;

  // Input survives a reload.
  useEffect(() => {
    if (isEmpty) void draft.delete();
    else draft.save(edits);
  }, [edits, isEmpty, draft]);

  return {
    draftKey: draft.key,
    /** The audit's fields with the changes applied. */
    values: { ...getFields(audit), ...current.changes },
    ...current,
    /** Whether the audit itself was changed, not only what was done. */
    isChanged: Object.keys(current.changes).some((name) => !isOfNote(name)),
    set(changes: Partial<AuditFields>) {
      setEdits((before) => {
        const version = Object.keys(before.changes).length === 0 ? audit.version : before.version;
        const original = getFields(audit);
        const changed = { ...before.changes, ...changes };
        // During a save, a value typed back to the audit's is a change to what is being saved.
        const isKept = (name: keyof AuditFields) => isSaving || !isSame(changed[name], original[name]);
        return { ...before, version, changes: pickChanges(changed, isKept) };
      });
    },
    setUploaded: (uploaded: UploadedPaths) => setEdits((before) => ({ ...before, uploaded })),
    /** Marks these values as saved with this version. Input typed since stays unsaved. */
    markSaved(names: (keyof AuditFields)[], saved: AuditFields, version: number) {
      setEdits(({ changes, uploaded }) => ({
        version,
        changes: pickChanges(changes, (name) => !(names.includes(name) && isSame(changes[name], saved[name]))),
        uploaded: names.includes('photos') ? {} : uploaded,
      }));
    },
    discard: () => setEdits(noEdits(audit.version)),
    /**
     * Accepts another user's changes. Photos to add and what was done conflict with nothing, so they
     * stay while they can be added.
     */
    acceptOtherVersion({ version, data }: Audit) {
      setEdits(({ changes, uploaded }) => {
        const kept = pickChanges(changes, (name) => name === 'photos' || isOfNote(name));
        return data.completed || Object.keys(kept).length === 0
          ? noEdits(version)
          : { version, changes: kept, uploaded };
      });
    },
  };
}

// Unsaved changes of an audit, and the version they started from.
import { useEffect, useEffectEvent, useState } from 'react';
import { type AuditTexts, mapAuditTexts } from '#shared/audit-fields.ts';
import type { Audit } from '#shared/audits.ts';
import type { LessonAnswer } from '#shared/lessons.ts';
import { useLastSave } from '../client/useSave.ts';
import type { PreparedPhoto } from '../photos/preparePhoto.ts';
import type { UploadedPaths } from '../photos/uploadPhotos.ts';
import type { useTypedInput } from '../ui/forms/useTypedInput.ts';

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
export const isEmpty = ({ changes }: AuditEdits) => Object.keys(changes).length === 0;

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

/** What this device has of the changes. */
export type KeptEdits = ReturnType<typeof useTypedInput<AuditEdits>>;

export function useAuditEdits(audit: Audit, input: KeptEdits) {
  const isSaving = useLastSave(`audit/${audit.id}`)?.status === 'pending';
  // What was saved while this screen was not open is left out once, when it opens.
  const [opened] = useState(() => ({ input: input.values, edits: removeSaved(audit, input.values) }));
  const toCurrent = (edits: AuditEdits) => {
    const current = edits === opened.input ? opened.edits : edits;
    return isEmpty(current) ? noEdits(audit.version) : current;
  };
  const current = toCurrent(input.values);
  const replace = (update: (before: AuditEdits) => AuditEdits) =>
    input.replace((before) => {
      const edits = update(toCurrent(before));
      return isEmpty(edits) ? undefined : edits;
    });

  const isSaved = input.isTyped && isEmpty(current);
  const clear = useEffectEvent(input.clear);
  useEffect(() => {
    if (isSaved) clear();
  }, [isSaved]);

  return {
    /** The audit's fields with the changes applied. */
    values: { ...getFields(audit), ...current.changes },
    ...current,
    /** Whether the audit itself was changed, not only what was done. */
    isChanged: Object.keys(current.changes).some((name) => !isOfNote(name)),
    set(changes: Partial<AuditFields>) {
      replace((before) => {
        const original = getFields(audit);
        const changed = { ...before.changes, ...changes };
        // During a save, a value typed back to the audit's is a change to what is being saved.
        const isKept = (name: keyof AuditFields) => isSaving || !isSame(changed[name], original[name]);
        return { ...before, changes: pickChanges(changed, isKept) };
      });
    },
    setUploaded: (uploaded: UploadedPaths) => replace((before) => ({ ...before, uploaded })),
    /** Marks these values as saved with this version. Input typed since stays unsaved. */
    markSaved(names: (keyof AuditFields)[], saved: AuditFields, version: number) {
      replace(({ changes, uploaded }) => ({
        version,
        changes: pickChanges(changes, (name) => !(names.includes(name) && isSame(changes[name], saved[name]))),
        uploaded: names.includes('photos') ? {} : uploaded,
      }));
    },
    discard: input.clear,
    /**
     * Accepts another user's changes. Photos to add and what was done conflict with nothing, so they
     * stay while they can be added.
     */
    acceptOtherVersion({ version, data }: Audit) {
      replace(({ changes, uploaded }) => {
        const kept = pickChanges(changes, (name) => name === 'photos' || isOfNote(name));
        return data.completed ? noEdits(version) : { version, changes: kept, uploaded };
      });
    },
  };
}

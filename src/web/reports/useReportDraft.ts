import { useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { SessionUser } from '#shared/users.ts';
import { signedOutUserId } from '../client/signedOutUserId.ts';
import { createDraft, moveDrafts } from '../drafts/draftStore.ts';
import { getDraftName, useStoredForm } from '../outbox/useStoredForm.ts';
import type { SubmissionState, useSubmission } from '../outbox/useSubmission.ts';
import { useToday } from '../ui/forms/useToday.ts';
import {
  completeReportDraft,
  createReportDraft,
  type DraftFields,
  type DraftMedia,
  type ReportDraft,
  readReportSubmission,
} from './reportDraft.ts';

/** Fields and media are stored separately, so that typing does not write the photos again. */
function createStores(userId: string, name: string) {
  const fields = createDraft<DraftFields>(userId, name);
  const media = createDraft<DraftMedia>(userId, `${name} pictures`);
  return {
    fields,
    media,
    keys: [fields.key, media.key],
    async find(): Promise<Partial<ReportDraft> | undefined> {
      const [foundFields, foundMedia] = await Promise.all([fields.find(), media.find()]);
      return foundFields || foundMedia ? { ...foundFields, ...foundMedia } : undefined;
    },
    save({ photos, signature, affectedUserSignature, ...typed }: ReportDraft, changed: Partial<ReportDraft>) {
      fields.save(typed);
      const isMediaChanged = 'photos' in changed || 'signature' in changed || 'affectedUserSignature' in changed;
      if (isMediaChanged) media.save({ photos, signature, affectedUserSignature });
    },
    findTime: async () => (await media.findTime()) ?? fields.findTime(),
    stop() {
      fields.stop();
      media.stop();
    },
  };
}

/** Returns the form's initial values; undefined while they are read. */
export function useStoredReport(form: string, user: SessionUser, outboxState: ReturnType<typeof useSubmission>) {
  const stores = createStores(user.id, getDraftName(form, outboxState.submission));
  const stored = useStoredForm<ReportDraft>(outboxState, {
    draftKeys: stores.keys,
    findDraft: stores.find,
    read: readReportSubmission,
  });
  return stored && { ...stored, draft: completeReportDraft(user, stored.initialValues) };
}

/** The report on the screen, stored with every change. `isRestored`: it starts with stored input. */
export function useReportDraft(
  form: string,
  user: SessionUser,
  submission: SubmissionState,
  initialDraft: ReportDraft,
  isRestored: boolean,
) {
  const [draft, setDraft] = useState(initialDraft);
  const latest = useRef(initialDraft);
  const [isStarted, setStarted] = useState(isRestored);
  const today = useToday();
  const name = getDraftName(form, submission);
  const stores = useMemo(() => createStores(user.id, name), [user.id, name]);

  const set = (next: ReportDraft) => {
    latest.current = next;
    setDraft(next);
  };

  const { values, givenDate } = draft;
  const isGivenDateOld = givenDate !== undefined && values.date === givenDate && givenDate < today;
  const renewDate = useEffectEvent(() => {
    if (isGivenDateOld && !isStarted)
      set({ ...latest.current, values: { ...latest.current.values, date: today }, givenDate: today });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for every new day
  useLayoutEffect(() => renewDate(), [today]);

  return {
    draft,
    /** Whether the form was opened on an earlier day, which is still its date. */
    isDateOld: isGivenDateOld && isStarted,
    /** The name under which the report's photos are prepared. */
    name: stores.fields.key,
    /** Keys of the stored draft, to delete when the report is submitted. */
    keys: stores.keys,
    stop: stores.stop,
    change(changes: Partial<ReportDraft>) {
      setStarted(true);
      const isDateChanged = changes.values && changes.values.date !== latest.current.values.date;
      set({ ...latest.current, ...changes, ...(isDateChanged && { givenDate: undefined }) });
      stores.save(latest.current, changes);
    },
    /** Fills in known values without starting a draft; only typing starts one. */
    prefill: (values: Partial<ReportDraft['values']>, message?: string) =>
      set({ ...latest.current, ...(message && { message }), values: { ...latest.current.values, ...values } }),
    /** Empties the form for the next report. The caller deletes the stored draft. */
    clear() {
      setStarted(false);
      set(createReportDraft(user));
    },
  };
}

/** Returns who started a draft of this form while signed out, and when. */
export async function findSignedOutReport(form: string): Promise<{ by: string; at: number } | undefined> {
  const stores = createStores(signedOutUserId, form);
  const [found, at] = await Promise.all([stores.find(), stores.findTime()]);
  return found && at !== undefined ? { by: found.values?.reporter ?? '', at } : undefined;
}

/**
 * Moves the draft that was started while signed out to the user. Resolves with false, and changes nothing,
 * if they already have one. Rejects, and changes nothing, when the device has no room.
 */
export async function claimSignedOutReport(form: string, user: SessionUser): Promise<boolean> {
  const [own, signedOutDraft] = [createStores(user.id, form), createStores(signedOutUserId, form)];
  if (await own.find()) return false;
  await moveDrafts([
    { from: signedOutDraft.fields.key, to: own.fields.key },
    { from: signedOutDraft.media.key, to: own.media.key },
  ]);
  return true;
}

// The draft of a report that was started on this device while signed out.
import type { SessionUser } from '#shared/users.ts';
import { signedOutUserId } from '../client/signedOutUserId.ts';
import { createDraftWithMedia, moveDrafts } from '../drafts/draftStore.ts';
import type { ReportDraft } from './reportDraft.ts';

/** Returns who started a draft of this form while signed out, and when. */
export async function findSignedOutReport(form: string): Promise<{ by: string; at: number } | undefined> {
  const draft = createDraftWithMedia<ReportDraft>(signedOutUserId, form);
  const [found, at] = await Promise.all([draft.find(), draft.findTime()]);
  return found && at !== undefined ? { by: found.values?.reporter ?? '', at } : undefined;
}

/**
 * Moves the draft that was started while signed out to the user. Resolves with false, and changes nothing,
 * if they already have one. Rejects, and changes nothing, when the device has no room.
 */
export async function claimSignedOutReport(form: string, { id }: Pick<SessionUser, 'id'>): Promise<boolean> {
  const own = createDraftWithMedia(id, form);
  if (await own.find()) return false;
  const { keys } = createDraftWithMedia(signedOutUserId, form);
  await moveDrafts(own.keys.map((to, index) => ({ from: keys[index] ?? '', to })));
  return true;
}

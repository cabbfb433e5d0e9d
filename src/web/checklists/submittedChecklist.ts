// A completed checklist as an outbox item.
import { type Answers, findAnsweredPark } from '#shared/answers.ts';
import type { Checklist } from '#shared/checklists.ts';
import type { CheckedPlace, LocalSubmission } from '#shared/schedules/next-place.ts';
import type { SessionUser } from '#shared/users.ts';
import { createDraftFile } from '../drafts/draftStore.ts';
import { outboxForms } from '../formNames.ts';
import { type NewFile, type NewItem, type OutboxItem, type Receipt, readFile } from '../outbox/items.ts';
import type { OutboxState } from '../outbox/outbox.ts';
import type { PlaceId } from './checklistDrafts.ts';
import { type EnteredFailures, readNotes, type SentNotes } from './failures.ts';

/** The name of the form of a checklist for a place; `null` for the park as a whole. */
export const getChecklistFormName = outboxForms.checklist;

/** A photo is no longer on this device. The message is for the user. */
export class LostPhotoError extends Error {}

/**
 * Finds a photo of a failing answer in its draft, which expires after 14 days, or in the submitted item,
 * which has its own copy.
 */
export async function findFailurePhoto(id: string, submitted: OutboxItem | undefined): Promise<File | undefined> {
  const submittedPhoto = submitted?.files.find((file) => file.id === id);
  return (await createDraftFile(id).find()) ?? (submitted && submittedPhoto && readFile(submitted.id, submittedPhoto));
}

/** Returns the photos of answers as files of the item. Throws LostPhotoError. */
async function readPhotos(failures: EnteredFailures, rejected: OutboxItem | undefined): Promise<NewFile[]> {
  const photos = Object.entries(failures).flatMap(([section, { mediaFiles }]) =>
    mediaFiles.map((photo) => ({ ...photo, section })),
  );
  const files = await Promise.all(photos.map(({ id }) => findFailurePhoto(id, rejected)));
  return photos.map(({ section, id, name }, index) => {
    const file = files[index];
    if (!file) throw new LostPhotoError(`The photo ${name} is no longer on this device. Remove it, or add it again.`);
    return { id, slot: 'photo', section, file };
  });
}

type SubmissionOptions = SentNotes & {
  park?: string;
  /** Null for the park as a whole; absent if no one was asked, and from a correction, which keeps its place. */
  place?: CheckedPlace | null | undefined;
  /** The item that the submission corrects, whose photos, place and form it takes over. */
  rejected?: OutboxItem;
};

export async function createChecklistSubmission(
  { id: checklistId, version, title, sections }: Checklist,
  answers: Answers,
  { id: userId, username }: Pick<SessionUser, 'id' | 'username'>,
  id: string,
  { park = '', rejected, place, ...sent }: SubmissionOptions = {},
): Promise<NewItem> {
  const placeId = rejected ? rejected.body.placeId : place === null ? null : place?.id;
  const placeName = rejected ? rejected.place : place?.name;
  const files = await readPhotos({ ...sent.failures, ...sent.notes }, rejected);
  return {
    id,
    userId,
    username,
    kind: 'checklist',
    form: rejected?.form ?? getChecklistFormName(checklistId, place?.id ?? null),
    address: '/checklists',
    title,
    ...(placeName && { place: placeName }),
    park: findAnsweredPark(sections, answers) || park,
    body: {
      checklistId,
      checklistVersion: version,
      data: answers,
      ...sent,
      ...(park && { park }),
      ...(placeId !== undefined && { placeId }),
    },
    sections,
    files,
    // The photos, which the form shows again if the server rejects the checklist.
    drafts: files.map(({ id }) => createDraftFile(id).key),
  };
}

type Body = {
  checklistId: string;
  checklistVersion: number;
  data: Answers;
  park?: string;
} & SentNotes;

/** Returns the version that was filled in, with the answers. */
export function readChecklistSubmission({ title, body, sections = [] }: OutboxItem): {
  checklist: Checklist;
  answers: Answers;
  failures: EnteredFailures;
  park: string | undefined;
} {
  const { checklistId, checklistVersion, data, park, ...sent } = body as Body;
  const checklist = { id: checklistId, title, sections, version: checklistVersion };
  return { checklist, answers: data, failures: readNotes(sent), park };
}

/** Returns the checklist and the place of a form, from its name. */
export function parseChecklistFormName(form: string): { checklistId: string; placeId: PlaceId } {
  const [, checklistId = '', placeId = null] = form.split('/');
  return { checklistId, placeId };
}

/** Returns what was submitted on this device and is waiting to arrive, or has arrived. */
export function listLocalSubmissions({ items, receipts }: Pick<OutboxState, 'items' | 'receipts'>): LocalSubmission[] {
  const waiting = items.filter(({ kind, state }) => kind === 'checklist' && state !== 'refused');
  const sent = receipts.filter(({ kind }) => kind === 'checklist');
  return [...waiting, ...sent].map(toLocalSubmission);
}

export const toLocalSubmission = (entry: OutboxItem | Receipt): LocalSubmission => ({
  ...parseChecklistFormName(entry.form),
  park: entry.park,
  at: 'capturedAt' in entry ? entry.capturedAt : new Date(entry.submittedAt).toISOString(),
});

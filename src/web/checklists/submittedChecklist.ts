// A completed checklist as an outbox item.
import { type Answers, findAnsweredPark } from '#shared/answers.ts';
import type { Checklist } from '#shared/checklists.ts';
import type { Park } from '#shared/park-list.ts';
import type { SessionUser } from '#shared/users.ts';
import { createDraftFile } from '../drafts/draftStore.ts';
import { type NewFile, type OutboxItem, readFile } from '../outbox/items.ts';
import type { NewSubmission } from '../outbox/outbox.ts';
import type { EnteredFailures } from './failures.ts';

export const getFormName = (checklistId: string) => `checklist/${checklistId}`;

/** A photo that this browser stores no longer. The message is for the user. */
export class LostPhotoError extends Error {}

/**
 * A photo that was added to a failing answer. A draft loses its photos after 14 days; a submitted
 * item keeps its own copies.
 */
export async function findPhoto(id: string, submitted: OutboxItem | undefined): Promise<File | undefined> {
  const submittedPhoto = submitted?.files.find((file) => file.id === id);
  return (await createDraftFile(id).find()) ?? (submitted && submittedPhoto && readFile(submitted.id, submittedPhoto));
}

/** Photos of failing answers as files of the item. */
async function readPhotos(failures: EnteredFailures, rejected: OutboxItem | undefined): Promise<NewFile[]> {
  const photos = Object.entries(failures).flatMap(([section, { mediaFiles }]) =>
    mediaFiles.flatMap((photo) => ('id' in photo ? { ...photo, section } : [])),
  );
  const files = await Promise.all(photos.map(({ id }) => findPhoto(id, rejected)));
  return photos.map(({ section, id, name }, index) => {
    const file = files[index];
    if (!file) throw new LostPhotoError(`The photo ${name} is no longer on this device. Remove it, or add it again.`);
    return { id, slot: 'photo', section, file };
  });
}

export async function createSubmission(
  { id: checklistId, version, title, sections }: Checklist,
  answers: Answers,
  { id: userId, username }: Pick<SessionUser, 'id' | 'username'>,
  id: string,
  {
    failures = {},
    park = '',
    rejected,
    placeId = rejected?.body.placeId as string | undefined,
  }: { failures?: EnteredFailures; park?: string; rejected?: OutboxItem; placeId?: string | undefined } = {},
): Promise<NewSubmission> {
  const files = await readPhotos(failures, rejected);
  return {
    id,
    userId,
    username,
    kind: 'checklist',
    form: getFormName(checklistId),
    address: '/checklists',
    title,
    park: findAnsweredPark(sections, answers) || park,
    body: {
      checklistId,
      checklistVersion: version,
      data: answers,
      ...(Object.keys(failures).length > 0 && { failures }),
      ...(park && { park }),
      ...(placeId && { placeId }),
    },
    sections,
    files,
    // The form's values, in case the server rejects the checklist.
    drafts: files.map(({ id }) => createDraftFile(id).key),
  };
}

/** The version that was filled in, with the answers. */
export function readSubmission({ title, body, sections = [] }: OutboxItem): {
  checklist: Checklist;
  answers: Answers;
  failures: EnteredFailures;
  park: Park | undefined;
} {
  const {
    checklistId,
    checklistVersion,
    data,
    failures = {},
    park,
  } = body as {
    failures?: EnteredFailures;
    checklistId: string;
    checklistVersion: number;
    data: Answers;
    park?: Park;
  };
  return { checklist: { id: checklistId, title, sections, version: checklistVersion }, answers: data, failures, park };
}

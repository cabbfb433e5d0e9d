// A completed checklist as an outbox item.
import { type Answers, findAnsweredPark } from '#shared/answers.ts';
import type { Checklist } from '#shared/checklists.ts';
import type { SessionUser } from '#shared/users.ts';
import { createDraftFile } from '../drafts/draftStore.ts';
import type { NewFile, OutboxItem } from '../outbox/items.ts';
import type { NewSubmission } from '../outbox/outbox.ts';
import type { TypedFailures } from './failures.ts';

export const getFormName = (checklistId: string) => `checklist/${checklistId}`;

/** Photos of failing answers as files of the item; one that this browser has lost is left out. */
async function readPhotos(failures: TypedFailures): Promise<NewFile[]> {
  const photos = Object.entries(failures).flatMap(([section, { mediaFiles }]) =>
    mediaFiles.flatMap((photo) => ('id' in photo ? { section, id: photo.id } : [])),
  );
  const files = await Promise.all(photos.map(({ id }) => createDraftFile(id).find()));
  return photos.flatMap(({ section, id }, index) => {
    const file = files[index];
    return file ? [{ id, slot: 'photo' as const, section, file }] : [];
  });
}

export async function createSubmission(
  { id: checklistId, version, title, sections }: Checklist,
  answers: Answers,
  { id: userId, username }: Pick<SessionUser, 'id' | 'username'>,
  id: string,
  { failures = {}, park = '' }: { failures?: TypedFailures; park?: string } = {},
): Promise<NewSubmission> {
  const files = await readPhotos(failures);
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
  failures: TypedFailures;
} {
  const {
    checklistId,
    checklistVersion,
    data,
    failures = {},
  } = body as {
    failures?: TypedFailures;
    checklistId: string;
    checklistVersion: number;
    data: Answers;
  };
  return { checklist: { id: checklistId, title, sections, version: checklistVersion }, answers: data, failures };
}

// The completion of an audit as an outbox item.
import type { Audit } from '#shared/audits.ts';
import type { SessionUser } from '#shared/users.ts';
import { getDraftPrefix } from '../drafts/draftStore.ts';
import { formNames, outboxForms } from '../formNames.ts';
import { newUuid } from '../newUuid.ts';
import { doneSection, type NewItem, type OutboxItem } from '../outbox/items.ts';
import { readPhotos } from '../outbox/readPhotos.ts';
import { createChange } from './auditChange.ts';
import { toFiles } from './new/auditDraft.ts';
import type { AuditEdits, AuditFields, useAuditEdits } from './useAuditEdits.ts';

export const getEditsFormName = formNames.auditEdits;
/** The key of the unsaved changes in the browser's database, by which their photos are prepared too. */
export const getEditsKey = (userId: string, auditId: string) => getDraftPrefix(userId) + getEditsFormName(auditId).name;
export const getCompletionFormName = outboxForms.completion;

/** Creates the outbox item with all unsaved changes; their draft is kept until the item has arrived. */
export function createCompletion(
  audit: Audit,
  { changes, values, version, uploaded }: ReturnType<typeof useAuditEdits>,
  { id: userId, username }: Pick<SessionUser, 'id' | 'username'>,
  base = audit,
): NewItem {
  const photos = changes.photos ?? [];
  const { done_note: text = '', done_photos = [] } = changes;
  const { data, ...fields } = createChange(Object.keys(changes) as (keyof AuditFields)[], values, base, []);
  const media_files = base.data.media_files;
  const form = getCompletionFormName(audit.id);
  return {
    id: newUuid(),
    userId,
    username,
    kind: 'completion',
    form,
    address: `/${form}`,
    title: values.title || audit.title,
    park: audit.park,
    recordId: audit.id,
    body: {
      ...fields,
      data: {
        ...data,
        completed: true,
        ...(photos.length > 0 && { media_files }),
        ...((text.trim() || done_photos.length > 0) && { done: { text } }),
      },
      version: base === audit ? version : base.version,
    },
    files: [...toFiles(photos, uploaded), ...toFiles(done_photos).map((file) => ({ ...file, section: doneSection }))],
    drafts: [getEditsKey(userId, audit.id)],
  };
}

type Body = { version: number; data: Record<string, unknown> & { done?: { text: string } }; placeId?: string };

/** Returns the changes sent with the completion, as the screen's fields hold them. */
export async function readEdits(item: OutboxItem): Promise<AuditEdits> {
  const { version, data, placeId: _, ...fields } = item.body as Body;
  const { media_files: __, completed: ___, done, ...details } = data;
  const [photos, donePhotos] = await Promise.all([
    readPhotos(item, ({ section }) => section === undefined),
    readPhotos(item, ({ section }) => section === doneSection),
  ]);
  const changed = Object.entries({ ...fields, ...details }).map(([name, value]) => [name, value ?? '']);
  return {
    version,
    changes: {
      ...Object.fromEntries(changed),
      ...(photos.length > 0 && { photos }),
      ...(done && { done_note: done.text, done_photos: donePhotos }),
    },
    uploaded: {},
  };
}

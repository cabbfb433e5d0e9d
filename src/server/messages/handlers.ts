import { maxListedMessages, messagesPerPage, needsReasonMessage } from '#shared/places/messages.ts';
import { hasVisibleText } from '#shared/text.ts';
import { assertNoBackup } from '../db/purge-pause.ts';
import { createFieldError, HttpError } from '../errors/http-error.ts';
import { getFilePath } from '../files/upload-path.ts';
import type { Handlers } from '../http/handler-context.ts';
import { requireReportNumbered } from '../reports/queries/report-by-number.ts';
import { deleteUploadRows } from '../uploads/store.ts';
import { listGroup, listOpenMessages } from './list.ts';
import { closeMessage, findMessage, getMessageLabel, listClosed, requireMessage, setRead } from './store.ts';

export const messageHandlers = {
  async listMessages({ db, user, query: { park, closed, group, hurt, page } }) {
    const limit = page === undefined ? maxListedMessages : messagesPerPage;
    const range = { park, limit, offset: ((page ?? 1) - 1) * limit };
    if (group !== undefined) return listGroup(db, user, { ...range, group });
    if (!closed) return listOpenMessages(db, user, { ...range, hurt });
    return (await listClosed(db, user, range)).map((message) => ({ ...message, group: null }));
  },

  /** Marks the message as read. */
  async getMessage({ db, user, params, now, logActivity, writeTransaction }) {
    const message = await requireMessage(db, user, params.id);
    const entry = {
      action: 'opened',
      thing: 'message',
      thing_id: message.id,
      label: getMessageLabel(message),
    } as const;
    if (message.read_at) {
      await logActivity(entry);
      return message;
    }
    return writeTransaction(async (db, logActivity) => {
      await setRead(db, message.id, { by: user, now });
      logActivity(entry);
      return requireMessage(db, user, message.id);
    });
  },

  closeMessage: ({ body: { number, reason, answer }, params, user, now, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      const message = await requireMessage(db, user, params.id);
      const report = number ? await requireReportNumbered(db, number) : undefined;
      await closeMessage(db, logActivity, message, { reason, answer, report_id: report?.id, by: user, now });
    }),

  closeMessages: ({ body: { messages, reason, answer }, user, now, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      let changed = 0;
      for (const [index, each] of messages.entries()) {
        const message = await findMessage(db, user, each.id);
        if (!message?.isOpen) continue;
        const wasHurt = message.hurt === 'hurt';
        if (wasHurt && !hasVisibleText(each.reason))
          throw createFieldError(`messages.${index}.reason`, needsReasonMessage);
        const closing = { reason: each.reason || reason, answer, by: user, now };
        await closeMessage(db, logActivity, message, closing);
        changed += 1;
      }
      return { changed, skipped: messages.length - changed };
    }),

  async removeMessagePhoto({ body: { path }, params, user, now, files, previews, writeTransaction }) {
    await writeTransaction(async (db, logActivity) => {
      await assertNoBackup(db, now);
      const message = await requireMessage(db, user, params.id);
      const photos = message.photos.filter((photo) => photo.path !== path);
      if (photos.length === message.photos.length) throw new HttpError(404, 'Photo not found');
      await db
        .updateTable('guest_messages')
        .set({ media_files: JSON.stringify(photos), photo_removed: 1 })
        .where('id', '=', message.id)
        .execute();
      await deleteUploadRows(db, [path]);
      logActivity({
        action: 'removed a photo of',
        thing: 'message',
        thing_id: message.id,
        label: getMessageLabel(message),
      });
    });
    await files.remove(getFilePath(path));
    await previews.store.remove(getFilePath(path));
  },
} satisfies Partial<Handlers>;

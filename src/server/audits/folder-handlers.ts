import type { Viewer } from '#shared/access.ts';
import { diffFields } from '../db/diff-fields.ts';
import type { Database } from '../db/schema.ts';
import { insertDeletion } from '../deletions/bin/deletions.ts';
import { createStaleError, required } from '../errors/http-error.ts';
import type { Handlers } from '../http/handler-context.ts';
import { newId } from '../ids.ts';
import { deleteLinksOfFolder } from '../places/links/place-links.ts';
import type { NewUpload } from '../uploads/store.ts';
import { attachUploads, insertUpload, replaceAttachments } from '../uploads/store.ts';
import { storeImage } from '../uploads/store-image.ts';
import { assertCanUsePark } from '../user-parks.ts';
import { findFolder, insertFolder, listFolders, updateFolder } from './folders.ts';
import { notifyOfDeletion } from './notices.ts';
import { deleteFolder } from './soft-delete.ts';
import { listAuditsWithSource } from './store.ts';

const toUploadOwner = (id: string) => ({ attached_to: 'folder', attached_id: id }) as const;

export const folderHandlers = {
  listFolders: ({ db, user }) => listFolders(db, user),

  async createFolder(context) {
    const { body, user, now, writeTransaction } = context;
    assertCanUsePark(user, body.park);
    const id = newId();
    const create = (thumbnail?: NewUpload) =>
      writeTransaction(async (db, logActivity) => {
        if (thumbnail) {
          await insertUpload(db, thumbnail);
          await attachUploads(db, [{ path: thumbnail.path }], user.id, toUploadOwner(id));
        }
        await insertFolder(db, { ...body, id, thumbnail: thumbnail?.path ?? null, by: user, now });
        logActivity({ action: 'created', thing: 'folder', thing_id: id, label: body.name });
        return { success: true, id } as const;
      });
    // Browsers send an empty, nameless file when no file was chosen.
    const { file } = context;
    if (!file || (file.name === '' && file.size === 0)) return create();
    await context.space.check('upload');
    return storeImage(context, { file, use: 'thumbnail', userId: user.id, now }, create);
  },

  async getFolder({ db, user, params }) {
    return requireFolder(db, user, params.id);
  },

  async updateFolder({ body, user, params, writeTransaction }) {
    return writeTransaction(async (db, logActivity) => {
      const before = await requireFolder(db, user, params.id);
      assertCanUsePark(user, body.park);
      const { version = before.version, name, description, park } = body;
      const thumbnail = body.thumbnail === undefined ? before.thumbnail : body.thumbnail || null;
      const after = { ...before, name, description, park, thumbnail };
      if (version !== before.version) throw createStaleError('Someone else has changed this folder', before);
      await updateFolder(db, before.id, { name, description, park, thumbnail, version: version + 1 });
      if (park !== before.park) await deleteLinksOfFolder(db, before.id);
      await replaceAttachments(db, thumbnail ? [{ path: thumbnail }] : [], user.id, toUploadOwner(before.id));
      logActivity({
        action: 'changed',
        thing: 'folder',
        thing_id: before.id,
        label: name,
        changes: diffFields(before, after),
      });
    });
  },

  async deleteFolder({ user, params, now, writeTransaction }) {
    return writeTransaction(async (db, logActivity) => {
      const { id, name, park } = await requireFolder(db, user, params.id);
      const record = { thing: 'folder', thing_id: id, label: name } as const;
      const deletionId = await insertDeletion(db, { ...record, park, by: user, now });
      await notifyOfDeletion(db, now, await listAuditsWithSource(db, id), park);
      const audits = await deleteFolder(db, id, deletionId);
      logActivity({ action: 'deleted', ...record, changes: { audits } });
    });
  },
} satisfies Partial<Handlers>;

export const requireFolder = async (db: Database, user: Viewer, id: string) =>
  required(await findFolder(db, user, id), 'Folder not found');

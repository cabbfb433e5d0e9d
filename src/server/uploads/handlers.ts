import type { Api } from '#shared/api.ts';
import type { Database } from '../db/schema.ts';
import { HttpError } from '../errors/http-error.ts';
import type { HandlerContext, Handlers } from '../http/handler-context.ts';
import { assertDailyUploadLimit } from './limits.ts';
import { countUnattached, insertUpload } from './store.ts';
import { storeImage } from './store-image.ts';

const maxUnattached = { files: 100, bytes: 100 * 1024 * 1024 };

export const uploadHandlers = {
  async uploadImage(context) {
    const { user, file, query, now, writeTransaction } = context;
    await context.space.check('upload');
    await assertUploadLimits(context.db, context);
    return storeImage(context, { file, use: query.use ?? 'photo', userId: user.id, now }, (upload) =>
      writeTransaction(async (db) => {
        // Check again inside the transaction, in which no other upload can be inserted.
        await assertUploadLimits(db, context);
        await insertUpload(db, upload);
        return {
          success: true,
          filePath: upload.path,
          fileName: upload.label,
          fileSize: upload.size,
          fileType: upload.type,
        };
      }),
    );
  },
} satisfies Partial<Handlers>;

async function assertUploadLimits(db: Database, context: HandlerContext<Api['uploadImage']>): Promise<void> {
  const unattached = await countUnattached(db, context.user.id);
  if (unattached.files >= maxUnattached.files || unattached.bytes >= maxUnattached.bytes)
    throw new HttpError(
      429,
      'You have too many photos that are not attached to anything. Submit those forms first. Unused photos are deleted after 3 days.',
      { retryAfter: 3600 },
    );
  await assertDailyUploadLimit(db, context, 1);
}

// Serves uploaded files to users who may see the record they belong to.
import type { FastifyInstance } from 'fastify';
import { uploadPathPattern } from '#shared/uploads.ts';
import type { Database } from '../db/schema.ts';
import { writeLogEntry } from '../db/write-transaction.ts';
import { HttpError } from '../errors/http-error.ts';
import { getFilePath } from '../files/upload-path.ts';
import { getActor } from '../http/actor.ts';
import { authorise } from '../http/authorise.ts';
import { parseRange } from '../http/byte-range.ts';
import type { Services } from '../http/handler-context.ts';
import { getImageType } from '../image-type.ts';
import type { SignedInUser } from '../sign-in/session/session.ts';
import { findUpload, type UploadRow } from './store.ts';

const createNotFoundError = () => new HttpError(404, 'Not found');

type CanReadUpload = (db: Database, upload: UploadRow, user: SignedInUser) => Promise<boolean>;

export function registerUploadRoute(server: FastifyInstance, services: Services, canRead: CanReadUpload): void {
  const { db, files, previews, clock } = services;
  server.get(
    '/uploads/*',
    { onRequest: (request) => authorise(services, { access: 'signedIn', path: '/uploads' }, request) },
    async (request, reply) => {
      const user = request.user as SignedInUser;
      const [path = '', search = ''] = request.url.split('?');
      const upload = uploadPathPattern.test(path) ? await findUpload(db, path) : undefined;
      if (!upload || !(await canRead(db, upload, user))) throw createNotFoundError();
      const query = new URLSearchParams(search);
      if (query.has('thumb')) {
        const preview = await previews.read(upload.path, user.id);
        if (!preview) throw createNotFoundError();
        return reply.type(getImageType(preview) === 'jpg' ? 'image/jpeg' : 'image/webp').send(preview);
      }
      // With If-Range send the whole file: it requests a part of a certain version, but uploads
      // have no versions.
      const range = parseRange(request.headers['if-range'] ? undefined : request.headers.range, upload.size);
      if (range === 'none') {
        reply.header('content-range', `bytes */${upload.size}`);
        throw new HttpError(416, 'The requested range is outside the file');
      }
      // Log that a photo was opened only with the first part of it.
      if (upload.attached_to === 'report' && !range?.start)
        await writeLogEntry(db, getActor(request), clock(), {
          action: 'opened a photo',
          thing: 'report',
          thing_id: upload.attached_id,
          label: upload.label,
        });
      const file = await files.open(getFilePath(upload.path), range);
      if (!file) throw createNotFoundError();
      const name = path.slice(path.lastIndexOf('/') + 1);
      if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${file.size}`);
      return reply
        .type(upload.type)
        .header('accept-ranges', 'bytes')
        .header('content-length', range ? range.end - range.start + 1 : file.size)
        .header('content-disposition', `${query.has('download') ? 'attachment' : 'inline'}; filename="${name}"`)
        .send(file.stream);
    },
  );
}

// Reading an uploaded file: found by its row, never by the address alone, and only by those its owner lets see it.
import type { FastifyInstance } from 'fastify';
import { isAllowed } from '#shared/access.ts';
import { uploadPath } from '#shared/uploads.ts';
import { canSeeAudit, canSeeFolder } from '../audits/scope.ts';
import { change } from '../db/change.ts';
import type { Database } from '../db/schema.ts';
import type { Services } from '../http/call.ts';
import { Refusal } from '../http/errors.ts';
import { actorOf, admit } from '../http/serve.ts';
import type { SignedIn } from '../http/session.ts';
import { findReport } from '../reports/store.ts';
import { findUpload, type UploadRow } from './store.ts';
import { fileOf } from './take.ts';

const notFound = () => new Refusal(404, 'Not found');

export function serveUploads(server: FastifyInstance, services: Services): void {
  const { db, files, previews, clock } = services;
  server.get(
    '/uploads/*',
    { onRequest: (request) => admit(services, { who: 'signedIn', path: '/uploads' }, request) },
    async (request, reply) => {
      const user = request.user as SignedIn;
      const [path = '', search = ''] = request.url.split('?');
      const upload = uploadPath.test(path) ? await findUpload(db, path) : undefined;
      if (!upload || !(await canRead(db, upload, user))) throw notFound();
      const query = new URLSearchParams(search);
      if (query.has('thumb')) {
        const preview = await previews.read(upload.path, user.id);
        if (!preview) throw notFound();
        return reply.type('image/webp').send(preview);
      }
      if (upload.attached_to === 'report')
        await change(db, actorOf(request), clock(), async (_, note) =>
          note({ action: 'opened a photo', thing: 'report', thing_id: upload.attached_id, label: upload.label }),
        );
      const file = await files.open(fileOf(upload.path));
      if (!file) throw notFound();
      const name = path.slice(path.lastIndexOf('/') + 1);
      return reply
        .type(upload.type)
        .header('content-length', file.size)
        .header('content-disposition', `${query.has('download') ? 'attachment' : 'inline'}; filename="${name}"`)
        .send(file.stream);
    },
  );
}

/** Loose: who uploaded it. On a report: reviewers. In an audit or on a folder: whoever sees the folder's park. On what was deleted: nobody. */
async function canRead(db: Database, upload: UploadRow, user: SignedIn): Promise<boolean> {
  const { attached_to, attached_id } = upload;
  if (attached_to === null || attached_id === null) return upload.uploaded_by === user.id;
  if (attached_to === 'report')
    return isAllowed('reviewer', user.role) && (await findReport(db, attached_id)) !== undefined;
  if (attached_to === 'folder') return canSeeFolder(db, user, attached_id);
  return canSeeAudit(db, user, attached_id);
}

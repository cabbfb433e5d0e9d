// The baseline: Fastify routes that run the same SQL on the same kind of database, and nothing
// else.
import Fastify from 'fastify';
import type { NewReport } from '#shared/reports/reports.ts';
import { appendActivity, lockActivity } from '../src/server/db/activity-log.ts';
import { connect } from '../src/server/db/connect.ts';
import { migrate } from '../src/server/db/migrate.ts';
import { newId } from '../src/server/ids.ts';
import { insertReport, listReports } from '../src/server/reports/store.ts';
import { attachUploads, toMediaFile } from '../src/server/uploads/store.ts';

const db = await connect({ databaseUrl: '', dataDir: process.env.DATA_DIR ?? '' });
await migrate(db);
const users = await db.selectFrom('users').select(['id', 'username']).execute();
const byId = new Map(users.map((user) => [user.id, user]));
const server = Fastify();

server.post<{ Body: NewReport }>('/submit', async ({ body, headers }, reply) => {
  const by = byId.get(String(headers['x-writer']));
  if (!by) throw new Error('No such writer.');
  const id = newId();
  const now = new Date();
  const savedReport = await db.transaction().execute(async (db) => {
    const head = await lockActivity(db);
    const files = [...body.mediaFiles, body.signature, body.affectedUserSignature];
    const uploads = await attachUploads(db, files, by.id, { attached_to: 'report', attached_id: id });
    const mediaFiles = uploads.slice(0, body.mediaFiles.length).map((upload) => toMediaFile(upload, upload.label));
    const savedReport = await insertReport(db, {
      id,
      reportType: 'accident',
      report: body,
      mediaFiles,
      fingerprint: '',
      by,
      now,
    });
    await appendActivity(db, head, [
      {
        actor: { ...by, name: by.username, ip: '', requestId: '' },
        now,
        entry: { action: 'filed', thing: 'report', thing_id: id },
      },
    ]);
    return savedReport;
  });
  return reply.code(201).send(savedReport);
});
server.get('/newest', () => listReports(db, {}, 50));

await server.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`Ready at http://127.0.0.1:${(server.server.address() as { port: number }).port}\n`);

// Attacks with audits: copies of photos, an audit with many notes, and a user with many sessions.
import { signIn } from '../product.ts';
import { type Attack, pickCookie, readJson, repeatUntilEnd, send, sendGet } from './attack-tools.ts';

type Report = { selectedPlace: string; mediaFiles: { path: string }[] };
type Folder = { id: string; park: string };

export const auditAttacks: Record<string, Attack> = {
  'audits that each copy 20 photos, 10 at once': {
    run: async (target) => {
      const { largestReportId: id, admin } = target;
      const report = await readJson<Report>(target, `/api/reports/${id}`, admin);
      const folders = await readJson<Folder[]>(target, '/api/audit-folders', admin);
      const folder_id = folders?.find(({ park }) => park === report?.selectedPlace)?.id;
      const source = { thing: 'report', id, photos: report?.mediaFiles.map(({ path }) => path) };
      const body = JSON.stringify({ folder_id, title: 'Copied', source });
      await repeatUntilEnd(10, () => send(target, { path: '/api/audits', cookie: admin, body }));
    },
  },
  'two audits with 1,000 notes of 20 KB each, read and printed 12 at once': {
    run: async (target) => {
      const { ids, folderId } = target.auditsWithNotes;
      const cookies = [target.admin, target.reviewers[0] ?? ''];
      const paths = ids.flatMap((id) => [`/api/audits/${id}/notes`, `/api/audit-pdf/${id}`]);
      paths.push(`/api/audits/folder/${folderId}`);
      await repeatUntilEnd(12, (index) =>
        sendGet(target, paths[index % paths.length] ?? '', pickCookie(cookies, index)),
      );
    },
  },
  'the open audits, asked for in ten sessions of one user': {
    run: async (target) => {
      const url = `http://${target.host}:${target.port}`;
      const cookies = await Promise.all(Array.from({ length: 10 }, () => signIn(url)));
      await repeatUntilEnd(20, (index) => sendGet(target, '/api/audits?limit=200', pickCookie(cookies, index)));
    },
  },
};

// Attacks with audits: copies of photos, an audit with many notes, and a user with many sessions.
import { password } from '../product.ts';
import { type Attack, pickCookie, readJson, repeatUntilEnd, send, sendGet, type Target } from './attack-tools.ts';

type Audit = { id: string; folder_id: string };
type Report = { selectedPlace: string; mediaFiles: { path: string }[] };
type Folder = { id: string; park: string };

/** A note of the longest text, 10 KB. */
const noteBody = JSON.stringify({ text: 'ŵ '.repeat(2499) });

const findAudit = async (target: Target): Promise<Audit> =>
  (await readJson<Audit[]>(target, '/api/audits?limit=1', target.reviewers[0] ?? ''))?.[0] ?? { id: '', folder_id: '' };

async function signIn({ host, port }: Target): Promise<string> {
  const response = await fetch(`http://${host}:${port}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  });
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

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
  'an audit with 500 notes of 10 KB, read and printed 12 at once': {
    run: async (target) => {
      const { id, folder_id } = await findAudit(target);
      const cookies = [target.admin, target.reviewers[0] ?? ''];
      let notes = 0;
      const addNote = () => {
        notes += 1;
        return send(target, { path: `/api/audits/${id}/notes`, cookie: target.reviewers[0] ?? '', body: noteBody });
      };
      const paths = [`/api/audits/${id}/notes`, `/api/audit-pdf/${id}`, `/api/audits/folder/${folder_id}`];
      await repeatUntilEnd(12, (index) =>
        notes < 500 ? addNote() : sendGet(target, paths[index % 3] ?? '', pickCookie(cookies, index)),
      );
    },
  },
  'the open audits, asked for in ten sessions of one user': {
    run: async (target) => {
      const cookies = await Promise.all(Array.from({ length: 10 }, () => signIn(target)));
      await repeatUntilEnd(20, (index) => sendGet(target, '/api/audits?limit=200', pickCookie(cookies, index)));
    },
  },
};

// Simulates a user's working day with the requests that the screens send.
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Audit, Folder, ListedAudit } from '#shared/audits.ts';
import type { Checklist, SectionType, Submission } from '#shared/checklists.ts';
import type { Report } from '#shared/reports/reports.ts';
import type { Upload } from '#shared/uploads.ts';
import { previewUrl } from '#shared/uploads.ts';
import { createReportBody } from '../../src/server/testing/factories.ts';
import type { Client, Photo } from './client.ts';

export type Person = { username: string; isReviewer: boolean; park: string };

/** Records that all users work with. */
export type TestData = {
  photo: Photo;
  signature: Photo;
  signatureUrl: string;
  /** The ids of reports with ten photos. */
  reportsWithTenPhotos: string[];
  /** The average pause between two steps of a user. */
  thinkMs: number;
};

/** How often a screen asks for the number of unread notifications. */
const pollMs = 8000;

type Task = { client: Client; person: Person; testData: TestData; pause(): Promise<void> };

const pickRandom = <T>(list: readonly T[]): T | undefined => list[Math.floor(Math.random() * list.length)];
const searchQueries = [
  'pool',
  'gas ladder',
  'gwenllian',
  'kitchen wet',
  'ambulance',
  'jones',
  'plot 12',
  'boiler',
  'lido',
];
const createRandomReportNumber = () => `2015-${1000 + Math.floor(Math.random() * 9000)}`;

async function readReports({ client, testData, pause }: Task) {
  const reportType = pickRandom(['accident', 'incident']);
  const path = `/api/get-reports?reportType=${reportType}&limit=50`;
  const [page] = await Promise.all([
    client.json<Report[]>('reports, newest 50', { path }),
    client.send('reports, months', { path: `/api/report-months?reportType=${reportType}` }),
  ]);
  await pause();
  const last = page?.at(-1);
  if (last) await client.send('reports, next 50', { path: `${path}&after=${last.id}` });
  await pause();
  const chosen = Math.random() < 0.3 ? pickRandom(testData.reportsWithTenPhotos) : pickRandom(page ?? [])?.id;
  if (chosen) await openReport(client, chosen);
}

async function openReport(client: Client, id: string) {
  const report = await client.json<Report>('one report', { path: `/api/reports/${id}` });
  await loadThumbnails(client, report?.mediaFiles.map(({ path }) => path) ?? []);
}

const loadThumbnails = (client: Client, paths: string[]) =>
  Promise.all(paths.map((path) => client.send('thumbnail', { path: previewUrl(path) })));

async function search({ client, pause }: Task) {
  const q = encodeURIComponent(Math.random() < 0.2 ? createRandomReportNumber() : (pickRandom(searchQueries) ?? ''));
  const matchingReports = await client.json<Report[]>('search', { path: `/api/get-reports?q=${q}&limit=50` });
  await pause();
  const chosen = pickRandom(matchingReports ?? []);
  if (chosen) await openReport(client, chosen.id);
}

async function readPdf({ client, testData }: Task) {
  await client.send('PDF, 10 photos', { path: `/api/report-pdf/${pickRandom(testData.reportsWithTenPhotos)}` });
}

async function reviewChecklists({ client, pause }: Task) {
  const page = await client.json<Submission[]>('submissions, newest 50', {
    path: '/api/admin/submitted-checklists?limit=50',
  });
  await pause();
  const chosen = pickRandom(page ?? []);
  if (chosen) await client.send('one submission', { path: `/api/admin/submitted-checklists/${chosen.id}` });
}

async function upload(client: Client, photo: Photo, use: 'photo' | 'signature') {
  const kind = use === 'photo' ? 'upload a photo, 0.8 MB' : 'upload a signature';
  const path = `/api/upload/image?use=${use}`;
  return (await client.json<Upload>(kind, { method: 'POST', path, photo, key: randomUUID() }))?.filePath;
}

async function submitReport({ client, person, testData, pause }: Task) {
  const photos = [await upload(client, testData.photo, 'photo')];
  if (Math.random() < 0.5) photos.push(await upload(client, testData.photo, 'photo'));
  await pause();
  const [signature, affected] = [
    await upload(client, testData.signature, 'signature'),
    await upload(client, testData.signature, 'signature'),
  ];
  if (!signature || !affected || photos.includes(undefined)) return;
  await pause();
  await client.send('submit a report', {
    method: 'POST',
    path: Math.random() < 0.5 ? '/api/submit-accident' : '/api/submit-incident',
    key: randomUUID(),
    json: {
      ...createReportBody('', signature, affected),
      selectedPlace: person.park || 'Lido Beach',
      date: new Date().toISOString().slice(0, 10),
      time: '00:01',
      details: 'Slipped on the wet step by the pool. A first aider attended. '.repeat(4),
      mediaFiles: photos.map((path) => ({ path, name: 'pool.jpg' })),
    },
  });
}

async function workOnAudits({ client, testData, pause }: Task) {
  const folders = await client.json<Folder[]>('audit folders', { path: '/api/audit-folders' });
  const folder = pickRandom(folders ?? []);
  if (!folder) return;
  await pause();
  const path = `/api/audits/folder/${folder.id}`;
  const audits = await client.json<ListedAudit[]>("a folder's audits", { path });
  await pause();
  const shown = pickRandom(audits ?? []);
  if (shown) {
    const audit = await client.json<Audit>('one audit', { path: `/api/audits/${shown.id}` });
    await loadThumbnails(client, audit?.data.media_files.map((file) => file.path) ?? []);
  }
  await pause();
  const json = { folder_id: folder.id, title: 'Check the extinguishers', location: 'Clubhouse', date: '2026-03-20' };
  const created = await client.json<{ id: string }>('create an audit', {
    method: 'POST',
    path: '/api/audits',
    json,
    key: randomUUID(),
  });
  if (!created) return;
  await pause();
  const photo = Math.random() < 0.3 ? await upload(client, testData.photo, 'photo') : undefined;
  const change = (kind: string, data: object) =>
    client.send(kind, { method: 'PUT', path: `/api/audits/${created.id}`, json: { data } });
  await change('change an audit', {
    description: 'All floors. Note the dates on the tags.',
    ...(photo && { media_files: [{ path: photo, name: 'tag.jpg' }] }),
  });
  await pause();
  await change('complete an audit', { completed: true });
}

async function fillChecklist({ client, person, testData, pause }: Task) {
  const checklists = await client.json<Checklist[]>('checklists', { path: '/api/checklists' });
  // Those whose answers are the same for all questions of a type.
  const checklist = pickRandom(checklists?.filter((one) => !/"(number|choices)":/.test(JSON.stringify(one))) ?? []);
  if (!checklist) return;
  await pause();
  await submitChecklist(client, checklist, testData, person);
}

async function viewChecks({ client }: Task) {
  await client.send('checks due today', { path: '/api/due-checks' });
}

async function viewAudits({ client, pause }: Task) {
  await client.send('audits assigned to me', { path: '/api/audits?mine=yes' });
  await pause();
  await client.send('all open audits', { path: '/api/audits' });
}

async function readNotifications({ client, pause }: Task) {
  await client.send('notifications', { path: '/api/notifications?limit=50' });
  await pause();
  await client.send('mark all read', { method: 'POST', path: '/api/notifications/read-all', json: {} });
}

async function submitChecklist(
  client: Client,
  checklist: Checklist,
  { signatureUrl }: TestData,
  { park }: Pick<Person, 'park'>,
) {
  const answers: Record<SectionType, string | boolean> = {
    text: 'Checked, all as expected',
    site: park || 'Lido Beach',
    checkbox: true,
    signature: signatureUrl,
    time: '09:30',
    date: '2026-03-20',
    na: 'Yes',
    choice: '',
    choices: '',
    photo: '',
    person: 'Alex Lewis',
    info: '',
  };
  const data = Object.fromEntries(checklist.sections.map(({ type }, index) => [index, answers[type]]));
  const failing = Math.random() < 0.1 ? checklist.sections.findIndex(({ onFail }) => onFail?.when === 'No') : -1;
  if (failing >= 0) data[failing] = 'No';
  const failures = failing >= 0 ? { [failing]: { note: 'To be repaired before it opens' } } : undefined;
  const json = { checklistId: checklist.id, checklistVersion: checklist.version, data, failures };
  return client.send('submit a checklist', { method: 'POST', path: '/api/submit-checklist', json, key: randomUUID() });
}

/** The tasks, each with its weight: how often it occurs compared with the others. */
const tasks: Record<'reviewer' | 'staff', [number, (task: Task) => Promise<unknown>][]> = {
  reviewer: [
    [30, readReports],
    [25, search],
    [15, readPdf],
    [10, reviewChecklists],
    [10, workOnAudits],
    [10, submitReport],
    [5, viewChecks],
    [5, viewAudits],
    [5, readNotifications],
  ],
  staff: [
    [35, submitReport],
    [35, workOnAudits],
    [30, fillChecklist],
    [10, viewChecks],
    [10, viewAudits],
    [10, readNotifications],
  ],
};

/** Runs tasks until `endTime` (by performance.now()), and sometimes signs out and in again. */
export async function simulateUser(
  client: Client,
  person: Person,
  password: string,
  testData: TestData,
  endTime: number,
) {
  let lastPollAt = 0;
  const pause = async () => {
    const remainingMs = endTime - performance.now();
    if (remainingMs > 0) await wait(Math.min(remainingMs, -Math.log(1 - Math.random()) * testData.thinkMs));
    if (performance.now() - lastPollAt < pollMs) return;
    lastPollAt = performance.now();
    await client.send('unread notifications', { path: '/api/notifications/count' });
  };
  const task = { client, person, testData, pause };
  if (!(await client.signIn(person.username, password))) return;
  while (performance.now() < endTime) {
    await client.send('session', { path: '/api/protected' });
    await pickWeighted(tasks[person.isReviewer ? 'reviewer' : 'staff'])(task);
    await pause();
    if (Math.random() < 0.05) {
      await client.send('sign out', { method: 'POST', path: '/api/logout', json: {} });
      await client.signIn(person.username, password);
    }
  }
}

function pickWeighted<T>(weightedChoices: [number, T][]): T {
  let at = Math.random() * weightedChoices.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, chosen] of weightedChoices) {
    at -= weight;
    if (at < 0) return chosen;
  }
  return (weightedChoices[0] as [number, T])[1];
}

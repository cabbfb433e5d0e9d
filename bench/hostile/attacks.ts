// The attacks: what one hostile user can do within the default limits. Each runs until its process
// is killed.
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type Attack,
  attackerAddresses,
  createAnswers,
  createFormWith,
  createHttpHead,
  createJsonMembers,
  createSubmissionBody,
  formContentType,
  formHead,
  holdConnectionsOpen,
  pickCookie,
  readJson,
  repeatPost,
  repeatUntilEnd,
  send,
  sendGet,
  type Target,
} from './attack-tools.ts';
import { auditAttacks } from './audit-attacks.ts';
import { guestAttacks } from './guest-attacks.ts';

const letters = encodeURIComponent('a e i o u n r s t l '.repeat(10).slice(0, 199));
const longWords = encodeURIComponent('slipped first aider attended wet step pool '.repeat(5).slice(0, 199));
const months = '/api/report-months?reportType=accident';
const listNames = ['reports', 'activity', 'submissions', 'audits', 'checks'];

/** Reads repeated in a loop: how many at once, by whom, of which addresses in turn. */
const reads: [string, number, 'staff' | 'reviewers' | 'everyone', (target: Target) => string[], 'short'?][] = [
  ['requests without permission, as fast as possible', 10, 'staff', () => ['/api/get-reports'], 'short'],
  ['the PDF of the largest report', 20, 'reviewers', ({ largestReportId: id }) => [`/api/report-pdf/${id}`]],
  ['month counts', 10, 'reviewers', () => [`${months}&q=pool`]],
  ['searches of 100 letters', 10, 'reviewers', () => [`/api/get-reports?limit=500&q=${letters}`], 'short'],
  ['searches of many long words', 10, 'reviewers', () => [`/api/get-reports?limit=500&q=${longWords}`]],
  ['searches that match nothing', 10, 'reviewers', () => [`${months}&q=zz%20qq%20xx`]],
  ['searches of the activity', 10, 'everyone', () => [`/api/admin/activity?q=${letters}`]],
  ['the whole list', 10, 'reviewers', () => ['/api/get-reports']],
  ['all submissions', 10, 'reviewers', () => ['/api/admin/submitted-checklists']],
  ['URLs that do not exist', 30, 'everyone', () => Array.from({ length: 1000 }, () => `/api/${randomUUID()}`)],
  ['notifications', 30, 'everyone', () => ['/api/notifications', '/api/notifications/count']],
  [
    'the overview of changing periods',
    10,
    'reviewers',
    () => [
      '/api/overview?from=0001-01-01&to=0010-12-31',
      '/api/overview?from=2016-02-29&to=2026-02-28',
      `/api/overview?from=2017-01-01&to=2026-12-31&type=${encodeURIComponent('ŵ'.repeat(120))}`,
    ],
  ],
  [
    'exports of everything',
    10,
    'everyone',
    () => listNames.flatMap((name) => ['csv', 'xlsx'].map((format) => `/api/export/${name}?format=${format}`)),
    'short',
  ],
  ['previews', 30, 'reviewers', ({ photoUrl }) => [`${photoUrl}?thumb=1`]],
];

const readAttacks = Object.fromEntries(
  reads.map(([name, maxConcurrent, who, listPaths, short]): [string, Attack] => [
    `${name}, ${maxConcurrent} at once`,
    {
      isShort: short !== undefined,
      run(target) {
        const { staff, reviewers, admin } = target;
        const cookies = { staff, reviewers, everyone: [admin, ...reviewers, ...staff] }[who];
        const paths = listPaths(target);
        let count = 0;
        return repeatUntilEnd(maxConcurrent, (index) => {
          count += 1;
          return sendGet(target, paths[count % paths.length] ?? '', pickCookie(cookies, index));
        });
      },
    },
  ]),
);

/** Bodies of a new report that are costly to read. */
const bodies: Record<string, string> = {
  'JSON nested 60,000 levels deep': '['.repeat(60_000),
  'text of JSON escapes only': `{"details":"${'\\"'.repeat(60_000)}"}`,
};
const bodyAttacks = Object.fromEntries(
  Object.entries(bodies).map(([name, body]): [string, Attack] => [
    name,
    { run: (target) => repeatPost(target, 10, target.staff, '/api/submit-accident', body) },
  ]),
);

export const attacks: Record<string, Attack> = {
  ...auditAttacks,
  ...guestAttacks,
  ...readAttacks,
  ...bodyAttacks,
  'checklists with 380,000 JSON members, 30 at once': {
    isShort: true,
    run(target) {
      const body = `{"checklistId":"a","data":{${createJsonMembers(380_000)}}}`;
      return repeatPost(target, 30, target.staff, '/api/submit-checklist', body);
    },
  },
  'sign-ins with 33,000 JSON members, without a session': {
    isShort: true,
    run: (target) => {
      const body = `{"username":{${createJsonMembers(33_000)}}}`;
      return repeatUntilEnd(30, () => send(target, { path: '/api/login', body }));
    },
  },
  '32 uploads of one user that never end': {
    isShort: true,
    run: (target) =>
      holdConnectionsOpen(target, 32, {
        firstText:
          createHttpHead(
            'POST /api/upload/image',
            `Cookie: ${target.staff[0]}`,
            `Content-Type: ${formContentType}`,
            'Content-Length: 10000000',
          ) + formHead,
        repeatedText: 'a'.repeat(2000),
        intervalMs: 1000,
      }),
  },
  '40 PNGs of 49 megapixels': {
    isShort: true,
    run: (target) => {
      const body = createFormWith(target.files.heavyPng);
      return repeatUntilEnd(40, () =>
        send(target, { path: '/api/upload/image', cookie: target.staff[0] ?? '', body, contentType: formContentType }),
      );
    },
  },
  '1,200 idle connections': { isShort: true, run: (target) => holdConnectionsOpen(target, 1200, {}) },
  '500 slow readers of the whole list': {
    isShort: true,
    run: (target) =>
      holdConnectionsOpen(target, 500, {
        firstText: createHttpHead('GET /api/get-reports', `Cookie: ${target.reviewers[0]}`, 'Accept-Encoding: br'),
        isReading: false,
      }),
  },
  'checklists with 20 signatures and 180 texts, 10 at once': {
    run: (target) => {
      const data = createAnswers((index) => (index < 180 ? 'x'.repeat(2000) : target.files.signatureUrl));
      const body = createSubmissionBody(target.signatureChecklistId, data);
      return repeatPost(target, 10, target.staff, '/api/submit-checklist', body);
    },
  },
  'checklists with a megabyte of text, 10 at once': {
    isShort: true,
    run: (target) => {
      const body = createSubmissionBody(
        target.textChecklistId,
        createAnswers(() => 'ŵ '.repeat(2500)),
      );
      return repeatPost(target, 10, target.staff, '/api/submit-checklist', body);
    },
  },
  'one answer of 5 MB': {
    run: (target) => {
      const body = createSubmissionBody(target.textChecklistId, { 0: 'ŵ'.repeat(2.4e6) });
      return repeatPost(target, 10, target.staff, '/api/submit-checklist', body);
    },
  },
  'headers that never end, on 600 connections': {
    isShort: true,
    run: (target) =>
      holdConnectionsOpen(target, 600, { firstText: 'GET / HTTP/1.1\r\nHost: a\r\n', repeatedText: 'X: y\r\n' }),
  },
  'sign-ins whose body never ends, on 600 connections': {
    run: (target) =>
      holdConnectionsOpen(target, 600, {
        firstText: `${createHttpHead('POST /api/login', 'Content-Type: application/json', 'Content-Length: 3000')}{`,
        repeatedText: ' ',
      }),
  },
  'photo downloads that are never read to the end': {
    run: (target) =>
      holdConnectionsOpen(target, 400, {
        firstText: createHttpHead(`GET ${target.photoUrl}`, `Cookie: ${target.reviewers[0]}`).repeat(20),
        isReading: false,
      }),
  },
  '1,000 pipelined requests': {
    isShort: true,
    run: (target) =>
      holdConnectionsOpen(target, 20, {
        firstText: createHttpHead('GET /api/protected', `Cookie: ${target.staff[0]}`).repeat(1000),
      }),
  },
  'uploads aborted halfway': {
    run: (target) =>
      repeatUntilEnd(20, async (index) => {
        const clientRequest = request({
          host: target.host,
          port: target.port,
          method: 'POST',
          path: '/api/upload/image',
          agent: false,
          localAddress: attackerAddresses[0] as string,
          headers: {
            cookie: pickCookie(target.staff, index),
            'content-type': formContentType,
            'content-length': 900_000,
          },
        });
        clientRequest.on('error', () => undefined);
        clientRequest.write(formHead);
        clientRequest.write(Buffer.alloc(400_000, 1));
        await wait(30);
        clientRequest.destroy();
        return 200;
      }),
  },
  '50 concurrent requests with one idempotency key': {
    run: (target) => {
      const body = createFormWith(target.files.photo);
      const idempotencyKey = randomUUID();
      return repeatUntilEnd(50, () =>
        send(target, {
          path: '/api/upload/image',
          cookie: target.staff[0] ?? '',
          body,
          contentType: formContentType,
          idempotencyKey,
        }),
      );
    },
  },
  'photos uploaded as fast as possible by 2 users': {
    run: (target) => {
      const body = createFormWith(target.files.photo);
      return repeatPost(target, 40, target.staff, '/api/upload/image', body);
    },
  },
  'files that only look like photos': {
    run: (target) => {
      const body = createFormWith(Buffer.concat([target.files.photo.subarray(0, 2000), Buffer.alloc(9_000_000, 7)]));
      return repeatPost(target, 40, target.staff, '/api/upload/image', body);
    },
  },
  'wrong passwords': {
    run: (target) =>
      repeatUntilEnd(40, () =>
        send(target, { path: '/api/login', body: JSON.stringify({ username: randomUUID(), password: 'wrong wrong' }) }),
      ),
  },
  'CSV imports of 200 users': {
    run: (target) => {
      const csv = () => Array.from({ length: 200 }, () => `${randomUUID()},None,Mounds`).join('\n');
      return repeatUntilEnd(5, () =>
        send(target, {
          path: '/api/admin/import-users',
          cookie: target.reviewers[0] ?? '',
          body: JSON.stringify({ csv: csv() }),
        }),
      );
    },
  },
  'checklists of 200 sections, created and changed': {
    run: (target) => {
      const sections = Array.from({ length: 200 }, (_, at) => ({
        title: `${at} ${'ŵ'.repeat(290)}`,
        type: 'text',
        required: false,
      }));
      const body = JSON.stringify({ title: 'Long', sections });
      return repeatPost(target, 10, target.reviewers, '/api/admin/create-checklist', body);
    },
  },
  'access requests for the most common name': {
    run: async (target) => {
      const searchedNames = Array.from({ length: 20 }, (_, at) => `Siân ${'ŵ'.repeat(at)} Jones`);
      const body = JSON.stringify({
        name: 'Siân Jones',
        spellings: searchedNames,
        receivedOn: new Date().toISOString().slice(0, 10),
      });
      await send(target, { path: '/api/admin/access-requests', cookie: target.admin, body });
      const list = await readJson<{ id: string }[]>(target, '/api/admin/access-requests', target.admin);
      const id = list?.[0]?.id;
      await repeatUntilEnd(10, (index) =>
        sendGet(target, `/api/admin/access-requests/${id}${index % 2 ? '/zip' : ''}`, target.admin),
      );
    },
  },
};

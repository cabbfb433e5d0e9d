// The attacks: what one hostile user can do within the default limits. Each runs until its process
// is killed.
import { randomUUID } from 'node:crypto';
import {
  type Attack,
  createFormWith,
  createHttpHead,
  createJsonMembers,
  formContentType,
  formHead,
  holdConnectionsOpen,
  pickCookie,
  repeatPost,
  repeatUntilEnd,
  send,
  sendGet,
  type Target,
} from './attack-tools.ts';
import { guestAttacks } from './guest-attacks.ts';

const letters = encodeURIComponent('a e i o u n r s t l '.repeat(10).slice(0, 199));
const months = '/api/report-months?reportType=accident';
const listNames = ['reports', 'activity', 'submissions', 'audits', 'checks'];

/** Reads repeated in a loop: how many at once, by whom, of which addresses in turn. */
const reads: [string, number, 'staff' | 'reviewers' | 'everyone', (target: Target) => string[], 'short'?][] = [
  ['requests without permission, as fast as possible', 10, 'staff', () => ['/api/get-reports'], 'short'],
  ['month counts', 10, 'reviewers', () => [`${months}&q=pool`]],
  ['searches of 100 letters', 10, 'reviewers', () => [`/api/get-reports?limit=500&q=${letters}`], 'short'],
  ['searches of the activity', 10, 'everyone', () => [`/api/admin/activity?q=${letters}`]],
  ['the whole list', 10, 'reviewers', () => ['/api/get-reports']],
  ['all submissions', 10, 'reviewers', () => ['/api/admin/submitted-checklists']],
  ['URLs that do not exist', 30, 'everyone', () => Array.from({ length: 1000 }, () => `/api/${randomUUID()}`)],
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

export const attacks: Record<string, Attack> = {
  ...guestAttacks,
  ...readAttacks,
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
  'checklists with a megabyte of text, 10 at once': {
    isShort: true,
    run: (target) => {
      const data = Array(200).fill('ŵ '.repeat(2500));
      const body = JSON.stringify({ checklistId: target.textChecklistId, data: { ...data } });
      return repeatPost(target, 10, target.staff, '/api/submit-checklist', body);
    },
  },
  'headers that never end, on 600 connections': {
    isShort: true,
    run: (target) =>
      holdConnectionsOpen(target, 600, { firstText: 'GET / HTTP/1.1\r\nHost: a\r\n', repeatedText: 'X: y\r\n' }),
  },
  '1,000 pipelined requests': {
    isShort: true,
    run: (target) =>
      holdConnectionsOpen(target, 20, {
        firstText: createHttpHead('GET /api/protected', `Cookie: ${target.staff[0]}`).repeat(1000),
      }),
  },
  'files that only look like photos': {
    run: (target) => {
      const body = createFormWith(Buffer.concat([target.files.photo.subarray(0, 2000), Buffer.alloc(9_000_000, 7)]));
      return repeatPost(target, 40, target.staff, '/api/upload/image', body);
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
      const url = `http://${target.host}:${target.port}/api/admin/access-requests`;
      const [{ id }] = await (await fetch(url, { headers: { cookie: target.admin } })).json();
      await repeatUntilEnd(10, (index) =>
        sendGet(target, `/api/admin/access-requests/${id}${index % 2 ? '/zip' : ''}`, target.admin),
      );
    },
  },
};

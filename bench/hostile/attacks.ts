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
  repeatGet,
  repeatPost,
  repeatUntilEnd,
  send,
  sendGet,
} from './attack-tools.ts';
import { auditAttacks } from './audit-attacks.ts';
import { guestAttacks } from './guest-attacks.ts';

export const attacks: Record<string, Attack> = {
  ...auditAttacks,
  ...guestAttacks,
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
  'requests without permission, as fast as possible': {
    isShort: true,
    run: (target) => repeatGet(target, 10, target.staff, '/api/get-reports'),
  },
  '500 slow readers of the whole list': {
    isShort: true,
    run: (target) =>
      holdConnectionsOpen(target, 500, {
        firstText: createHttpHead('GET /api/get-reports', `Cookie: ${target.reviewers[0]}`, 'Accept-Encoding: br'),
        isReading: false,
      }),
  },
  'the PDF of the largest report, 20 at once': {
    run: (target) =>
      repeatUntilEnd(20, () => sendGet(target, `/api/report-pdf/${target.largestReportId}`, target.reviewers[0])),
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
  'month counts in a loop': {
    run: (target) => repeatGet(target, 10, target.reviewers, '/api/report-months?reportType=accident&q=pool'),
  },
  'searches of 100 letters': {
    isShort: true,
    run: (target) => {
      const q = encodeURIComponent('a e i o u n r s t l '.repeat(10).slice(0, 199));
      return repeatGet(target, 10, target.reviewers, `/api/get-reports?limit=500&q=${q}`);
    },
  },
  'searches of many long words': {
    run: (target) => {
      const q = encodeURIComponent('slipped first aider attended wet step pool '.repeat(5).slice(0, 199));
      return repeatGet(target, 10, target.reviewers, `/api/get-reports?limit=500&q=${q}`);
    },
  },
  'searches that match nothing': {
    run: (target) => repeatGet(target, 10, target.reviewers, '/api/report-months?reportType=accident&q=zz%20qq%20xx'),
  },
  'the whole list in a loop': {
    run: (target) => repeatGet(target, 10, target.reviewers, '/api/get-reports'),
  },
  'all submissions in a loop': {
    run: (target) => repeatGet(target, 10, target.reviewers, '/api/admin/submitted-checklists'),
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
  'JSON nested 60,000 levels deep': {
    run: (target) => repeatPost(target, 10, target.staff, '/api/submit-accident', '['.repeat(60_000)),
  },
  'text of JSON escapes only': {
    run: (target) => {
      const body = `{"details":"${'\\"'.repeat(60_000)}"}`;
      return repeatPost(target, 10, target.staff, '/api/submit-accident', body);
    },
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
  'URLs that do not exist': {
    run: (target) => repeatUntilEnd(30, () => sendGet(target, `/api/${randomUUID()}`)),
  },
  'notifications polled in a loop': {
    run: (target) =>
      repeatUntilEnd(30, (index) =>
        sendGet(
          target,
          `/api/notifications${index % 2 ? '/count' : ''}`,
          pickCookie([...target.reviewers, ...target.staff], index),
        ),
      ),
  },
  'the overview of changing periods': {
    run: (target) =>
      repeatUntilEnd(10, (index) => {
        const from = ['0001-01-01', '2016-02-29', '2017-01-01', '1990-06-01'][index % 4];
        const to = ['0010-12-31', '2026-02-28', '2026-12-31', '1990-06-01'][index % 4];
        const type = encodeURIComponent('ŵ'.repeat(120));
        const more = index % 3 ? '' : `&type=${type}`;
        return sendGet(target, `/api/overview?from=${from}&to=${to}${more}`, pickCookie(target.reviewers, index));
      }),
  },
  'exports of everything, 10 at once': {
    isShort: true,
    run: (target) =>
      repeatUntilEnd(10, (index) => {
        const listName = ['reports', 'activity', 'submissions', 'audits', 'checks'][index % 5];
        return sendGet(
          target,
          `/api/export/${listName}?format=${index % 2 ? 'xlsx' : 'csv'}`,
          pickCookie([...target.reviewers, target.admin], index),
        );
      }),
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
  'searches of 200 words': {
    run: (target) => {
      const createQuery = (size: number) =>
        encodeURIComponent(
          Array.from({ length: size }, (_, at) => String.fromCharCode(97 + (at % 26)))
            .join(' ')
            .slice(0, 199),
        );
      return repeatUntilEnd(10, (index) => {
        const path =
          [`/api/get-reports?limit=500&q=${createQuery(100)}`, `/api/admin/activity?q=${createQuery(100)}`][
            index % 2
          ] ?? '';
        return sendGet(target, path, pickCookie([target.admin, ...target.reviewers], index));
      });
    },
  },
  'previews in a loop': {
    run: (target) => repeatGet(target, 30, target.reviewers, `${target.photoUrl}?thumb=1`),
  },
};

import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { createFakeServer, newReportItem } from './fakeServer.test-helper.ts';
import { deleteItem, findItem, insertItem, type OutboxItem } from './items.ts';
import { sendItem } from './sendItem.ts';

/** Sends a new report with this `fetch`. */
async function sendReport(fetch: typeof globalThis.fetch) {
  const { item } = await insertItem(newReportItem());
  return send(item, fetch);
}

const send = (item: OutboxItem, fetch: typeof globalThis.fetch) =>
  sendItem(item, {
    fetch,
    now: () => Date.now(),
    wait: () => Promise.resolve(),
    isOffline: () => Promise.resolve(false),
    onProgress: () => undefined,
  });

/** Sends a report to a server that returns other paths for the files with these names. */
async function sendWithPaths(paths: Record<string, string>) {
  const server = createFakeServer();
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const response = await server.fetch(url, init);
    const file = init?.body instanceof FormData ? (init.body.get('image') as File) : undefined;
    const path = file && paths[file.name];
    if (!path) return response;
    return new Response(JSON.stringify({ ...((await response.json()) as object), filePath: path }), response);
  };
  return { outcome: await sendReport(fetch), submitted: server.submitted };
}

const wrongPaths = [
  'data:image/png;base64,AAAA',
  'https://elsewhere.example/a.jpg',
  '/uploads/2026/11/../../a.jpg',
  '/',
];

test.each(wrongPaths)('a report is not sent if the upload of a signature returns the path %s', async (path) => {
  const { outcome, submitted } = await sendWithPaths({ 'signature.png': path });
  expect(outcome).toMatchObject({ kind: 'refused', error: { step: 'signature', status: 422 } });
  expect(submitted).toEqual([]);
});

test.each(wrongPaths)('a report is sent without a photo if its upload returns the invalid path %s', async (path) => {
  const { outcome, submitted } = await sendWithPaths({ 'two.jpg': path });
  expect(outcome).toMatchObject({ kind: 'sent', receipt: { photos: 2, rejected: [{ name: 'two.jpg', position: 2 }] } });
  expect(submitted[0]?.photos).toHaveLength(4);
});

/** A page of a proxy, a load balancer or a guest network on the way to the server. */
const proxyPage = (status: number, isJson: boolean) =>
  isJson
    ? Response.json({ message: 'no route matched' }, { status })
    : new Response('<html><h1>Not available</h1></html>', { status, headers: { 'content-type': 'text/html' } });

test.each([400, 401, 403, 404, 413, 422])(
  'a proxy’s page with status %i leaves a report waiting and rejects none of its photos',
  async (status) => {
    const server = createFakeServer();
    for (const isFailing of [
      (init: RequestInit) => init.body instanceof FormData,
      (init: RequestInit) => !(init.body instanceof FormData),
    ])
      for (const isJson of [false, true]) {
        const { item } = await insertItem(newReportItem());
        const outcome = await send(item, async (url, init) =>
          init && isFailing(init) ? proxyPage(status, isJson) : server.fetch(url, init),
        );
        expect(outcome).toMatchObject({ kind: 'waiting', error: { status } });
        expect((await findItem(item.id))?.files.filter(({ problem }) => problem)).toEqual([]);
      }
  },
);

test('an item waits while its user must still replace a one-time password', async () => {
  const body = { success: false, code: 'PASSWORD_CHANGE_NEEDED', message: 'Please choose a new password first' };
  const outcome = await sendReport(async () => Response.json(body, { status: 403 }));
  expect(outcome).toEqual({ kind: 'signIn' });
});

test('a report does not count as sent if the server confirms fewer photos than were uploaded', async () => {
  const server = createFakeServer();
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const response = await server.fetch(url, init);
    if (init?.body instanceof FormData) return response;
    return Response.json({ ...((await response.json()) as object), photos: 1 }, { status: response.status });
  };
  expect(await sendReport(fetch)).toMatchObject({
    kind: 'refused',
    error: { step: 'submit', status: 422, message: 'The server has not confirmed all photos.' },
  });
});

test.each([0, 1, 5])('sending ends if the item is deleted in another tab after %i requests', async (count) => {
  const server = createFakeServer();
  const { item } = await insertItem(newReportItem());
  if (count === 0) await deleteItem(item.id);
  let sent = 0;
  const outcome = await send(item, async (url, init) => {
    sent += 1;
    const response = await server.fetch(url, init);
    if (sent === count) await deleteItem(item.id);
    return response;
  });
  expect([outcome, sent]).toEqual([{ kind: 'gone' }, count]);
});

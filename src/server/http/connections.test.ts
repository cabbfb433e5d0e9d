// Hundreds of idle or half-open connections do not lock other users out.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRawRequest, openRawConnection, sendRaw } from '../testing/raw.ts';
import { startTestServer, type TestClient, type TestServer } from '../testing/server.ts';

let server: TestServer;
let staff: TestClient;
let sockets: Socket[];
beforeEach(() => {
  sockets = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await server.stop();
});

async function start(settings: Record<string, string>) {
  server = await startTestServer('sqlite', settings);
  staff = await server.as('None');
}

async function open(localAddress: string, sent = '') {
  const { hostname, port } = new URL(server.url);
  const socket = connect({ host: hostname, port: Number(port), localAddress });
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  if (sent) socket.write(sent);
  return socket;
}
const openConnections = (count: number, localAddress: string, sent?: string) =>
  Promise.all(Array.from({ length: count }, () => open(localAddress, sent)));
const countOpen = () => sockets.filter((socket) => !socket.closed).length;

test.each([
  ['that send nothing', ''],
  ['that never end their headers', 'GET /api/protected HTTP/1.1\r\nHost: a\r\nX-Slow: '],
  [
    'of unknown users that never end a body',
    createRawRequest('POST /api/login HTTP/1.1\nContent-Type: application/json\nContent-Length: 50', '{'),
  ],
])('a network over its limit of connections %s loses the oldest one', async (_, sent) => {
  await start({ CONNECTIONS_PER_NETWORK: '20' });
  const first = await open('127.0.0.2', sent);
  await staff.fetch('/healthz');
  await openConnections(30, '127.0.0.2', sent);
  await expect.poll(countOpen).toBe(20);
  expect(first.closed).toBe(true);
  expect((await staff.fetch('/api/protected')).status).toBe(200);
});

test('a full server closes the longest-idle connection', async () => {
  await start({ CONNECTIONS: '40', CONNECTIONS_PER_NETWORK: '20' });
  for (const address of ['127.0.0.2', '127.0.0.3', '127.0.0.4']) await openConnections(20, address);
  await expect.poll(countOpen).toBe(40);
  expect(
    (await sendRaw(server.url, createRawRequest(`GET /api/protected HTTP/1.1\nCookie: ${staff.cookie}`))).status,
  ).toBe(200);
});

test('a connection that receives an upload does not count as idle', async () => {
  await start({ CONNECTIONS_PER_NETWORK: '5' });
  const upload = await open(
    '127.0.0.2',
    createRawRequest(
      `POST /api/upload/image HTTP/1.1\nCookie: ${staff.cookie}\nContent-Type: multipart/form-data; boundary=x\nContent-Length: 900`,
    ),
  );
  await staff.fetch('/healthz');
  await openConnections(10, '127.0.0.2');
  await expect.poll(countOpen).toBe(5);
  expect(upload.closed).toBe(false);
});

test('a proxy in TRUST_PROXY may use all connections', async () => {
  await start({ CONNECTIONS_PER_NETWORK: '5', TRUST_PROXY: '127.0.0.2' });
  await openConnections(30, '127.0.0.2');
  await staff.fetch('/healthz');
  expect(countOpen()).toBe(30);
});

test('a user has at most 100 concurrent requests, however many networks they come from', async () => {
  await start({});
  const incompleteRequest = createRawRequest(
    `POST /api/submit-accident HTTP/1.1\nCookie: ${staff.cookie}\nContent-Type: application/json\nContent-Length: 50`,
    '{',
  );
  for (const address of ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'])
    await openConnections(25, address, incompleteRequest);
  const session = () => staff.fetch('/api/protected').then(({ status }) => status);
  await expect.poll(session, { timeout: 10_000 }).toBe(429);
  expect((await (await server.as('None')).fetch('/api/protected')).status).toBe(200);
  for (const socket of sockets) socket.destroy();
  await expect.poll(session, { timeout: 10_000 }).toBe(200);
});

test('a connection that pipelines many requests is closed, and few of them are handled', async () => {
  await start({ RATE_PER_SESSION: '40' });
  const pipelinedRequest = createRawRequest(`GET /api/protected HTTP/1.1\nCookie: ${staff.cookie}`);
  const fewRequests = openRawConnection(server.url);
  fewRequests.write(pipelinedRequest.repeat(5));
  for (let at = 0; at < 5; at++) expect((await fewRequests.readResponse()).status).toBe(200);
  fewRequests.socket.destroy();
  const manyRequests = openRawConnection(server.url);
  manyRequests.write(pipelinedRequest.repeat(500));
  await manyRequests.closed;
  expect((await staff.fetch('/api/protected')).status).toBe(200);
  const { requests_under_way } = await (await fetch(`${server.url}/healthz`)).json();
  expect(requests_under_way).toBe(1);
});

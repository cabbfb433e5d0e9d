import { afterEach, beforeEach, expect, test, vi } from 'vitest';

/** Responses of /healthz: a status, or an error for no response. */
const fetchHealth = vi.fn<typeof fetch>();
const respond = (status: number) => fetchHealth.mockImplementation(async () => new Response('', { status }));
const fail = () => fetchHealth.mockRejectedValue(new TypeError('Failed to fetch'));

let connection: typeof import('./connection.ts');
const changes = vi.fn();

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', fetchHealth);
  vi.resetModules();
  fetchHealth.mockReset();
  changes.mockReset();
  connection = await import('./connection.ts');
  connection.connection.subscribe(() => changes(connection.connection.get()));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const settle = () => vi.advanceTimersByTimeAsync(0);

test('a failed request changes the state to offline only if the health check fails too', async () => {
  respond(200);
  connection.reportStatus(0);
  await settle();
  expect(fetchHealth).toHaveBeenCalledOnce();
  expect(connection.connection.get()).toBe('online');

  fail();
  connection.reportStatus(0);
  await settle();
  expect(connection.connection.get()).toBe('offline');
  expect(connection.isOnline()).toBe(false);
});

test.each([502, 503, 504])('a gateway’s response with status %i changes the state to unreachable', async (status) => {
  respond(status);
  connection.reportStatus(status);
  await settle();
  expect(connection.connection.get()).toBe('unreachable');
});

test.each([200, 401, 404, 429])('a health check with status %i changes the state to online', async (status) => {
  fail();
  await connection.checkConnection();
  respond(status);
  expect(await connection.checkConnection()).toBe('online');
});

test('a successful request starts a health check while offline, but not while online', async () => {
  connection.reportStatus(200);
  await settle();
  expect(fetchHealth).not.toHaveBeenCalled();

  fail();
  await connection.checkConnection();
  respond(200);
  connection.reportStatus(200);
  await settle();
  expect(connection.isOnline()).toBe(true);
});

test('further failed requests while offline start no more health checks', async () => {
  fail();
  await connection.checkConnection();
  connection.reportStatus(0);
  connection.reportStatus(502);
  await settle();
  expect(fetchHealth).toHaveBeenCalledOnce();
});

test('the server is checked every three seconds while offline, until it responds', async () => {
  fail();
  await connection.checkConnection();
  await vi.advanceTimersByTimeAsync(9000);
  expect(fetchHealth).toHaveBeenCalledTimes(4);
  respond(200);
  await vi.advanceTimersByTimeAsync(3000);
  expect(connection.isOnline()).toBe(true);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(fetchHealth).toHaveBeenCalledTimes(5);
  expect(changes.mock.calls).toEqual([['offline'], ['online']]);
});

test('overlapping health checks send only one request', async () => {
  respond(200);
  await Promise.all([connection.checkConnection(), connection.checkConnection()]);
  expect(fetchHealth).toHaveBeenCalledOnce();
});

test('a listener that has unsubscribed from the connection state is not called', async () => {
  const listener = vi.fn();
  connection.connection.subscribe(listener)();
  fail();
  await connection.checkConnection();
  expect(listener).not.toHaveBeenCalled();
});

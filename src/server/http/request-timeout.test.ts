// No request waits forever for its response, and slow connections are not cut off.
import { once } from 'node:events';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTestServer } from '../testing/test-server.ts';
import { restartTimeout } from './request-timeout.ts';

const { server } = createTestServer('sqlite', { ANSWER_SECONDS: '1' }, undefined, async (server) => {
  // Handlers that respond or fail only after the timeout, when nobody waits for the result.
  server.get('/hangs', () => wait(1400, { late: true }));
  server.post('/hangs', () => wait(1400).then(() => Promise.reject(new Error('late'))));
  server.get('/works', async (request) => {
    for (let step = 0; step < 3; step++) {
      await wait(500);
      restartTimeout(request);
    }
    return { done: true };
  });
  server.post('/takes', async ({ body }) => body);
  server.get('/trickles', (_, reply) => reply.send(Readable.from(trickle())));
});

async function* trickle() {
  for (let pieceIndex = 0; pieceIndex < 6; pieceIndex++) {
    yield `${pieceIndex}`;
    await wait(200);
  }
}

test.concurrent.each([
  ['GET', undefined],
  ['POST', '{"read":"before the handler hangs"}'],
] as const)('a %s request whose handler hangs gets a 503 at the request timeout', async (method, body) => {
  const from = performance.now();
  const response = await fetch(`${server.url}/hangs`, {
    method,
    ...(body && { body, headers: { 'content-type': 'application/json' } }),
  });
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await response.json()).toMatchObject({ code: 'UNAVAILABLE', message: expect.stringMatching(/took too long/) });
  expect(performance.now() - from).toBeGreaterThan(950);
});

test.concurrent('a request whose handler restarts the request timeout after each step gets its response', async () => {
  expect(await (await fetch(`${server.url}/works`)).json()).toEqual({ done: true });
});

test.concurrent('the request timeout never ends a response that has started', async () => {
  expect(await (await fetch(`${server.url}/trickles`)).text()).toBe('012345');
});

test.concurrent('a request body that arrives slowly is accepted', async () => {
  const call = request(`${server.url}/takes`, { method: 'POST', headers: { 'content-type': 'application/json' } });
  const responseStarted = once(call, 'response');
  call.write('["');
  for await (const piece of trickle()) call.write(piece);
  call.end('"]');
  const [response] = await responseStarted;
  expect([response.statusCode, await text(response)]).toEqual([200, '["012345"]']);
});

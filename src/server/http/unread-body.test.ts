import type { Socket } from 'node:net';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { createRawRequest, openRawConnection } from '../testing/raw.ts';
import { limitUnreadBodies } from './unread-body.ts';

function startRejecting() {
  const server = Fastify();
  limitUnreadBodies(server);
  server.addHook('onRequest', async (_, reply) => reply.code(429).send('rejected'));
  server.post('/', async () => '');
  return server;
}

test('the body of a rejected request is read slowly, and its connection stays usable', async () => {
  const server = startRejecting();
  const connection = openRawConnection(await server.listen({ port: 0, host: '127.0.0.1' }));
  const head = `POST / HTTP/1.1\nContent-Type: application/json\nContent-Length: ${2 ** 21}`;
  connection.write(createRawRequest(head, ''));
  expect((await connection.readResponse()).status).toBe(429);
  const started = performance.now();
  connection.write(Buffer.alloc(2 ** 21, ' '));
  connection.write(createRawRequest(head, ''));
  expect((await connection.readResponse()).status).toBe(429);
  // The body arrives in at least 32 chunks of at most 64 KB, with a pause of 20 ms between them.
  expect(performance.now() - started).toBeGreaterThan(500);
  connection.socket.destroy();
  await server.close();
});

test('rejected requests that arrive together add only one listener to their connection', async () => {
  const server = startRejecting();
  const sockets: Socket[] = [];
  server.server.on('connection', (socket) => sockets.push(socket));
  const counts: (number | undefined)[] = [];
  server.addHook('onResponse', async () => void counts.push(sockets[0]?.listenerCount('close')));
  const connection = openRawConnection(await server.listen({ port: 0, host: '127.0.0.1' }));
  const request = createRawRequest('POST / HTTP/1.1\nContent-Type: application/json\nContent-Length: 2', '{}');
  connection.write(request.repeat(50));
  for (let at = 0; at < 50; at++) expect((await connection.readResponse()).status).toBe(429);
  expect(new Set(counts).size).toBe(1);
  connection.socket.destroy();
  await connection.closed;
  await server.close();
});

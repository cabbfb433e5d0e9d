import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { createRawRequest, openRawConnection } from '../testing/raw.ts';
import { limitUnreadBodies } from './unread-body.ts';

test('the body of a refused request is read slowly, and its connection stays usable', async () => {
  const server = Fastify();
  limitUnreadBodies(server);
  server.addHook('onRequest', async (_, reply) => reply.code(429).send('refused'));
  server.post('/', async () => '');
  const connection = openRawConnection(await server.listen({ port: 0, host: '127.0.0.1' }));
  const head = `POST / HTTP/1.1\nContent-Type: application/json\nContent-Length: ${2 ** 21}`;
  connection.write(createRawRequest(head, ''));
  expect((await connection.answer()).status).toBe(429);
  const started = performance.now();
  connection.write(Buffer.alloc(2 ** 21, ' '));
  connection.write(createRawRequest(head, ''));
  expect((await connection.answer()).status).toBe(429);
  // 32 chunks of at most 64 KB, with 20 ms between them.
  expect(performance.now() - started).toBeGreaterThan(500);
  connection.socket.destroy();
  await server.close();
});

// Nobody waits for ever: a call that has come in whole is answered within the limit, with a refusal if need be. Fastify's own handlerTimeout
// also cuts what is still being sent to a slow line, and stops counting once a body is read.
import type { FastifyInstance } from 'fastify';
import { Refusal } from './errors.ts';

/**
 * Refuses with 503 what has not begun to be answered after so long. A body may take its time to arrive (requestTimeout sees to that): while it
 * does, the limit begins anew. What the handler goes on to do is not undone; a call with an Idempotency-Key learns of it when sent again.
 */
export function limitWaiting(server: FastifyInstance, limitMs: number): void {
  const timers = new WeakMap<object, NodeJS.Timeout>();
  server.addHook('onRequest', async (request, reply) => {
    const arm = () => void timers.set(request, setTimeout(look, limitMs));
    const look = () => {
      if (!request.raw.complete) arm();
      else reply.send(new Refusal(503, 'This took too long. Please try again in a moment.', { retryAfter: 5 }));
    };
    arm();
    reply.raw.once('close', () => clearTimeout(timers.get(request)));
  });
  // From here on the answer is on its way.
  server.addHook('onSend', async (request) => clearTimeout(timers.get(request)));
}

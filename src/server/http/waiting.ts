// Nobody waits for ever: a call that has come in whole is answered within the limit, with a refusal if need be. Fastify's own handlerTimeout
// also cuts what is still being sent to a slow line, and stops counting once a body is read.
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpError } from '../errors/http-error.ts';

type Waiting = { timer?: NodeJS.Timeout; arm(): void; isOver: boolean };

const callers = new WeakMap<FastifyRequest, Waiting>();

const tooLong = () => new HttpError(503, 'This took too long. Please try again in a moment.', { retryAfter: 5 });

/**
 * Refuses with 503 what has not begun to be answered after so long. A body may take its time to arrive (requestTimeout sees to that): while it
 * does, the limit begins anew. A change that had begun by then is not undone, and a call with an Idempotency-Key learns of it when sent again.
 */
export function limitWaiting(server: FastifyInstance, limitMs: number): void {
  server.addHook('onRequest', async (request, reply) => {
    const waiting: Waiting = {
      isOver: false,
      arm: () => {
        waiting.timer = waiting.isOver || reply.raw.destroyed ? undefined : setTimeout(look, limitMs);
      },
    };
    const look = () => {
      if (!request.raw.complete) return waiting.arm();
      waiting.isOver = true;
      reply.send(tooLong());
    };
    callers.set(request, waiting);
    waiting.arm();
    reply.raw.once('close', () => clearTimeout(waiting.timer));
  });
  // From here on the answer is on its way.
  server.addHook('onSend', async (request) => clearTimeout(callers.get(request)?.timer));
}

/** Lets a caller wait on purpose. That does not count: afterwards the limit begins anew. */
export async function holdUp(request: FastifyRequest, ms: number): Promise<void> {
  const waiting = callers.get(request);
  clearTimeout(waiting?.timer);
  await wait(ms);
  waiting?.arm();
}

/** For a change that is about to be made: refuses it when its caller was told meanwhile that it took too long. */
export function refuseIfOver(request: FastifyRequest): void {
  if (callers.get(request)?.isOver) throw tooLong();
}

// Nobody waits for ever: a call that has come in whole is answered within the limit, with a refusal if need be. Fastify's own handlerTimeout
// also cuts what is still being sent to a slow line, and stops counting once a body is read.
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpError } from '../errors/http-error.ts';

type RequestTimer = { timer?: NodeJS.Timeout; start(): void; isOver: boolean };

const timers = new WeakMap<FastifyRequest, RequestTimer>();

const createTimeoutError = () =>
  new HttpError(503, 'This took too long. Please try again in a moment.', { retryAfter: 5 });

/**
 * Refuses with 503 what has not begun to be answered after so long. A body may take its time to arrive (requestTimeout sees to that): while it
 * does, the limit begins anew. A change that had begun by then is not undone, and a call with an Idempotency-Key learns of it when sent again.
 */
export function registerRequestTimeout(server: FastifyInstance, limitMs: number): void {
  server.addHook('onRequest', async (request, reply) => {
    const timer: RequestTimer = {
      isOver: false,
      start: () => {
        timer.timer = timer.isOver || reply.raw.destroyed ? undefined : setTimeout(onTimeout, limitMs);
      },
    };
    const onTimeout = () => {
      if (!request.raw.complete) return timer.start();
      timer.isOver = true;
      reply.send(createTimeoutError());
    };
    timers.set(request, timer);
    timer.start();
    reply.raw.once('close', () => clearTimeout(timer.timer));
  });
  // From here on the answer is on its way.
  server.addHook('onSend', async (request) => clearTimeout(timers.get(request)?.timer));
}

/** Lets a caller wait on purpose. That does not count: afterwards the limit begins anew. */
export async function delayResponse(request: FastifyRequest, ms: number): Promise<void> {
  const timer = timers.get(request);
  clearTimeout(timer?.timer);
  await wait(ms);
  timer?.start();
}

/** For a change that is about to be made: refuses it when its caller was told meanwhile that it took too long. */
export function throwIfTimedOut(request: FastifyRequest): void {
  if (timers.get(request)?.isOver) throw createTimeoutError();
}

// Limits how long a completely received request may wait for its response. Fastify's handlerTimeout
// would also end responses still being sent, and stops counting once a body is read.
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpError } from '../errors/http-error.ts';

type RequestTimer = { timer?: NodeJS.Timeout; start(): void; isOver: boolean };

const timers = new WeakMap<FastifyRequest, RequestTimer>();

const createTimeoutError = () =>
  new HttpError(503, 'This took too long. Please try again in a moment.', { retryAfter: 5 });

/**
 * Responds with 503 if no response has started in time. The time starts again as long as the body
 * is still arriving, which Fastify's `requestTimeout` limits. A write transaction that has begun still
 * commits, and a retry with the same Idempotency-Key gets its reply.
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
  // The response starts now, so the timeout no longer applies.
  server.addHook('onSend', async (request) => clearTimeout(timers.get(request)?.timer));
}

/** Delays a response on purpose. The delay does not count: the timeout starts again afterwards. */
export async function delayResponse(request: FastifyRequest, ms: number): Promise<void> {
  const timer = timers.get(request);
  clearTimeout(timer?.timer);
  await wait(ms);
  timer?.start();
}

/** Starts the request's timeout again, and that of its connection, which ends if nothing is sent on it. */
export function restartTimeout(request: FastifyRequest): void {
  const timer = timers.get(request);
  clearTimeout(timer?.timer);
  timer?.start();
  const { socket } = request.raw;
  socket.setTimeout(socket.timeout ?? 0);
}

/** Throws if the request has timed out. Call before a write. */
export function throwIfTimedOut(request: FastifyRequest): void {
  if (timers.get(request)?.isOver) throw createTimeoutError();
}

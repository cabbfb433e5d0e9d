// Limits how long a completely received request may wait for its response. Fastify's handlerTimeout
// would also end responses still being sent, and stops counting once a body is read.
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpError } from '../errors/http-error.ts';

type RequestTimeout = { handle?: NodeJS.Timeout; start(): void; isOver: boolean };

const timeouts = new WeakMap<FastifyRequest, RequestTimeout>();

const createTimeoutError = () =>
  new HttpError(503, 'This took too long. Please try again in a moment.', { retryAfter: 5 });

/**
 * Responds with 503 if no response has started in time. The time starts again as long as the body
 * is still arriving, which Fastify's `requestTimeout` limits. A write transaction that has begun still
 * commits, and a retry with the same Idempotency-Key gets its reply.
 */
export function registerRequestTimeout(server: FastifyInstance, limitMs: number): void {
  server.addHook('onRequest', async (request, reply) => {
    const timeout: RequestTimeout = {
      isOver: false,
      start: () => {
        timeout.handle = timeout.isOver || reply.raw.destroyed ? undefined : setTimeout(onTimeout, limitMs);
      },
    };
    const onTimeout = () => {
      if (!request.raw.complete) return timeout.start();
      timeout.isOver = true;
      reply.send(createTimeoutError());
    };
    timeouts.set(request, timeout);
    timeout.start();
    reply.raw.once('close', () => clearTimeout(timeout.handle));
  });
  // The response starts now, so the timeout no longer applies.
  server.addHook('onSend', async (request) => clearTimeout(timeouts.get(request)?.handle));
}

/** Delays a response on purpose. The delay does not count: the timeout starts again afterwards. */
export async function delayResponse(request: FastifyRequest, ms: number): Promise<void> {
  const timeout = timeouts.get(request);
  clearTimeout(timeout?.handle);
  await wait(ms);
  timeout?.start();
}

/** Starts the request's timeout again, and that of its connection, which ends if nothing is sent on it. */
export function restartTimeout(request: FastifyRequest): void {
  const timeout = timeouts.get(request);
  clearTimeout(timeout?.handle);
  timeout?.start();
  const { socket } = request.raw;
  socket.setTimeout(socket.timeout ?? 0);
}

/** Throws if the request has timed out. Call before a write. */
export function throwIfTimedOut(request: FastifyRequest): void {
  if (timeouts.get(request)?.isOver) throw createTimeoutError();
}

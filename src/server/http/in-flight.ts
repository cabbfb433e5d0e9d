// Counts in-flight requests, so that a shutdown can wait for them, and rejects new ones once it has
// begun.
import type { FastifyInstance } from 'fastify';
import { HttpError } from '../errors/http-error.ts';

export type RequestTracker = {
  register(server: FastifyInstance): void;
  readonly inFlight: number;
  /** Rejects new requests from now on. Resolves when none is in flight, or after `timeoutMs`. */
  drain(timeoutMs: number): Promise<void>;
};

export function createRequestTracker(): RequestTracker {
  let inFlight = 0;
  let isStopping = false;
  let onAllFinished: (() => void) | undefined;
  return {
    register(server) {
      server.addHook('onRequest', async (_, reply) => {
        inFlight += 1;
        reply.raw.once('close', () => {
          inFlight -= 1;
          if (inFlight === 0) onAllFinished?.();
        });
        if (!isStopping) return;
        reply.header('connection', 'close');
        throw new HttpError(503, 'The server is restarting. Please try again in a moment.', { retryAfter: 5 });
      });
    },
    get inFlight() {
      return inFlight;
    },
    async drain(timeoutMs) {
      isStopping = true;
      if (inFlight === 0) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        onAllFinished = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
  };
}

// The requests under way: counted, so that a stop can wait for them, and new ones turned away once it has begun.
import type { FastifyInstance } from 'fastify';
import { HttpError } from '../errors/http-error.ts';

export type Traffic = {
  watch(server: FastifyInstance): void;
  readonly underWay: number;
  /** Turns new requests away from now on. Resolves when none is left under way, or after `patience` milliseconds. */
  drain(patience: number): Promise<void>;
};

export function createTraffic(): Traffic {
  let underWay = 0;
  let isStopping = false;
  let onQuiet: (() => void) | undefined;
  return {
    watch(server) {
      server.addHook('onRequest', async (_, reply) => {
        underWay += 1;
        reply.raw.once('close', () => {
          underWay -= 1;
          if (underWay === 0) onQuiet?.();
        });
        if (!isStopping) return;
        reply.header('connection', 'close');
        throw new HttpError(503, 'The server is restarting. Please try again in a moment.', { retryAfter: 5 });
      });
    },
    get underWay() {
      return underWay;
    },
    async drain(patience) {
      isStopping = true;
      if (underWay === 0) return;
      await new Promise<void>((resolve) => {
        const late = setTimeout(resolve, patience);
        onQuiet = () => {
          clearTimeout(late);
          resolve();
        };
      });
    },
  };
}

// Limits concurrent requests of each user. Further ones wait in order without delaying other users.
// connections.ts limits the number of waiting requests.
import type { FastifyRequest } from 'fastify';
import { createBusyError, type HttpError } from '../errors/http-error.ts';

const maxWaitMs = 30_000;

type WaitingRequest = { request: FastifyRequest; start(): void; reject(error: HttpError): void };

export type Turns = {
  /** Resolves when it is the request's turn. Rejects with 503 after 30 s. `user` is an id, or a network. */
  take(request: FastifyRequest, user: string): Promise<void>;
  /**
   * Call this when the response was sent or the connection has closed, whether or not the request
   * had a turn.
   */
  release(request: FastifyRequest): void;
};

export function createTurnQueue(maxConcurrent: number): Turns {
  const users = new Map<string, { active: Set<FastifyRequest>; waiting: WaitingRequest[] }>();
  const userByRequest = new Map<FastifyRequest, string>();

  function release(request: FastifyRequest) {
    const user = userByRequest.get(request);
    const turns = user === undefined ? undefined : users.get(user);
    if (user === undefined || !turns) return;
    userByRequest.delete(request);
    const { active, waiting } = turns;
    const at = waiting.findIndex((each) => each.request === request);
    if (at >= 0) waiting.splice(at, 1)[0]?.reject(createBusyError());
    if (active.delete(request)) {
      let next = waiting.shift();
      // Skip requests whose sender has closed the connection.
      for (; next?.request.socket?.destroyed; next = waiting.shift()) next.reject(createBusyError());
      if (next) active.add(next.request);
      next?.start();
    }
    if (active.size === 0) users.delete(user);
  }

  return {
    release,
    async take(request, user) {
      // Take no turn if the connection has already closed, because no later event would release it.
      if (request.socket?.destroyed) throw createBusyError();
      const { active, waiting } = users.get(user) ?? { active: new Set(), waiting: [] };
      users.set(user, { active, waiting });
      userByRequest.set(request, user);
      if (active.size < maxConcurrent) return void active.add(request);
      const { promise, resolve: start, reject } = Promise.withResolvers<void>();
      const timer = setTimeout(() => reject(createBusyError()), maxWaitMs);
      waiting.push({ request, start, reject });
      await promise.finally(() => clearTimeout(timer));
    },
  };
}

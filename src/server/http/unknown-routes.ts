// Rejects unknown methods and paths before the body is read.
import type { FastifyInstance } from 'fastify';
import { HttpError } from '../errors/http-error.ts';
import { getPath, isApiRequest } from './headers.ts';

/**
 * Rejects requests that match no route. Register it before any route, because it records the
 * routes.
 */
export function registerUnknownRoutes(server: FastifyInstance): void {
  const methods = new Map<string, Set<string>>();
  server.addHook('onRoute', ({ url, method }) => {
    const routeMethods = methods.get(url) ?? new Set();
    for (const each of [method].flat()) routeMethods.add(each);
    methods.set(url, routeMethods);
  });

  const patterns = new Map<RegExp, Set<string>>();
  server.addHook('onReady', async () => {
    for (const [url, routeMethods] of methods) patterns.set(toPattern(url), routeMethods);
  });

  server.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return;
    const path = getPath(request.url);
    const allowedMethods = [...patterns]
      .filter(([pattern]) => pattern.test(path))
      .flatMap(([, allowedMethods]) => [...allowedMethods]);
    // TRACE is not allowed for any path, known or not.
    if (allowedMethods.length > 0 || request.method === 'TRACE') {
      reply.header('allow', [...new Set(allowedMethods.length > 0 ? allowedMethods : ['GET', 'HEAD'])].join(', '));
      throw new HttpError(405, 'This action is not supported here');
    }
    if (isApiRequest(request)) throw new HttpError(404, 'Not found');
  });
}

/** Returns a pattern for a route such as `/api/reports/:id` or `/uploads/*`. */
const toPattern = (route: string) =>
  new RegExp(
    `^${route
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replace(/:\w+/g, '[^/]+')
      .replace('*', '.*')}$`,
  );

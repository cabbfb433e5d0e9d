// Rejects changes requested by other sites. Requests without browser headers are allowed.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpError } from '../errors/http-error.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** Returns the origin of the pages. Without PUBLIC_URL it has the host of the request. */
export const getOrigin = ({ headers }: FastifyRequest, publicUrl: string) => publicUrl || `http://${headers.host}`;

function isCrossSite(request: FastifyRequest, publicUrl: string): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined) return site !== 'same-origin';
  return origin !== undefined && origin !== getOrigin(request, publicUrl);
}

export function registerCsrfCheck(server: FastifyInstance, publicUrl: string): void {
  server.addHook('onRequest', async (request) => {
    if (!safeMethods.has(request.method) && isCrossSite(request, publicUrl))
      throw new HttpError(403, 'Request blocked');
  });
}

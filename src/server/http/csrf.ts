// Rejects changes requested by other sites. Requests without browser headers are allowed.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpError } from '../errors/http-error.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

function isCrossSite({ headers }: FastifyRequest, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin';
  if (headers.origin === undefined) return false;
  // Without PUBLIC_URL, compare the page's origin with the host of the request.
  return publicUrl ? headers.origin !== publicUrl : headers.origin !== `http://${headers.host}`;
}

export function registerCsrfCheck(server: FastifyInstance, publicUrl: string): void {
  server.addHook('onRequest', async (request) => {
    if (!safeMethods.has(request.method) && isCrossSite(request, publicUrl))
      throw new HttpError(403, 'Request blocked');
  });
}

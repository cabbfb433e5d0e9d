// A request that changes something must come from our own pages, or from no browser at all.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpError } from '../errors/http-error.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

function isCrossSite({ headers }: FastifyRequest, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin';
  if (headers.origin === undefined) return false;
  // With no public address set, the page's own address is the one it was asked at.
  return publicUrl ? headers.origin !== publicUrl : headers.origin !== `http://${headers.host}`;
}

export function registerCsrfCheck(server: FastifyInstance, publicUrl: string): void {
  server.addHook('onRequest', async (request) => {
    if (!safeMethods.has(request.method) && isCrossSite(request, publicUrl))
      throw new HttpError(403, 'Request blocked');
  });
}

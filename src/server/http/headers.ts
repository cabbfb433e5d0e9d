// Response headers, including errors.
import type { FastifyInstance, FastifyRequest } from 'fastify';

export const pageCsp = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "font-src 'self'",
  "worker-src 'self' blob:",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "object-src 'none'",
].join('; ');
/** Of every response that is not a page: `default-src` does not cover the last three. */
const nothing = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const apiCsp = `${nothing}; sandbox`;
/**
 * For an error shown as a page. With `allow-same-origin`, because its icon can be loaded only by
 * this origin.
 */
export const errorPageCsp = `${nothing}; img-src 'self'; sandbox allow-same-origin`;
/** Without `sandbox`, which breaks Chrome's PDF viewer. */
export const pdfCsp = nothing;

const createCommonHeaders = (isSecure: boolean) => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'x-robots-tag': 'noindex',
  ...(isSecure && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
});

export const createPageHeaders = (isSecure: boolean) => ({
  ...createCommonHeaders(isSecure),
  'content-security-policy': pageCsp,
});

/** Returns the headers of responses that are not pages: browsers must not render or cache them. */
export const createApiHeaders = (isSecure: boolean) => ({
  ...createCommonHeaders(isSecure),
  'content-security-policy': apiCsp,
  'cache-control': 'no-store',
});

/** Returns a URL's path as the router reads it: decoded, and without an origin added by a proxy. */
export function getPath(url: string): string {
  const path = url.replace(/^https?:\/\/[^/]*/, '').replace(/[?#].*$/, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Whether a URL belongs to the API or uploads, known or not, in any spelling. */
export const isApiRequest = ({ routeOptions, url }: FastifyRequest) =>
  /^\/+(?:api|uploads)(?:\/|$)/i.test(routeOptions.url ?? getPath(url));

export function registerHeaders(server: FastifyInstance, isSecure: boolean): void {
  server.addHook('onRequest', async (request, reply) => {
    reply.headers(isApiRequest(request) ? createApiHeaders(isSecure) : createPageHeaders(isSecure));
  });
}

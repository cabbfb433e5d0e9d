// The headers of every answer (errors too), by what is answered.
import type { FastifyInstance } from 'fastify';

const pageCsp = [
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
const dataCsp = "default-src 'none'; frame-ancestors 'none'; sandbox";
/** Without `sandbox`, which breaks Chrome's PDF viewer. */
export const pdfCsp = "default-src 'none'; frame-ancestors 'none'";

export function addHeaders(server: FastifyInstance, isSecure: boolean): void {
  server.addHook('onRequest', async (request, reply) => {
    const isData = /^\/(?:api|uploads)(?:\/|$)/.test(request.url);
    reply.headers({
      'content-security-policy': isData ? dataCsp : pageCsp,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), microphone=(), geolocation=()',
      'x-robots-tag': 'noindex',
      ...(isData && { 'cache-control': 'no-store' }),
      ...(isSecure && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
    });
  });
}

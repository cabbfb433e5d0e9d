// The server: every feature's handlers handed to serve(), behind the same doors. A call without a handler is a type error.
import compress from '@fastify/compress';
import multipart from '@fastify/multipart';
import rateLimit from '@fastify/rate-limit';
import Fastify, { type FastifyError, type FastifyInstance, LogController } from 'fastify';
import { api } from '../shared/api.ts';
import { authHandlers } from './auth/handlers.ts';
import type { Config } from './config.ts';
import type { Handlers, Services } from './http/call.ts';
import { refuseForeignRequests } from './http/csrf.ts';
import { errorBody, Refusal } from './http/errors.ts';
import { addHeaders } from './http/headers.ts';
import { multipartLimits } from './http/multipart.ts';
import { serveOpenApi } from './http/openapi.ts';
import { fastifyPath, serve } from './http/serve.ts';
import { readToken } from './http/session.ts';
import { newId, sha256 } from './ids.ts';
import { reportHandlers } from './reports/handlers.ts';
import { uploadHandlers } from './uploads/handlers.ts';
import { serveUploads } from './uploads/serve.ts';
import { JobFailed } from './workers/pool.ts';

const handlers = { ...authHandlers, ...uploadHandlers, ...reportHandlers } as Handlers;

export type ServeScreens = (server: FastifyInstance, config: Config) => Promise<void>;

/** The services but the log, which is the server's own. */
export type Parts = Omit<Services, 'log'>;

/** The server, ready to listen. `parts` are its database, files and workers; who made them closes them. */
export async function createApp(parts: Parts, serveScreens: ServeScreens): Promise<FastifyInstance> {
  const { config } = parts;
  const server = Fastify({
    logger: { level: config.logLevel, redact: ['req.headers.cookie', 'req.headers.authorization'] },
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustProxy,
    genReqId: () => newId(),
    requestTimeout: 60_000,
    connectionTimeout: 120_000,
    keepAliveTimeout: 30_000,
    handlerTimeout: 60_000,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: false },
    bodyLimit: 256 * 1024,
    exposeHeadRoutes: true,
    clientErrorHandler: onClientError,
    http: { headersTimeout: 15_000, maxHeaderSize: 16 * 1024 },
  });
  server.server.maxConnections = 1000;
  const services: Services = { ...parts, log: server.log };

  addHeaders(server, config.isSecure);
  server.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = error instanceof Refusal ? error : refusalOf(error);
    if (refusal.status >= 500) request.log.error({ err: error }, 'failed');
    if (refusal.details.retryAfter) reply.header('retry-after', String(refusal.details.retryAfter));
    return reply
      .code(refusal.status)
      .type('application/json; charset=utf-8')
      .serializer(JSON.stringify)
      .send(errorBody(refusal, request.id));
  });
  refuseForeignRequests(server, config.publicUrl);
  refuseEncodedBodies(server);
  await limitRates(server, config);
  server.removeContentTypeParser('text/plain');
  await server.register(compress, {
    encodings: ['br', 'gzip', 'identity'],
    threshold: 1024,
    brotliOptions: { params: { 1: 4 } },
  });
  await server.register(multipart, { limits: multipartLimits, throwFileSizeLimit: true });

  serve(server, services, handlers);
  serveOpenApi(server);
  serveUploads(server, services);
  refuseOtherMethods(server);
  server.get('/healthz', async () => ({ status: 'ok' }));
  await serveScreens(server, config);
  server.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'answered',
    );
  });
  return server;
}

/** What Fastify and its parsers object to, in our words and with our codes. Nothing of a library's own text leaves. */
function refusalOf(error: FastifyError | JobFailed): Refusal {
  if (error instanceof JobFailed)
    return new Refusal(503, 'This could not be made just now. Please try again.', { retryAfter: 5 });
  switch (error.statusCode) {
    case 400:
      return new Refusal(400, 'The request could not be read');
    case 404:
      return new Refusal(404, 'Not found');
    case 408:
      return new Refusal(408, 'The request took too long. Please try again.');
    case 413:
      return new Refusal(413, 'This is too large to send');
    case 415:
      return new Refusal(415, 'This type of content is not accepted');
    case 429:
      return new Refusal(429, 'Too many requests. Please wait a moment and try again.');
    case 503:
      return new Refusal(503, 'The server is busy. Please try again in a moment.', { retryAfter: 5 });
    default:
      return new Refusal(500, 'Something went wrong. Please try again.');
  }
}

function refuseEncodedBodies(server: FastifyInstance): void {
  server.addHook('onRequest', async ({ headers, url }) => {
    if ((headers['content-encoding'] ?? 'identity') !== 'identity')
      throw new Refusal(415, 'Send the content without compression');
    if (url.length > 2048) throw new Refusal(400, 'This address is too long');
  });
}

async function limitRates(server: FastifyInstance, { rates, isSecure }: Config): Promise<void> {
  const sessionOf = (cookie: string | undefined) => readToken(cookie, isSecure);
  await server.register(rateLimit, {
    timeWindow: '1 minute',
    keyGenerator: (request) => sha256(sessionOf(request.headers.cookie) ?? request.ip),
    max: (request) => (sessionOf(request.headers.cookie) ? rates.perSession : rates.perAddress),
    allowList: (request) => request.url.startsWith('/assets/'),
    errorResponseBuilder: (_, { ttl }) =>
      new Refusal(429, 'Too many requests. Please wait a moment and try again.', { retryAfter: Math.ceil(ttl / 1000) }),
    addHeaders: {
      'x-ratelimit-limit': false,
      'x-ratelimit-remaining': false,
      'x-ratelimit-reset': false,
      'retry-after': false,
    },
    addHeadersOnExceeding: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
  });
}

/** A known path with another method says which ones it has. */
function refuseOtherMethods(server: FastifyInstance): void {
  const methods = new Map<string, Set<string>>();
  for (const row of Object.values(api)) {
    const known = methods.get(fastifyPath(row).replace(/:\w+/g, ':id')) ?? new Set();
    known.add(row.method);
    if (row.method === 'GET') known.add('HEAD');
    methods.set(fastifyPath(row).replace(/:\w+/g, ':id'), known);
  }
  for (const [url, known] of methods)
    server.route({
      method: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'].filter(
        (method) => !known.has(method),
      ) as 'GET'[],
      url,
      onRequest: async (_, reply) => {
        reply.header('allow', [...known].join(', '));
        throw new Refusal(405, 'This cannot be done here');
      },
      handler: () => undefined,
    });
}

/** What is so malformed that it never becomes a request. */
function onClientError(
  this: FastifyInstance,
  error: Error & { code?: string },
  socket: import('node:net').Socket,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const [status, reason, message] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'Request Header Fields Too Large', 'The headers are too large']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'Request Timeout', 'The request took too long. Please try again.']
        : [400, 'Bad Request', 'The request could not be read'];
  const body = JSON.stringify(errorBody(new Refusal(Number(status), String(message)), newId()));
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n${body}`,
  );
}

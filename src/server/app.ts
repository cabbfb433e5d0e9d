// Creates the HTTP server with the handlers of all features. An endpoint without a handler is a
// type error.
import type { Readable } from 'node:stream';
import compress from '@fastify/compress';
import multipart from '@fastify/multipart';
import rateLimit from '@fastify/rate-limit';
import Fastify, { type FastifyInstance, type FastifyRequest, type FastifyServerOptions, LogController } from 'fastify';
import { defaultJsonLimits } from '#shared/contract.ts';
import { maxReturnQuery, returnPath } from '#shared/sign-in/single-sign-on.ts';
import { accessHandlers } from './access-requests/handlers.ts';
import { activityHandlers } from './activity/handlers.ts';
import { auditHandlers } from './audits/handlers.ts';
import { checklistHandlers } from './checklists/handlers.ts';
import type { Config } from './config.ts';
import { waitUntilDurable } from './db/connect.ts';
import type { Database } from './db/schema.ts';
import { deletionHandlers } from './deletions/handlers.ts';
import { HttpError } from './errors/http-error.ts';
import { exportHandlers } from './exports/handlers.ts';
import { isFullDisk, type SpaceGuard } from './files/disk-space.ts';
import { firstStepsHandlers } from './first-steps/handlers.ts';
import { registerGuestHeaders, registerGuestPages, toDecodableUrl } from './guests/pages.ts';
import { authenticateRequests, rejectDeviceErrors } from './http/authorise.ts';
import { limitConnections } from './http/connections.ts';
import { registerCsrfCheck } from './http/csrf.ts';
import { registerEndpoints } from './http/endpoints.ts';
import { handleBadUrl, handleExpectation, handleMalformedRequest, sendError } from './http/error-handler.ts';
import type { Handlers, Services } from './http/handler-context.ts';
import { registerHeaders } from './http/headers.ts';
import { registerHealth } from './http/health.ts';
import { parseJson } from './http/json.ts';
import { createLoggerOptions, registerRequestLog } from './http/log.ts';
import { multipartLimits } from './http/multipart.ts';
import { registerOpenApi } from './http/openapi.ts';
import { logRejectedRequests } from './http/rejected-request-log.ts';
import { registerRequestTimeout } from './http/request-timeout.ts';
import { registerUnknownRoutes } from './http/unknown-routes.ts';
import { limitUnreadBodies } from './http/unread-body.ts';
import { newId } from './ids.ts';
import { investigationHandlers } from './investigations/handlers.ts';
import { lessonHandlers } from './investigations/lessons.ts';
import { lawHandlers } from './law/handlers.ts';
import { messageHandlers } from './messages/handlers.ts';
import { notificationHandlers } from './notifications/handlers.ts';
import { overviewHandlers } from './overview/handlers.ts';
import { sessionHandler } from './overview/session.ts';
import { packHandlers } from './packs/handlers.ts';
import { parkSettingsHandlers } from './parks/settings.ts';
import { placeHandlers } from './places/handlers.ts';
import { reportHandlers } from './reports/handlers.ts';
import { eraseNameHandlers } from './retention/erase-name-handlers.ts';
import { retentionRunHandlers } from './retention/handlers.ts';
import { holdHandlers } from './retention/hold-handlers.ts';
import { junkHandlers } from './retention/junk.ts';
import { scheduleHandlers } from './schedules/handlers.ts';
import { searchHandlers } from './search/handlers.ts';
import { factorHandlers } from './sign-in/factors/handlers.ts';
import { singleSignOnHandlers } from './sign-in/provider/handlers.ts';
import { systemHandlers } from './system/handlers.ts';
import { uploadHandlers } from './uploads/handlers.ts';
import { registerUploadRoute } from './uploads/upload-route.ts';
import { canReadUpload } from './uploads-access.ts';
import { emailHandlers } from './users/email-handlers.ts';
import { userHandlers } from './users/handlers.ts';
import { inputKeyHandlers } from './users/input-key-handlers.ts';
import { invitationHandlers } from './users/invitations.ts';
import { ownSessionHandlers } from './users/own-sessions.ts';
import { sessionHandlers } from './users/session-handlers.ts';
import { sharedDeviceHandlers } from './users/shared-device-handlers.ts';

const handlers = {
  ...sessionHandlers,
  ...sessionHandler,
  ...sharedDeviceHandlers,
  ...inputKeyHandlers,
  ...singleSignOnHandlers,
  ...uploadHandlers,
  ...reportHandlers,
  ...checklistHandlers,
  ...auditHandlers,
  ...investigationHandlers,
  ...messageHandlers,
  ...junkHandlers,
  ...lessonHandlers,
  ...scheduleHandlers,
  ...searchHandlers,
  ...overviewHandlers,
  ...userHandlers,
  ...emailHandlers,
  ...invitationHandlers,
  ...ownSessionHandlers,
  ...factorHandlers,
  ...activityHandlers,
  ...deletionHandlers,
  ...exportHandlers,
  ...lawHandlers,
  ...parkSettingsHandlers,
  ...placeHandlers,
  ...holdHandlers,
  ...notificationHandlers,
  ...retentionRunHandlers,
  ...eraseNameHandlers,
  ...accessHandlers,
  ...packHandlers,
  ...systemHandlers,
  ...firstStepsHandlers,
} satisfies Handlers;

const maxUrlLength = 2048;

/** Longer for the return from single sign-on, because providers add a long query. */
const getMaxUrlLength = (url: string) => (url.startsWith(`${returnPath}?`) ? maxReturnQuery : maxUrlLength);

export type RegisterPages = (server: FastifyInstance, config: Config) => Promise<void>;

/** All services except the log, which the server creates. */
type AppServices = Omit<Services, 'log'>;

/** Returns the server of the app, ready to listen. The caller closes the services. */
export async function createApp(parts: AppServices, registerPages: RegisterPages): Promise<FastifyInstance> {
  const { config } = parts;
  const server = createServer(parts, { isSecure: config.isSecure });
  const services: Services = { ...parts, log: server.log };
  server.setErrorHandler(sendError);
  registerCsrfCheck(server, config.publicUrl);
  authenticateRequests(server, services);
  limitConnections(server, config);
  logRejectedRequests(server, services);
  delayResponsesUntilSynced(server, parts.db);
  await registerRateLimit(server, config);
  rejectDeviceErrors(server);
  registerUnknownRoutes(server);
  server.removeContentTypeParser(['text/plain', 'application/json']);
  server.addContentTypeParser('application/json', (request: FastifyRequest, payload: Readable) => {
    const limits = request.routeOptions.config.json ?? defaultJsonLimits;
    const size = limits.bytes > 2 ** 20 ? 'large' : 'small';
    return parts.receiver.receive(request, size, () => parseJson(payload, request.headers['content-length'], limits));
  });
  await registerContent(server);

  registerEndpoints(server, services, handlers);
  registerOpenApi(server, config.isSecure);
  registerUploadRoute(server, services, canReadUpload);
  registerHealth(server, services);
  await registerPages(server, config);
  return server;
}

/**
 * Returns the server of the pages for guests, ready to listen. It reads no session and has no other route. Its log
 * has no ids of requests.
 */
export async function createGuestApp(parts: AppServices): Promise<FastifyInstance> {
  const { config } = parts;
  const isSecure = config.guestUrl.startsWith('https:');
  const server = createServer(parts, { isSecure, childLoggerFactory: (log) => log, rewriteUrl: toDecodableUrl });
  registerGuestHeaders(server);
  registerCsrfCheck(server, config.guestUrl);
  limitConnections(server, config);
  delayResponsesUntilSynced(server, parts.db);
  server.removeAllContentTypeParsers();
  await registerContent(server);
  registerGuestPages(server, { ...parts, log: server.log });
  return server;
}

/**
 * Returns a server with what the app's and the guests' server share: limits, headers, log, first
 * checks of a request.
 */
function createServer(
  { config, requestTracker, receiver, space }: AppServices,
  { isSecure, ...options }: { isSecure: boolean } & Pick<FastifyServerOptions, 'childLoggerFactory' | 'rewriteUrl'>,
): FastifyInstance {
  const server = Fastify({
    ...options,
    logger: createLoggerOptions(config.logLevel),
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustProxy,
    genReqId: () => newId(),
    // The body receiver ends slow bodies. This limit covers requests that do not reach it.
    requestTimeout: 11 * 60_000,
    connectionTimeout: 120_000,
    keepAliveTimeout: 30_000,
    routerOptions: { maxParamLength: maxUrlLength, ignoreTrailingSlash: false },
    exposeHeadRoutes: true,
    clientErrorHandler: handleMalformedRequest(isSecure),
    frameworkErrors: handleBadUrl(isSecure),
    // Node would reject a missing Host header with an empty response, so registerRequestChecks does
    // it.
    http: { headersTimeout: 15_000, maxHeaderSize: 32 * 1024, requireHostHeader: false },
  });
  server.server.on('checkExpectation', handleExpectation(isSecure));
  registerHeaders(server, isSecure);
  registerRequestLog(server);
  requestTracker.register(server);
  registerRequestTimeout(server, config.responseTimeoutMs);
  receiver.register(server);
  limitUnreadBodies(server);
  registerBallastRelease(server, space);
  registerRequestChecks(server);
  return server;
}

/** Registers the check of encodings, the compression of responses, and the parser of uploaded files. */
async function registerContent(server: FastifyInstance): Promise<void> {
  registerEncodingCheck(server);
  await server.register(compress, {
    encodings: ['br', 'gzip', 'identity'],
    threshold: 1024,
    brotliOptions: { params: { 1: 4 } },
  });
  await server.register(multipart, { limits: multipartLimits, throwFileSizeLimit: true });
}

/**
 * No response is sent before every commit it could show is on disk. Streamed lists wait at each
 * page; see http/send-reply.ts.
 */
function delayResponsesUntilSynced(server: FastifyInstance, db: Database): void {
  server.addHook('onSend', async () => waitUntilDurable(db));
}

/**
 * Releases the ballast on a full disk, so that users can still sign in and delete: before a request
 * if the disk is nearly full, otherwise after the first failed write.
 */
function registerBallastRelease(server: FastifyInstance, space: SpaceGuard): void {
  server.addHook('onRequest', ({ log }) =>
    space.releaseBallastIfLow().catch((error) => log.error({ err: error }, 'the free space of the disk is not known')),
  );
  server.addHook('onError', async (_request, _reply, error) => {
    if (isFullDisk(error)) await space.releaseBallast();
  });
}

function registerRequestChecks(server: FastifyInstance): void {
  server.addHook('onRequest', async ({ raw, url }) => {
    if (url.length > getMaxUrlLength(url)) throw new HttpError(400, 'This URL is too long');
    // Reject two Host headers, because a proxy and the server may each use a different one.
    const hostHeaders = raw.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
    if (hostHeaders.length !== 1) throw new HttpError(400, 'The request could not be read');
  });
}

/** Rejects compressed bodies, since a small one can unpack to a huge one. */
function registerEncodingCheck(server: FastifyInstance): void {
  server.addHook('preParsing', async ({ headers }) => {
    if ((headers['content-encoding'] ?? 'identity') !== 'identity')
      throw new HttpError(415, 'Send the content without compression');
  });
}

/**
 * Limits requests a minute: per user, in all their sessions together; without a session per browser in which
 * someone has signed in before, or per network.
 */
async function registerRateLimit(server: FastifyInstance, { rates }: Config): Promise<void> {
  await server.register(rateLimit, {
    // The plugin's own hook would run after the hooks of each endpoint. This one is added first, so
    // that requests which those reject count too.
    global: false,
    timeWindow: '1 minute',
    keyGenerator: ({ caller }) => caller,
    max: ({ user }) => (user ? rates.perUser : rates.perNetwork),
    allowList: ({ url, routeOptions }) => url.startsWith('/assets/') || routeOptions.config?.isUnlimited === true,
    errorResponseBuilder: (_, { ttl }) =>
      new HttpError(429, 'Too many requests. Please wait a moment and try again.', {
        retryAfter: Math.ceil(ttl / 1000),
      }),
    addHeaders: {
      'x-ratelimit-limit': false,
      'x-ratelimit-remaining': false,
      'x-ratelimit-reset': false,
      'retry-after': false,
    },
    addHeadersOnExceeding: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
  });
  server.addHook('onRequest', server.rateLimit());
}

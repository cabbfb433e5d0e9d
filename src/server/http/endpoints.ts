// Registers every endpoint of the contract: authorise, parse, handle, reply.
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { isAllowed } from '#shared/access.ts';
import { api, type EndpointName } from '#shared/api.ts';
import { defaultJsonLimits, type Endpoint, isMultipart, type JsonLimits } from '#shared/contract.ts';
import { hashWithSalt } from '../auth/passwords.ts';
import { findSession, parseSessionToken, type SignedInUser } from '../auth/session.ts';
import type { ActivityEntry } from '../db/activity-log.ts';
import { durable } from '../db/connect.ts';
import {
  createFingerprints,
  type IdempotentRequest,
  parseIdempotencyKey,
  Replay,
  storeReply,
  throwStoredReply,
} from '../db/idempotency.ts';
import { ReadyJson } from '../db/json-rows.ts';
import type { Database } from '../db/schema.ts';
import { createSearch } from '../db/search-thread.ts';
import { countAttempt } from '../db/throttle.ts';
import { type TransactionWork, writeLogEntry, writeTransaction } from '../db/write-transaction.ts';
import { HttpError } from '../errors/http-error.ts';
import { getValidationMessage, notAnObjectMessage } from '../errors/validation-messages.ts';
import type { BodyReceiver } from './body-receiver.ts';
import { createContentDisposition } from './content-disposition.ts';
import { applyIfMatch, setETag } from './etag.ts';
import type { FileReply, HandlerContext, Handlers, ReceivedFile, Services } from './handler-context.ts';
import { pdfCsp } from './headers.ts';
import { assertValidJson } from './json.ts';
import { parseMultipart } from './multipart.ts';
import { delayResponse, throwIfTimedOut } from './request-timeout.ts';
import { createTurns, type Turns } from './turns.ts';

declare module 'fastify' {
  interface FastifyRequest {
    user: SignedInUser | undefined;
  }
  interface FastifyContextConfig {
    json?: JsonLimits;
  }
}

/** Of one user. A screen asks for two. */
const heavyAtOnce = 2;

const idPattern = /^[A-Za-z0-9_-]{1,40}$/;

const toFastifyPath = (endpoint: Endpoint) => endpoint.path.replace(/\{(\w+)\}/g, ':$1');

/** Adds a route for every endpoint. */
export function registerEndpoints(server: FastifyInstance, services: Services, handlers: Handlers): void {
  const turns = createTurns(heavyAtOnce);
  for (const name of Object.keys(handlers) as EndpointName[]) {
    const endpoint: Endpoint = api[name];
    const handler = handlers[name] as unknown as AnyHandler;
    server.route({
      method: endpoint.method,
      url: toFastifyPath(endpoint),
      config: { json: { ...defaultJsonLimits, ...endpoint.json } },
      ...(typeof endpoint.reply === 'object' && {
        schema: { response: { [endpoint.status]: z.toJSONSchema(endpoint.reply, { target: 'draft-7' }) } },
      }),
      onRequest: (request) => authorise(services, endpoint, request),
      handler: (request, reply) => handleRequest(services, turns, endpoint, name, handler, request, reply),
    });
  }
}

/**
 * Requests that browsers make by themselves to update cached screens: no sign of a user's presence.
 */
const backgroundRequest = /^\/(?:assets\/|sw\.js|index\.html|operator-logo|manifest\.webmanifest|icons\/)/;

type AnyHandler = (context: HandlerContext<Endpoint>) => Promise<unknown>;

/** Sets the request's user first, because rate limits depend on it. */
export function authenticateRequests(server: FastifyInstance, { db, config, clock }: Services): void {
  server.decorateRequest('user', undefined);
  server.addHook('onRequest', async (request) => {
    const token = parseSessionToken(request.headers.cookie, config.isSecure);
    if (token && !backgroundRequest.test(request.url))
      request.user = await findSession(db, token, config.sessions, clock());
  });
}

/** Checks session, role and rate limit before the body is read. */
export async function authorise(
  { db, config, clock }: Services,
  endpoint: Pick<Endpoint, 'access' | 'path' | 'perMinute' | 'allowedBeforePasswordChange'>,
  request: FastifyRequest,
): Promise<void> {
  const now = clock();
  const { user } = request;
  if (endpoint.access !== 'anyone' && !user) throw new HttpError(401, 'Please sign in');
  // Input sent later from a shared device must be sent as the user who submitted it.
  const meantFor = request.headers['x-user-id'];
  if (endpoint.access !== 'anyone' && meantFor !== undefined && meantFor !== user?.id)
    throw new HttpError(401, 'Please sign in', { code: 'OTHER_USER' });
  if (!isAllowed(endpoint.access, user?.role)) throw new HttpError(403, 'You do not have access to this');
  if (user?.mustChangePassword && endpoint.access !== 'anyone' && !endpoint.allowedBeforePasswordChange)
    throw new HttpError(403, 'Please choose a new password first', { code: 'PASSWORD_CHANGE_NEEDED' });
  if (!endpoint.perMinute) return;
  const { count, retryAfter } = await countAttempt(db, `${endpoint.path} ${user?.id ?? request.ip}`, 60, now);
  if (count <= endpoint.perMinute * config.rates.scale) return;
  throw new HttpError(429, 'Too many requests. Please wait a moment and try again.', { retryAfter });
}

async function handleRequest(
  services: Services,
  turns: Turns,
  endpoint: Endpoint,
  name: EndpointName,
  handler: AnyHandler,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  if (endpoint.isHeavy && request.user) {
    reply.raw.once('close', () => turns.release(request));
    await turns.take(request, request.user.id);
  }
  const now = services.clock();
  const { query, body, file } = await parseRequest(services.receiver, endpoint, request);
  const idempotentRequest = await createIdempotentRequest(endpoint, name, request, { query, body, file: file?.bytes });
  const actor = getActor(request);
  const context = {
    ...services,
    params: parseParams(endpoint, request),
    query,
    body,
    file,
    user: request.user,
    ip: request.ip,
    now,
    writeTransaction: <T>(transactionWork: TransactionWork<T>) =>
      writeTransaction(services.db, actor, now, async (db, logActivity) => {
        throwIfTimedOut(request);
        if (idempotentRequest) await throwStoredReply(db, idempotentRequest);
        const result = await transactionWork(db, logActivity);
        if (idempotentRequest) await storeReply(db, idempotentRequest, endpoint.status, result, now);
        return result;
      }),
    logActivity: (entry: ActivityEntry) => writeLogEntry(services.db, actor, now, entry),
    search: createSearch(services.db, services.reader, getSignal(reply)),
    delayResponse: (ms: number) => delayResponse(request, ms),
    setCookie: (cookie: string) => void reply.header('set-cookie', cookie),
  } as unknown as HandlerContext<Endpoint>;
  try {
    if (idempotentRequest) await throwStoredReply(services.db, idempotentRequest);
    if (needsDiskSpace(endpoint)) await services.space.check('write');
    return await sendReply(services.db, endpoint, reply, await handler(context));
  } catch (error) {
    if (!(error instanceof Replay)) throw error;
    return reply
      .code(error.status)
      .header('idempotency-replayed', 'true')
      .type('application/json; charset=utf-8')
      .serializer(String)
      .send(error.body);
  }
}

/** Aborts when the connection of the request has closed or its response was sent. */
function getSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => controller.abort());
  return controller.signal;
}

/** Sign-ins and deletions work even on an almost full disk. */
const needsDiskSpace = (endpoint: Endpoint) =>
  endpoint.access !== 'anyone' && (endpoint.method === 'POST' || endpoint.method === 'PUT');

async function parseRequest(receiver: BodyReceiver, endpoint: Endpoint, request: FastifyRequest) {
  assertValidJson(request.query);
  const query = endpoint.query ? validate(endpoint.query, request.query) : undefined;
  if (!isMultipart(endpoint.body)) {
    assertJsonContentType(request);
    // Treat a missing body as `{}`; reject anything but an object.
    const { body: sent = {} } = request;
    if (!isObject(sent)) throw new HttpError(400, notAnObjectMessage, { code: 'INVALID' });
    const body = endpoint.body && validate(endpoint.body, sent);
    return {
      query,
      body: endpoint.method === 'PUT' ? applyIfMatch(body, request.headers['if-match']) : body,
      file: undefined,
    };
  }
  const { file, fields } = await parseMultipart(receiver, request, endpoint.body);
  assertValidJson(fields);
  return { query, body: validate(endpoint.body.fields, fields), file };
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Other sites can send forms without CORS, so only endpoints with a form body accept them. */
function assertJsonContentType({ headers }: FastifyRequest): void {
  const type = headers['content-type'];
  if (type !== undefined && !/^application\/json\s*(?:;|$)/i.test(type))
    throw new HttpError(415, 'This type of content is not accepted');
}

/** Returns the parsed value; throws 400 with a message per invalid field. */
function validate(schema: z.ZodMiniType, value: unknown): unknown {
  const read = schema.safeParse(value, { error: getValidationMessage });
  if (read.success) return read.data;
  const fields: Record<string, string> = {};
  for (const issue of read.error.issues) fields[issue.path.join('.')] ??= issue.message;
  throw new HttpError(400, read.error.issues[0]?.message ?? 'Please check what you entered', {
    code: 'INVALID',
    fields,
  });
}

/**
 * Returns the path parameters. Nothing has a malformed id, so it gets a 404 unless the endpoint
 * says otherwise.
 */
function parseParams(endpoint: Endpoint, request: FastifyRequest): Record<string, string> {
  const params = request.params as Record<string, string>;
  if (Object.values(params).every((value) => idPattern.test(value))) return params;
  throw endpoint.invalidId
    ? new HttpError(endpoint.invalidId.status, endpoint.invalidId.message)
    : new HttpError(404, 'Not found');
}

async function createIdempotentRequest(
  endpoint: Endpoint,
  name: EndpointName,
  request: FastifyRequest,
  sent: { query: unknown; body: unknown; file: ReceivedFile['bytes'] | undefined },
): Promise<IdempotentRequest | undefined> {
  const key = endpoint.idempotent && request.user ? parseIdempotencyKey(request.headers['idempotency-key']) : undefined;
  if (!key || !request.user) return undefined;
  const { password } = Object(sent.body) as { password?: unknown };
  const secret = typeof password === 'string' ? await hashWithSalt(password, `${request.user.id} ${key}`) : '';
  return { user_id: request.user.id, route: name, key, ...createFingerprints({ ...sent, secret }) };
}

export const getActor = (request: FastifyRequest) => ({
  id: request.user?.id ?? null,
  name: request.user?.username ?? '',
  ip: request.ip,
  requestId: request.id,
});

function sendReply(db: Database, endpoint: Endpoint, reply: FastifyReply, result: unknown) {
  reply.code(endpoint.status);
  if (endpoint.reply === 'pdf') {
    const { pdf, fileName } = result as { pdf: Uint8Array; fileName: string };
    return reply
      .type('application/pdf')
      .header('content-security-policy', pdfCsp)
      .header('content-disposition', createContentDisposition(fileName))
      .send(Buffer.from(pdf));
  }
  if (endpoint.reply === 'file') {
    const { content, type, fileName } = result as FileReply;
    return reply.type(type).header('content-disposition', `attachment; filename="${fileName}"`).send(content);
  }
  reply.type('application/json; charset=utf-8');
  if (result instanceof ReadyJson) return reply.serializer(String).send(result.text);
  setETag(reply, result);
  if (!isPages(result)) return reply.send(result);
  return reply.send(Readable.from(streamJsonList(db, result, getSerializer(reply, endpoint.status))));
}

/** The endpoint's own serializer; Fastify's types only know it by content type. */
const getSerializer = (reply: FastifyReply, status: number) =>
  reply.getSerializationFunction(String(status)) as unknown as (page: unknown) => string;

const isPages = (result: unknown): result is AsyncIterable<unknown[]> =>
  typeof result === 'object' && result !== null && Symbol.asyncIterator in result;

/** Streams one JSON array page by page. Each page is sent after everything it shows is on disk. */
async function* streamJsonList(db: Database, pages: AsyncIterable<unknown[]>, serialize: (page: unknown) => string) {
  let separator = '[';
  for await (const page of pages) {
    if (page.length === 0) continue;
    await durable(db);
    yield separator + serialize(page).slice(1, -1);
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}

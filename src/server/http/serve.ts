// One loop over the table of calls: admit → parse → handle → reply.
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { isAllowed } from '#shared/access.ts';
import { api, type EndpointName } from '#shared/api.ts';
import { defaultJsonLimits, type Endpoint, isMultipart, type JsonLimits } from '#shared/contract.ts';
import type { ActivityEntry } from '../db/activity-log.ts';
import { durable } from '../db/connect.ts';
import {
  createFingerprint,
  type IdempotentRequest,
  parseIdempotencyKey,
  Replay,
  storeReply,
  throwStoredReply,
} from '../db/idempotency.ts';
import type { Database } from '../db/schema.ts';
import { countAttempt } from '../db/throttle.ts';
import { type TransactionWork, writeTransaction } from '../db/write-transaction.ts';
import { HttpError } from '../errors/http-error.ts';
import { getValidationMessage, notAnObjectMessage } from '../errors/validation-messages.ts';
import type { BodyReceiver } from './body-receiver.ts';
import type { Call, Handlers, ReceivedFile, Services } from './call.ts';
import { pdfCsp } from './headers.ts';
import { refuseUnsound } from './json.ts';
import { readForm } from './multipart.ts';
import { findSession, readToken, type SignedIn } from './session.ts';
import { tellVersion, withIfMatch } from './versions.ts';
import { holdUp, refuseIfOver } from './waiting.ts';

declare module 'fastify' {
  interface FastifyRequest {
    user: SignedIn | undefined;
  }
  interface FastifyContextConfig {
    json?: JsonLimits;
  }
}

const wellFormedId = /^[A-Za-z0-9_-]{1,40}$/;

const fastifyPath = (row: Endpoint) => row.path.replace(/\{(\w+)\}/g, ':$1');

/** Adds a route for every row of the table. */
export function serve(server: FastifyInstance, services: Services, handlers: Handlers): void {
  for (const name of Object.keys(handlers) as EndpointName[]) {
    const row: Endpoint = api[name];
    const handler = handlers[name] as unknown as AnyHandler;
    server.route({
      method: row.method,
      url: fastifyPath(row),
      config: { json: { ...defaultJsonLimits, ...row.json } },
      ...(row.reply !== 'pdf' && {
        schema: { response: { [row.status]: z.toJSONSchema(row.reply, { target: 'draft-7' }) } },
      }),
      onRequest: (request) => admit(services, row, request),
      handler: (request, reply) => answer(services, row, name, handler, request, reply),
    });
  }
}

/** What a browser also asks for by itself, to keep the screens on the device: no sign that somebody is there. */
const askedByItself = /^\/(?:assets\/|sw\.js|index\.html|operator-logo|manifest\.webmanifest|icons\/)/;

type AnyHandler = (call: Call<Endpoint>) => Promise<unknown>;

/** Finds out who asks, first of all: how much they may ask depends on it. */
export function recogniseCallers(server: FastifyInstance, { db, config, clock }: Services): void {
  server.decorateRequest('user', undefined);
  server.addHook('onRequest', async (request) => {
    const token = readToken(request.headers.cookie, config.isSecure);
    if (token && !askedByItself.test(request.url))
      request.user = await findSession(db, token, config.sessions, clock());
  });
}

/** Lets a request in before a byte of its body is read: a session, a role, and calls left in this minute. */
export async function admit(
  { db, config, clock }: Services,
  row: Pick<Endpoint, 'access' | 'path' | 'perMinute' | 'allowedBeforePasswordChange'>,
  request: FastifyRequest,
): Promise<void> {
  const now = clock();
  const { user } = request;
  if (row.access !== 'anyone' && !user) throw new HttpError(401, 'Please sign in');
  // What waits on a shared device is sent for the user who submitted it, or not at all.
  const meantFor = request.headers['x-user-id'];
  if (row.access !== 'anyone' && meantFor !== undefined && meantFor !== user?.id)
    throw new HttpError(401, 'Please sign in', { code: 'OTHER_USER' });
  if (!isAllowed(row.access, user?.role)) throw new HttpError(403, 'You do not have access to this');
  if (user?.mustChangePassword && row.access !== 'anyone' && !row.allowedBeforePasswordChange)
    throw new HttpError(403, 'Please choose a new password first', { code: 'PASSWORD_CHANGE_NEEDED' });
  if (!row.perMinute) return;
  const { count, retryAfter } = await countAttempt(db, `${row.path} ${user?.id ?? request.ip}`, 60, now);
  if (count <= row.perMinute * config.rates.scale) return;
  throw new HttpError(429, 'Too many requests. Please wait a moment and try again.', { retryAfter });
}

async function answer(
  services: Services,
  row: Endpoint,
  name: EndpointName,
  handler: AnyHandler,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const now = services.clock();
  const { query, body, file } = await parse(services.receiver, row, request);
  const keyed = keyedCall(row, name, request, { body, file: file?.bytes });
  const actor = actorOf(request);
  const call = {
    ...services,
    params: readParams(row, request),
    query,
    body,
    file,
    user: request.user,
    ip: request.ip,
    now,
    writeTransaction: <T>(work: TransactionWork<T>) =>
      writeTransaction(services.db, actor, now, async (db, logActivity) => {
        refuseIfOver(request);
        if (keyed) await throwStoredReply(db, keyed);
        const result = await work(db, logActivity);
        if (keyed) await storeReply(db, keyed, row.status, result, now);
        return result;
      }),
    logActivity: (entry: ActivityEntry) =>
      writeTransaction(services.db, actor, now, async (_, logActivity) => logActivity(entry)),
    holdUp: (ms: number) => holdUp(request, ms),
    setCookie: (cookie: string) => void reply.header('set-cookie', cookie),
  } as unknown as Call<Endpoint>;
  try {
    if (keyed) await throwStoredReply(services.db, keyed);
    if (takesRoom(row)) await services.space.check('write');
    return await send(services.db, row, reply, await handler(call));
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

/** Signing in and deleting go on when the disk is all but full. */
const takesRoom = (row: Endpoint) => row.access !== 'anyone' && (row.method === 'POST' || row.method === 'PUT');

async function parse(receiver: BodyReceiver, row: Endpoint, request: FastifyRequest) {
  refuseUnsound(request.query);
  const query = row.query ? check(row.query, request.query) : undefined;
  if (!isMultipart(row.body)) {
    refuseForms(request);
    // No body at all is a body that says nothing; one that is no object says something that no call understands.
    const { body: sent = {} } = request;
    if (!isObject(sent)) throw new HttpError(400, notAnObjectMessage, { code: 'INVALID' });
    const body = row.body && check(row.body, sent);
    return {
      query,
      body: row.method === 'PUT' ? withIfMatch(body, request.headers['if-match']) : body,
      file: undefined,
    };
  }
  const { file, fields } = await readForm(receiver, request, row.body);
  refuseUnsound(fields);
  return { query, body: check(row.body.fields, fields), file };
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A form is what another site's page could send: a call that takes none answers none, even where it reads no body at all. */
function refuseForms({ headers }: FastifyRequest): void {
  const type = headers['content-type'];
  if (type !== undefined && !/^application\/json\s*(?:;|$)/i.test(type))
    throw new HttpError(415, 'This type of content is not accepted');
}

/** The parsed value, or a 400 with a message for each faulty field. */
function check(schema: z.ZodMiniType, value: unknown): unknown {
  const read = schema.safeParse(value, { error: getValidationMessage });
  if (read.success) return read.data;
  const fields: Record<string, string> = {};
  for (const issue of read.error.issues) fields[issue.path.join('.')] ??= issue.message;
  throw new HttpError(400, read.error.issues[0]?.message ?? 'Please check what you entered', {
    code: 'INVALID',
    fields,
  });
}

/** `{id}`s as they were sent; one that cannot be an id is of nothing there is. */
function readParams(row: Endpoint, request: FastifyRequest): Record<string, string> {
  const params = request.params as Record<string, string>;
  if (Object.values(params).every((value) => wellFormedId.test(value))) return params;
  throw row.invalidId ? new HttpError(row.invalidId.status, row.invalidId.message) : new HttpError(404, 'Not found');
}

function keyedCall(
  row: Endpoint,
  name: EndpointName,
  request: FastifyRequest,
  sent: { body: unknown; file: ReceivedFile['bytes'] | undefined },
): IdempotentRequest | undefined {
  const key = row.idempotent && request.user ? parseIdempotencyKey(request.headers['idempotency-key']) : undefined;
  if (!key || !request.user) return undefined;
  return { user_id: request.user.id, route: name, key, fingerprint: createFingerprint(sent) };
}

export const actorOf = (request: FastifyRequest) => ({
  id: request.user?.id ?? null,
  name: request.user?.username ?? '',
  ip: request.ip,
  requestId: request.id,
});

function send(db: Database, row: Endpoint, reply: FastifyReply, result: unknown) {
  reply.code(row.status);
  if (row.reply === 'pdf') {
    const { pdf, fileName } = result as { pdf: Uint8Array; fileName: string };
    return reply
      .type('application/pdf')
      .header('content-security-policy', pdfCsp)
      .header('content-disposition', `inline; filename="${fileName}"`)
      .send(Buffer.from(pdf));
  }
  reply.type('application/json; charset=utf-8');
  tellVersion(reply, result);
  if (!isPages(result)) return reply.send(result);
  return reply.send(Readable.from(jsonList(db, result, serializerOf(reply, row.status))));
}

/** The row's own serializer; Fastify's types know it by content type only. */
const serializerOf = (reply: FastifyReply, status: number) =>
  reply.getSerializationFunction(String(status)) as unknown as (page: unknown) => string;

const isPages = (result: unknown): result is AsyncIterable<unknown[]> =>
  typeof result === 'object' && result !== null && Symbol.asyncIterator in result;

/** One JSON array, page by page, each through the row's own serializer; none before what it shows is on the disk. */
async function* jsonList(db: Database, pages: AsyncIterable<unknown[]>, serialize: (page: unknown) => string) {
  let separator = '[';
  for await (const page of pages) {
    if (page.length === 0) continue;
    await durable(db);
    yield separator + serialize(page).slice(1, -1);
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}

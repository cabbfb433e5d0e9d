// Calls the handler of an endpoint, at most once for each idempotency key.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { EndpointName } from '#shared/api.ts';
import type { Endpoint } from '#shared/contract.ts';
import { successReply } from '#shared/replies.ts';
import type { ActivityEntry } from '../db/activity-log.ts';
import {
  createFingerprints,
  FileDigest,
  findStoredReply,
  type IdempotentRequest,
  parseIdempotencyKey,
  Replay,
  storeReply,
} from '../db/idempotency.ts';
import { createSearchRunner } from '../db/search-runner.ts';
import { type TransactionWork, writeLogEntry, writeTransaction } from '../db/write-transaction.ts';
import { hashWithSalt } from '../sign-in/session/passwords.ts';
import { getActor } from './actor.ts';
import { isForFormerUser, isFromSharedDevice } from './authorise.ts';
import { getOrigin } from './csrf.ts';
import type { HandlerContext, Services } from './handler-context.ts';
import type { ParsedRequest } from './parse-request.ts';
import { delayResponse, restartTimeout, throwIfTimedOut } from './request-timeout.ts';

export type AnyHandler = (context: HandlerContext<Endpoint>) => Promise<unknown>;

/** A request to an endpoint, authorised and parsed. */
type EndpointRequest = {
  name: EndpointName;
  endpoint: Endpoint;
  handler: AnyHandler;
  request: FastifyRequest;
  reply: FastifyReply;
  parsed: ParsedRequest;
  now: Date;
};

/** Returns what the handler returns, by default `successReply`, or a `Replay` if this request has been handled before. */
export async function handleRequest(services: Services, call: EndpointRequest): Promise<unknown> {
  const { endpoint, handler } = call;
  const idempotentRequest = await createIdempotentRequest(call);
  const storedReply = idempotentRequest && (await findStoredReply(services.db, idempotentRequest));
  if (storedReply) return storedReply;
  if (needsDiskSpace(endpoint)) await services.space.check('write');
  try {
    return (await handler(createContext(services, call, idempotentRequest))) ?? successReply;
  } catch (error) {
    if (error instanceof Replay) return error;
    throw error;
  }
}

function createContext(
  services: Services,
  { endpoint, request, reply, parsed, now }: EndpointRequest,
  idempotentRequest: IdempotentRequest | undefined,
): HandlerContext<Endpoint> {
  const { db, reader } = services;
  const actor = getActor(request);
  let signal: AbortSignal | undefined;
  const getSignal = () => (signal ??= createSignal(reply));
  const context = {
    ...services,
    ...parsed,
    user: request.user,
    ip: request.ip,
    knowsNewTypes: request.headers['x-types'] === '2',
    knowsParkList: request.headers['x-parks'] === '1',
    userAgent: request.headers['user-agent'] ?? '',
    origin: getOrigin(request, services.config.publicUrl),
    cookies: request.headers.cookie,
    now,
    isForSomeoneElse: isForFormerUser(request) || isFromSharedDevice(request),
    writeTransaction: <T>(transactionWork: TransactionWork<T>) =>
      writeTransaction(db, actor, now, async (db, logActivity) => {
        throwIfTimedOut(request);
        // Look again inside the transaction: the same request may have arrived twice at once, and
        // the other one may have committed in the meantime.
        const storedReply = idempotentRequest && (await findStoredReply(db, idempotentRequest));
        if (storedReply) throw storedReply;
        const result = await transactionWork(db, logActivity);
        if (idempotentRequest) {
          const record = getRecord(endpoint, parsed, result);
          const body = result ?? successReply;
          await storeReply(db, idempotentRequest, { status: endpoint.status, body, record, now });
        }
        return result;
      }),
    logActivity: (entry: ActivityEntry) => writeLogEntry(db, actor, now, entry),
    get key() {
      return parseIdempotencyKey(request.headers['idempotency-key']);
    },
    get signal() {
      return getSignal();
    },
    search: createSearchRunner(db, reader, getSignal),
    delayResponse: (ms: number) => delayResponse(request, ms),
    restartTimeout: () => restartTimeout(request),
    setCookie: (cookie: string) => void reply.header('set-cookie', cookie),
  };
  return context as unknown as HandlerContext<Endpoint>;
}

/** Returns the id of the record, or the path of the upload, with which the stored reply is deleted. */
function getRecord({ idempotent = 'noRecord' }: Endpoint, { params }: ParsedRequest, reply: unknown): string | null {
  if (idempotent === 'noRecord') return null;
  const [, member] = idempotent.split('.') as [string, string];
  const record = Object(idempotent === 'path.id' ? params : reply)[member];
  if (typeof record !== 'string') throw new Error(`The request has no ${idempotent} to store its reply with.`);
  return record;
}

/** Aborts when the connection of the request has closed or its response was sent. */
function createSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  if (reply.raw.closed) controller.abort();
  reply.raw.once('close', () => controller.abort());
  return controller.signal;
}

/** Whether a request is rejected while the disk is nearly full. Sign-ins and deletions are not. */
const needsDiskSpace = (endpoint: Endpoint) =>
  endpoint.access !== 'anyone' && (endpoint.method === 'POST' || endpoint.method === 'PUT');

async function createIdempotentRequest({
  endpoint,
  name,
  request,
  parsed,
}: EndpointRequest): Promise<IdempotentRequest | undefined> {
  const { query, body, file } = parsed;
  const key = endpoint.idempotent && request.user ? parseIdempotencyKey(request.headers['idempotency-key']) : undefined;
  if (!key || !request.user) return undefined;
  const { password } = Object(body) as { password?: unknown };
  const secret = typeof password === 'string' ? await hashWithSalt(password, `${request.user.id} ${key}`) : '';
  return {
    // Look for the key among those of the deleted user, whose request may have arrived before the
    // deletion.
    user_id: request.submittedFor ?? request.user.id,
    route: name,
    key,
    ...createFingerprints({ query, body, file: file && new FileDigest(file.sha256), secret }),
  };
}

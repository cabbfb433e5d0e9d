// Registers every endpoint of the contract: authorise, parse, handle, reply.
import type { FastifyInstance } from 'fastify';
import { contract, type EndpointName } from '#shared/api.ts';
import { defaultJsonLimits, type Endpoint, type JsonLimits } from '#shared/contract.ts';
import { Replay } from '../db/idempotency.ts';
import { deleteTemporary } from '../files/temporary-files.ts';
import { authorise, isFromSharedDevice } from './authorise.ts';
import { type AnyHandler, handleRequest } from './handle-request.ts';
import type { Handlers, Services } from './handler-context.ts';
import { parseRequest } from './parse-request.ts';
import { sendReceipt, sendReplay, sendReply } from './send-reply.ts';
import { createTurnQueue } from './turns.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    json?: JsonLimits;
    /** Requests of this route do not count in the limits a minute. */
    isUnlimited?: boolean;
  }
}

/** The limit of concurrent expensive requests of one user. A screen sends at most two. */
const maxConcurrentHeavy = 2;

const toFastifyPath = (endpoint: Endpoint) => endpoint.path.replace(/\{(\w+)\}/g, ':$1');

/** Adds a route for every endpoint of the contract. */
export function registerEndpoints(server: FastifyInstance, services: Services, handlers: Handlers): void {
  const turns = createTurnQueue(maxConcurrentHeavy);
  for (const name of Object.keys(handlers) as EndpointName[]) {
    const endpoint: Endpoint = contract[name];
    const handler = handlers[name] as unknown as AnyHandler;
    server.route({
      method: endpoint.method,
      url: toFastifyPath(endpoint),
      config: { json: { ...defaultJsonLimits, ...endpoint.json } },
      onRequest: (request) => authorise(services, endpoint, request),
      async handler(request, reply) {
        if (endpoint.isHeavy && request.user) {
          reply.raw.once('close', () => turns.release(request));
          await turns.take(request, request.user.id);
        }
        const now = services.clock();
        const parsedRequest = await parseRequest(services, endpoint, request);
        try {
          const result = await handleRequest(services, {
            name,
            endpoint,
            handler,
            request,
            reply,
            parsed: parsedRequest,
            now,
          });
          const isReceipt = isFromSharedDevice(request);
          if (result instanceof Replay) return sendReplay(endpoint, reply, result, isReceipt);
          if (isReceipt) return sendReceipt(endpoint, reply, result);
          return sendReply(services.db, endpoint, reply, result);
        } finally {
          await deleteTemporary(parsedRequest.file?.path);
        }
      },
    });
  }
}

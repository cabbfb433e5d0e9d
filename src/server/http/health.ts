// Reports the health of this instance to load balancers and monitoring, with details only for
// requests from this machine. An unreachable bucket is reported but does not make the instance
// unhealthy: most requests still work, and other instances have the same problem.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { getEngine, isResponding } from '../db/connect.ts';
import type { Services } from './handler-context.ts';

const startedAt = Date.now();
const loopback = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);

/** Whether a request comes from this machine, and not through a proxy on it. */
const isLocal = ({ socket, headers }: FastifyRequest) =>
  loopback.has(socket.remoteAddress ?? '') &&
  !headers['x-forwarded-for'] &&
  !headers.forwarded &&
  !headers['x-real-ip'] &&
  !headers.via;

export function registerHealth(
  server: FastifyInstance,
  { db, files, space, requestTracker, receiver, integrity }: Services,
): void {
  server.get('/healthz', { config: { rateLimit: false } }, async (request, reply) => {
    const isAvailable = !integrity.problem && (await isResponding(db));
    // Users can still read, so a full disk does not make the instance unhealthy.
    const status = !isAvailable ? 'unavailable' : (await space.isFull()) ? 'disk full' : 'ok';
    reply.code(isAvailable ? 200 : 503).header('cache-control', 'no-store');
    if (!isLocal(request)) return { status };
    return {
      status,
      engine: getEngine(db),
      ...(integrity.problem && { damaged: integrity.problem }),
      files: files.kind,
      files_answering: await files.isAvailable(),
      disk: await space.getSpace().catch(() => undefined),
      requests_under_way: requestTracker.inFlight,
      bodies: receiver.getUsage(),
      memory_bytes: process.memoryUsage.rss(),
      up_seconds: Math.round((Date.now() - startedAt) / 1000),
    };
  });
}

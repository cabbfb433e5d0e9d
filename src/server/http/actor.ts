import type { FastifyRequest } from 'fastify';
import type { Actor } from '../db/activity-log.ts';

/** Returns the actor that the activity log shows for a request. */
export const getActor = (request: FastifyRequest): Actor => ({
  id: request.user?.id ?? null,
  name: request.user?.username ?? '',
  ip: request.ip,
  requestId: request.id,
});

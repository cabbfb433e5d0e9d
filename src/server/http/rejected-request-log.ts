// Logs rejected requests of signed-in users: one entry per user, route and minute, with a count, so
// that many of them do not fill the activity log, which is kept forever.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor } from '../db/activity-log.ts';
import { writeTransaction } from '../db/write-transaction.ts';
import { getActor } from './actor.ts';
import type { Services } from './handler-context.ts';

const minute = 60_000;

/** The action that is stored for each logged status. */
const actions: Record<number, string> = { 403: 'was refused', 429: 'was slowed down' };

type RejectedRequests = { actor: Actor; action: string; label: string; at: Date; times: number };

/**
 * Logs rejected requests. Writes each entry when its minute is over or the server stops. Register
 * it before any route.
 */
export function logRejectedRequests(server: FastifyInstance, { db, clock }: Services): void {
  const rejectedByKey = new Map<string, RejectedRequests>();

  function add(request: FastifyRequest, action: string) {
    const actor = getActor(request);
    const label = `${request.method} ${request.routeOptions.url ?? ''}`;
    const key = `${actor.id} ${action} ${label}`;
    const existing = rejectedByKey.get(key);
    if (existing) existing.times += 1;
    else rejectedByKey.set(key, { actor, action, label, at: clock(), times: 1 });
  }

  async function write(isDue: (entry: RejectedRequests) => boolean) {
    for (const [key, entry] of rejectedByKey) {
      if (!isDue(entry)) continue;
      rejectedByKey.delete(key);
      const { actor, action, label, at, times } = entry;
      await writeTransaction(db, actor, at, async (_, logActivity) =>
        logActivity({ action, thing: 'session', thing_id: actor.id, label, changes: { times } }),
      ).catch((error: unknown) => server.log.error({ err: error }, 'rejected requests could not be logged'));
    }
  }

  const timer = setInterval(
    () => void write(({ at }) => clock().getTime() - at.getTime() >= minute),
    minute / 4,
  ).unref();
  server.addHook('onClose', async () => {
    clearInterval(timer);
    await write(() => true);
  });
  server.addHook('onSend', async (request, reply) => {
    const action = actions[reply.statusCode];
    if (action && request.user) add(request, action);
  });
}

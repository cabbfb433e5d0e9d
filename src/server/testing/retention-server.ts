// Starts a server whose clock can be set to a day, with functions that all retention tests use.
import { api } from '#shared/api.ts';
import type { Engine } from '../db/connect.ts';
import { newReport } from './factories.ts';
import { startTestServer } from './server.ts';
import { createReference } from './test-server.ts';

export type RetentionTest = Awaited<ReturnType<typeof startRetentionTest>>;

export async function startRetentionTest(engine: Engine) {
  let now = Date.parse('2026-06-01T09:00:00Z');
  const clock = () => new Date(now);
  const server = await startTestServer(engine, { RATE_SCALE: '100' }, clock);
  let session = await server.as('Admin');
  const admin = createReference(() => session);
  return {
    ...{ server, stop: server.stop, clock, admin },
    /** Moves the clock to 09:00 UTC on this day. The Admin gets a new session, because the one before has expired. */
    async setDay(day: string) {
      now = Date.parse(`${day}T09:00:00Z`);
      session = await server.createSession(admin.id, admin.username);
    },
    async submit(changes: Record<string, unknown> = {}) {
      const { id, number } = await admin(api.submitAccident, { body: await newReport(admin, changes) });
      return { id, number, params: { id } };
    },
    list: () => admin(api.listRetention),
    run: (hash: string, ids: string[], count = ids.length) => admin(api.runRetention, { body: { hash, ids, count } }),
    countRows: async (id: string) =>
      (await server.db.selectFrom('reports').select('id').where('id', '=', id).execute()).length,
  };
}

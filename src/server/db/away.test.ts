// PostgreSQL goes away in the midst of a call, and comes back.
import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { api } from '../../shared/api.ts';
import { newReport } from '../testing/factories.ts';
import { engines, makeDatabase, startTestServer } from '../testing/server.ts';

/** The way to a server, which can be cut and mended. */
async function openWay(target: URL) {
  const sockets = new Set<Socket>();
  let isCut = false;
  const way = createServer((near) => {
    if (isCut) return near.destroy();
    const far = dial(Number(target.port || 5432), target.hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.pipe(other);
      socket.on('error', () => other.destroy());
      socket.on('close', () => sockets.delete(socket) && other.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(way, 'listening');
  const url = new URL(target);
  url.host = `127.0.0.1:${(way.address() as AddressInfo).port}`;
  return {
    url: url.href,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend() {
      isCut = false;
    },
    close: () => way.close(),
  };
}

describe.runIf(engines.includes('postgres'))('PostgreSQL that is cut off', () => {
  test('is a 503 for whoever waits and whoever comes, and forgotten when it is back', async () => {
    const database = await makeDatabase();
    const way = await openWay(new URL(database.url));
    const server = await startTestServer('sqlite', { DATABASE_URL: way.url });
    const witness = new pg.Client(database.url);
    await witness.connect();
    try {
      const reviewer = await server.as('Admin');
      const { id } = await reviewer(api.submitAccident, { body: await newReport(reviewer) });

      await witness.query('begin; lock table reports in access exclusive mode');
      const asked = reviewer.fetch('/api/get-reports');
      const waiting = `select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      await expect.poll(async () => (await witness.query(waiting)).rows[0].count).toBe(1);
      way.cut();
      for (const answer of [await asked, await reviewer.fetch('/api/get-reports')]) {
        expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '10']);
        expect(await answer.json()).toMatchObject({
          code: 'UNAVAILABLE',
          message: 'The database cannot be reached at the moment. Please try again soon.',
        });
      }
      expect((await server.anonymous.fetch('/healthz')).status).toBe(503);

      await witness.query('rollback');
      way.mend();
      expect((await server.anonymous.fetch('/healthz')).status).toBe(200);
      expect((await reviewer(api.getReport, { params: { id } })).id).toBe(id);
    } finally {
      await witness.end();
      await server.stop();
      way.close();
      await database.drop();
    }
  });
});

// The database goes away under a running server and comes back.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { api } from '../shared/api.ts';
import { newReport } from './testing/factories.ts';
import { startProcess } from './testing/process.ts';
import { engines, makeDatabase, password, signInAt, startTestServer } from './testing/server.ts';
import { layWire } from './testing/wire.ts';

describe.runIf(engines.includes('postgres'))('PostgreSQL that is cut off', () => {
  test('is a 503 for whoever waits and whoever comes, and forgotten when it is back', async () => {
    const database = await makeDatabase();
    const wire = await layWire(database.url);
    const server = await startTestServer('sqlite', { DATABASE_URL: wire.url });
    const witness = new pg.Client(database.url);
    await witness.connect();
    try {
      const reviewer = await server.as('Admin');
      const { id } = await reviewer(api.submitAccident, { body: await newReport(reviewer) });

      await witness.query('begin; lock table reports in access exclusive mode');
      const asked = reviewer.fetch('/api/get-reports');
      const waiting = `select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      await expect.poll(async () => (await witness.query(waiting)).rows[0].count).toBe(1);
      await wire.cut();
      for (const answer of [await asked, await reviewer.fetch('/api/get-reports')]) {
        expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '10']);
        expect(await answer.json()).toMatchObject({
          code: 'UNAVAILABLE',
          message: 'The database cannot be reached at the moment. Please try again soon.',
        });
      }
      expect((await server.anonymous.fetch('/healthz')).status).toBe(503);

      await witness.query('rollback');
      await wire.mend();
      expect((await server.anonymous.fetch('/healthz')).status).toBe(200);
      expect((await reviewer(api.getReport, { params: { id } })).id).toBe(id);
    } finally {
      await witness.end();
      await server.stop();
      await wire.cut();
      await database.drop();
    }
  });

  test('under writes loses nothing acknowledged, and the same process goes on', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'outage-'));
    const database = await makeDatabase();
    const wire = await layWire(database.url);
    const server = await startProcess({ DATA_DIR: folder, ADMIN_PASSWORD: password, DATABASE_URL: wire.url });
    const staff = await signInAt(server.url, 'admin');
    try {
      const kept: string[] = [];
      const refused: { status?: number; retryAfter?: number; message?: string }[] = [];
      const file = async () => {
        try {
          kept.push((await staff(api.submitAccident, { body: await newReport(staff) })).id);
        } catch (error) {
          refused.push(error as object);
        }
      };
      const writers = Array.from({ length: 4 }, async () => {
        while (refused.length === 0) await file();
      });
      await expect.poll(() => kept.length, { timeout: 20_000 }).toBeGreaterThan(4);
      await wire.cut();
      await Promise.all(writers);
      expect((await fetch(`${server.url}/healthz`)).status).toBe(503);
      await expect(staff(api.listReports)).rejects.toMatchObject({ status: 503, retryAfter: 10 });
      for (const refusal of refused)
        expect(refusal).toMatchObject({ status: 503, message: expect.stringMatching(/database|cannot save/) });
      expect(refused.every(({ retryAfter }) => Number(retryAfter) > 0)).toBe(true);

      await wire.mend();
      await expect.poll(() => fetch(`${server.url}/healthz`).then(({ status }) => status)).toBe(200);
      const before = kept.length;
      await file();
      expect(kept.length).toBe(before + 1);
      const listed = new Set((await staff(api.listReports)).map(({ id }) => id));
      expect(kept.filter((id) => !listed.has(id))).toEqual([]);
      expect(await server.end()).toBe(0);
    } finally {
      await server.end('SIGKILL');
      await wire.cut().catch(() => undefined);
      await database.drop();
      rmSync(folder, { recursive: true });
    }
  }, 60_000);
});

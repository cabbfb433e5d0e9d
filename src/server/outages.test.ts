// The database goes away under a running server and comes back.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { api } from '../shared/api.ts';
import { newReport } from './testing/factories.ts';
import { startProcess } from './testing/process.ts';
import { engines, makeDatabase, password, signInAt } from './testing/server.ts';
import { layWire } from './testing/wire.ts';

test.runIf(engines.includes('postgres'))(
  'PostgreSQL goes away under writes and comes back: 503 and when to try again, the same process goes on, nothing acknowledged is lost',
  async () => {
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
      const underWrites = async (fault: () => Promise<unknown>) => {
        const [before, refusedBefore] = [kept.length, refused.length];
        let isOver = false;
        const writers = Array.from({ length: 4 }, async () => {
          while (!isOver) await file();
        });
        await expect.poll(() => kept.length, { timeout: 10_000 }).toBeGreaterThan(before + 2);
        await fault();
        await expect.poll(() => refused.length, { timeout: 10_000 }).toBeGreaterThan(refusedBefore);
        isOver = true;
        await Promise.all(writers);
      };

      await underWrites(async () => {
        const client = new pg.Client({ connectionString: database.url });
        await client.connect();
        await client
          .query(
            'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
          )
          .finally(() => client.end());
      });
      await file();
      await underWrites(wire.cut);
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
  },
  60_000,
);

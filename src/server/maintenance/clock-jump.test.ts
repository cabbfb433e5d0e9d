// A wrong clock, ahead or behind, causes a warning and no loss of data.
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { countAttempt, deleteExpiredAttempts, getAttempts } from '../sign-in/throttle/throttle.ts';
import { newReport, uploadPhoto } from '../testing/factories.ts';
import { runMaintenance } from '../testing/maintenance.ts';
import { engines, startTestServer, type TestServer } from '../testing/server.ts';

const hour = 3_600_000;
const year = 365 * 24 * hour;

describe.each(engines)('a clock jump on %s', (engine) => {
  let server: TestServer;
  let now: number;
  beforeEach(async () => {
    now = Date.now();
    server = await startTestServer(engine, {}, () => now);
  });
  afterEach(() => server.stop());

  /** Advances the clock by this many hours, and runs the maintenance in each. */
  async function runForHours(hours: number) {
    for (let count = 0; count < hours; count++) {
      now += hour;
      await runMaintenance(server, () => new Date(now));
    }
  }

  test('a clock jump of a year ahead deletes nothing for three days, and nothing at all if corrected by then', async () => {
    await runMaintenance(server, () => new Date(now));
    await runForHours(73);
    const admin = await server.as('Admin');
    const [body, key] = [await newReport(admin), randomUUID()];
    const { id } = await admin(api.submitAccident, { body, key });
    const unattached = await uploadPhoto(admin);
    const orphaned = `${unattached.slice(0, unattached.lastIndexOf('/'))}/${'a'.repeat(26)}.jpg`;
    await writeFile(join(server.folder, orphaned), 'x');
    await utimes(join(server.folder, orphaned), new Date(now), new Date(now));
    await admin(api.deleteReport, { params: { id } });
    const attached = body.mediaFiles[0]?.path ?? '';
    const countRemaining = async () => ({
      files: [unattached, orphaned, attached].map((path) => existsSync(join(server.folder, path))),
      reports: (await server.db.selectFrom('reports').select('id').execute()).length,
      answers: (await server.db.selectFrom('replies').select('key').where('body', 'is not', null).execute()).length,
    });
    const everything = { files: [true, true, true], reports: 1, answers: 1 };
    const before = now;
    now += year;
    await runMaintenance(server, () => new Date(now));
    await runForHours(10);
    expect(await countRemaining()).toEqual(everything);
    now = before;
    await runForHours(71);
    expect(await countRemaining()).toEqual(everything);
    // The retention period of the report, six years, has ended.
    now += 7 * year;
    await runMaintenance(server, () => new Date(now));
    await runForHours(71);
    expect(await countRemaining()).toEqual(everything);
    await runForHours(1);
    expect(await countRemaining()).toEqual({ files: [false, false, false], reports: 0, answers: 0 });
  });

  test('a clock jump backwards extends no session, and leaves no sign-in delay of a year', async () => {
    const before = now;
    now += year;
    const person = await server.as('None');
    await countAttempt(server.db, 'sign-in-pair x', 900, new Date(now));
    now = before;
    await expect(person(api.getSession)).rejects.toMatchObject({ status: 401 });
    await deleteExpiredAttempts(server.db, new Date(now));
    expect((await getAttempts(server.db, 'sign-in-pair x', new Date(now))).count).toBe(0);
    expect(await (await server.as('None'))(api.getSession)).toBeDefined();
  });
});

// An upgrade of facilities to places that was killed, and runs again at the next start.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createClock } from '../../clock.ts';
import { expectedStates, fillWithFacilities, readStates, upgradedAt } from '../../testing/named-facilities.ts';
import { runProgram } from '../../testing/process.ts';
import { engines, startTestServer } from '../../testing/server.ts';

const program = join(import.meta.dirname, '../../testing/killed-upgrade.ts');

test.each(engines)(
  'an upgrade of facilities that was killed has changed nothing on %s',
  async (engine) => {
    const clock = createClock(() => Date.parse(upgradedAt));
    await using server = await startTestServer(engine, {}, clock, undefined, async (config) => {
      await fillWithFacilities(config);
      const settings = { DATA_DIR: config.dataDir, DATABASE_URL: config.databaseUrl };
      // It has about 570 queries.
      for (const count of ['5', '250', '500'])
        expect(await runProgram([program, '047-checks-of-places', count], settings)).toEqual({
          code: null,
          output: '',
        });
    });
    expect(await readStates(server)).toEqual(expectedStates);
  },
  120_000,
);

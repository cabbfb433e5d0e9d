import { expect, onTestFinished, test } from 'vitest';
import { runCrashRounds } from './testing/crash.ts';
import { createTestFolder } from './testing/folder.ts';
import { engines } from './testing/server.ts';

/** Few rounds, because `npm run crash` runs hundreds. */
const rounds = { sqlite: 5, postgres: 3 };

test.each(engines)(
  'repeated server crashes on %s lose no acknowledged change and leave nothing half-written',
  { timeout: 300_000 },
  async (engine) => {
    const folder = createTestFolder(onTestFinished);
    const figures = await runCrashRounds(engine, folder, rounds[engine]);
    expect(figures.rounds).toBe(rounds[engine]);
    expect(figures.acknowledged).toBeGreaterThan(rounds[engine]);
  },
);

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCrashRounds } from './testing/crash.ts';
import { engines } from './testing/server.ts';

const rounds = { sqlite: 40, postgres: 8 };

test.each(engines)(
  'killed again and again on %s while eight clients work, it loses nothing it acknowledged and keeps nothing by half',
  { timeout: 300_000 },
  async (engine) => {
    const folder = mkdtempSync(join(tmpdir(), 'crash-'));
    try {
      const figures = await runCrashRounds(engine, folder, rounds[engine]);
      expect(figures.rounds).toBe(rounds[engine]);
      expect(figures.acknowledged).toBeGreaterThan(rounds[engine]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

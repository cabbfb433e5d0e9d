import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * These tests kill, fill and restore whole servers. They start first, because the run would
 * otherwise wait for them at the end.
 */
const longest =
  /\/(access|backup|crash|dev|interruption|law|multi-instance|naughty-strings|outages|power-cut|sign-in-throttle|start)\.test\.ts$/;

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const isLong = ({ moduleId }: TestSpecification) => Number(longest.test(moduleId));
    return (await super.sort(files)).toSorted((a, b) => isLong(b) - isLong(a));
  }
}

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Most of a test's time is waiting for disks and child processes.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
  },
});

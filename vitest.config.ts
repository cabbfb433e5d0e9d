import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Most of these tests kill, fill and restore whole servers. They start first, because the run would
 * otherwise wait for them at the end.
 */
const longest =
  /\/(access|backup|bounds|crash|dev|interruption|law|multi-instance|naughty-strings|outages|outbox|power-cut|replay|retention|sign-in-throttle|start)\.test\.ts$/;

/**
 * Files that share a process come first. Vitest would end the process before an isolated file, and
 * import the server again after it.
 */
class LongestFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const getRank = ({ moduleId, project }: TestSpecification) =>
      2 * Number(!project.config.isolate) + Number(longest.test(moduleId));
    return (await super.sort(files)).toSorted((a, b) => getRank(b) - getRank(a));
  }
}

/** These replace what the browser has, or count children, for everything in their process. */
const isolated = ['src/web/**/*.test.ts', 'src/server/files/image-{child,children,processor-isolation}.test.ts'];
/** These measure how long hashing a password takes. */
const withRealHashes = ['src/server/sign-in/throttle/sign-in-timing.test.ts'];

const quickHashes = [
  {
    find: /^@node-rs\/argon2$/,
    replacement: fileURLToPath(new URL('src/server/testing/quick-argon2.ts', import.meta.url)),
  },
];

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A busy machine may stand still for a second, which is the default.
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    // Part of a test's time is waiting for disks and child processes.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirstSequencer },
    projects: [
      {
        extends: true,
        // Importing the server takes longer than most files' tests, so that files share a process.
        test: {
          name: 'shared',
          include: ['src/**/*.test.ts'],
          exclude: [...isolated, ...withRealHashes],
          isolate: false,
          // Node strips the types itself, which takes less time than Vite's module runner. These files cannot use `vi.mock`.
          experimental: { viteModuleRunner: false, nodeLoader: false },
          execArgv: [`--import=${new URL('src/server/testing/quick-hashes.ts', import.meta.url)}`],
          globalSetup: 'src/server/testing/template-database.ts',
        },
      },
      { extends: true, test: { name: 'isolated', include: isolated }, resolve: { alias: quickHashes } },
      { extends: true, test: { name: 'real hashes', include: withRealHashes } },
    ],
  },
});

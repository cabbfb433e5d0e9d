// `npm test`: everything that must pass before a change is merged, on a machine that may have only
// Node.
//   npm test -- --changed                           the tests nearest to what changed since main
//   npm test -- --only lint,types                   some parts
//   npm test -- --only server src/server/users      one part; what follows goes to its program
//   npm test -- --only engines                      the tests of e2e in WebKit and Firefox
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { keepTemporaryFilesInMemory } from './memory-folder.mjs';
import { startPostgres } from './postgres.mjs';
import { exitWithError, npm, root } from './run.mjs';
import { ensureTestDependencies, findChromium, findPostgres } from './test-dependencies.mjs';

const results = join(root, 'test-results');
const disk = tmpdir();
// Caches compiled code, because every test file and many tests start processes.
process.env.NODE_COMPILE_CACHE = join(root, 'node_modules/.cache/node');
// Node strips the types itself, so Playwright need not translate every file a second time.
process.env.PW_DISABLE_TS_ESM = '1';
const vitestReport = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}/server.json`];

// The parts in the order in which they run. Each resolves with an exit code.
const parts = {
  lint: (args, options) => npm(['run', '--silent', 'lint', '--', ...args], options),
  // Each further checker checks the same imported types again, and the other parts need the cores
  // too.
  types: (args, options) => npm(['run', '--silent', 'types', '--', '--checkers', '1', ...args], options),
  build: (_, options) => ensureBuilt(options),
  server: (args) => npm(['exec', '--', 'vitest', 'run', ...args, ...vitestReport]),
  e2e: async (args) => (await ensureBuilt()) || npm(['exec', '--', 'playwright', 'test', ...args]),
  // The measurements need a server that waits for a real disk.
  hostile: (args) => npm(['run', '--silent', 'hostile', '--', '--short', ...args], { env: { TMPDIR: disk } }),
};

/** Parts that use less than one core: they run at the same time, and print when they have ended. */
const parallelParts = ['lint', 'types', 'build'];

// Read the reports of Vitest and Playwright in test-results/.
const readers = {
  server: (report) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  }),
  e2e: ({ stats }) => ({
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
  }),
  hostile: (report) => report,
};

await ensureInstalled();
const { chosen: chosenParts, rest, isQuick } = await readArguments(process.argv.slice(2));
rmSync(results, { recursive: true, force: true });

const total = { passed: 0, failed: 0, skipped: 0 };
const remainingParts = [...chosenParts];
const firstParts =
  remainingParts.length > 1
    ? remainingParts.splice(0, remainingParts.filter((part) => parallelParts.includes(part)).length)
    : [];
const needsServices = chosenParts.some((part) => part in readers);
if (needsServices) keepTemporaryFilesInMemory();
// At the same time, because installing programs mostly waits for the network and the disk.
const [services, first] = await Promise.allSettled([
  needsServices ? startServices() : undefined,
  runTogether(firstParts),
]);
if (first.status === 'rejected') throw first.reason;
if (services.status === 'rejected') exitWithError(services.reason.message);
const stopServices = services.value;
let failedParts = first.value;
while (remainingParts.length > 0 && failedParts.length === 0) {
  const part = remainingParts.shift();
  console.log(`\n== ${part}`);
  const code = await parts[part](rest[part] ?? []);
  const count = readTestCounts(part);
  // A failure outside any test counts too, so the last line never says 0 failed for a failed run.
  if (code !== 0) count.failed ||= 1;
  for (const key in total) total[key] += count[key];
  if (code !== 0) failedParts = [part];
}
await stopServices?.();

if (failedParts.length > 0)
  console.log(
    `\n${failedParts.join(', ')} failed.${remainingParts.length > 0 ? ` Not run: ${remainingParts.join(', ')}.` : ''}`,
  );
if (total.skipped > 0) console.log(`\n${total.skipped} skipped`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = failedParts.length > 0 ? 1 : 0;

/** Resolves with the parts that failed. */
async function runTogether(names) {
  const codes = await Promise.all(
    names.map(async (part) => {
      let output = '';
      const code = await parts[part]([], { onOutput: (text) => (output += text) });
      console.log(`\n== ${part}\n${output.trimEnd()}`);
      return code;
    }),
  );
  const failed = names.filter((_, index) => codes[index] !== 0);
  total.failed += failed.length;
  return failed;
}

/**
 * Returns the parts to run, the arguments of each, and whether it is a quick run on SQLite alone.
 */
async function readArguments([option, names, ...args]) {
  if (option === undefined) return { chosen: Object.keys(parts), rest: {} };
  if (option === '--changed' && names === undefined) return chooseAffectedTests();
  if (names === 'engines') [names, args] = ['e2e', ['e2e/engines', ...args]];
  const chosen = names?.split(',') ?? [];
  const isKnown = option === '--only' && chosen.length > 0 && chosen.every((part) => Object.hasOwn(parts, part));
  if (!isKnown || (args.length > 0 && chosen.length > 1)) {
    exitWithError(
      `Usage: npm test [-- --changed]\n       npm test -- --only PART[,PART] [ARGUMENTS OF A SINGLE PART]\nParts: ${Object.keys(parts).join(', ')}`,
    );
  }
  const orderedParts = Object.keys(parts).filter((part) => chosen.includes(part));
  return { chosen: orderedParts, rest: { [chosen[0]]: args } };
}

/**
 * Returns the parts and tests that the changed files affect, as `readArguments` does: server tests on
 * SQLite only, and browser tests of the changed screens in Chromium only.
 */
async function chooseAffectedTests() {
  // Needs an installed package.
  const { listChangedFiles, listSpecsFor, listTestsFor } = await import('./changed.mjs');
  const files = listChangedFiles();
  const specs = listSpecsFor(files);
  const { tests, leftOut } = listTestsFor(files.filter((file) => /^src\/.*\.tsx?$/.test(file)));
  if (leftOut > 0) console.log(`Left to the whole \`npm test\`: ${leftOut} more test files that use what changed.`);
  const chosen = [
    'lint',
    'types',
    specs.length > 0 && 'build',
    tests.length > 0 && 'server',
    specs.length > 0 && 'e2e',
  ];
  return {
    isQuick: true,
    chosen: chosen.filter(Boolean),
    // The tests of a single file run at the same time.
    rest: {
      server: tests,
      e2e: ['--fully-parallel', '--project=components', '--project=phone', '--project=desktop', ...specs],
    },
  };
}

/**
 * Puts Chromium and PostgreSQL where the tests expect them. Resolves with a function that stops
 * PostgreSQL; rejects with a message if something is missing.
 */
async function startServices() {
  await ensureTestDependencies();
  process.env.CHROMIUM_PATH = findChromium();
  if (process.env.TEST_DATABASE_URL || isQuick) return;
  const { url, stop } = await startPostgres(findPostgres());
  process.env.TEST_DATABASE_URL = url;
  return stop;
}

function readTestCounts(part) {
  const zeroCounts = { passed: 0, failed: 0, skipped: 0 };
  if (!(part in readers)) return zeroCounts;
  try {
    return readers[part](JSON.parse(readFileSync(join(results, `${part}.json`), 'utf8')));
  } catch {
    return zeroCounts; // the program ended before writing its report
  }
}

// `npm test`: all that must hold before a change is taken in, on a machine that may have nothing but Node.
//   npm test -- --only lint,types                   some parts
//   npm test -- --only server src/server/users      one part; what follows goes to its program
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { startPostgres } from './postgres.mjs';
import { exitWithError, npm, root } from './run.mjs';
import { ensureTestDependencies, findChromium, findPostgres } from './test-dependencies.mjs';

const results = join(root, 'test-results');

// In order. Each resolves with an exit code.
const parts = {
  lint: (args) => npm(['run', '--silent', 'lint', '--', ...args]),
  types: (args) => npm(['run', '--silent', 'types', '--', ...args]),
  build: () => ensureBuilt(),
  server: (args) => npm(['exec', '--', 'vitest', 'run', ...vitestReport, ...args]),
  e2e: async (args) => (await ensureBuilt()) || npm(['exec', '--', 'playwright', 'test', ...args]),
  engines: (args) => parts.e2e(['--config', 'playwright.engines.config.ts', ...args]),
};
const vitestReport = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}/server.json`];

const readPlaywright = ({ stats }) => ({
  passed: stats.expected + stats.flaky,
  failed: stats.unexpected,
  skipped: stats.skipped,
});

// Read the reports of Vitest and Playwright in test-results/.
const readers = {
  server: (report) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  }),
  e2e: readPlaywright,
  engines: readPlaywright,
};

const { chosen, rest } = readArguments(process.argv.slice(2));
await ensureInstalled();
const stopServices = chosen.some((part) => part in readers) ? await startServices() : undefined;
rmSync(results, { recursive: true, force: true });

const total = { passed: 0, failed: 0, skipped: 0 };
const left = [...chosen];
let isBroken = false;
while (left.length > 0 && !isBroken) {
  const part = left.shift();
  console.log(`\n== ${part}`);
  const code = await parts[part](rest);
  const count = readCount(part);
  // A failure outside any test counts too, so the last line never says 0 failed for a failed run.
  if (code !== 0) count.failed ||= 1;
  for (const key in total) total[key] += count[key];
  isBroken = code !== 0;
  if (isBroken) console.log(`\n${part} failed.${left.length > 0 ? ` Not run: ${left.join(', ')}.` : ''}`);
}
await stopServices?.();

if (total.skipped > 0) console.log(`\n${total.skipped} skipped`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = isBroken ? 1 : 0;

function readArguments([option, names, ...rest]) {
  if (option === undefined) return { chosen: Object.keys(parts), rest: [] };
  const chosen = names?.split(',') ?? [];
  const isKnown = option === '--only' && chosen.length > 0 && chosen.every((part) => Object.hasOwn(parts, part));
  if (!isKnown || (rest.length > 0 && chosen.length > 1)) {
    exitWithError(
      `Usage: npm test [-- --only PART[,PART] [ARGUMENTS OF A SINGLE PART]]\nParts: ${Object.keys(parts).join(', ')}`,
    );
  }
  return { chosen, rest };
}

/**
 * Puts Chromium and PostgreSQL where the tests expect them. Resolves with a function that stops
 * PostgreSQL.
 */
async function startServices() {
  await ensureTestDependencies();
  process.env.CHROMIUM_PATH = findChromium();
  if (process.env.TEST_DATABASE_URL) return;
  const { url, stop } = await startPostgres(findPostgres()).catch((error) => exitWithError(error.message));
  process.env.TEST_DATABASE_URL = url;
  return stop;
}

function readCount(part) {
  const none = { passed: 0, failed: 0, skipped: 0 };
  if (!(part in readers)) return none;
  try {
    return readers[part](JSON.parse(readFileSync(join(results, `${part}.json`), 'utf8')));
  } catch {
    return none; // it ended before writing its report
  }
}

// `node scripts/run-built.mjs FILE.ts… [ARGUMENTS]`: installs what is missing, builds the screens, and runs
// these files one after another until one fails. CHROMIUM_PATH names a browser for them.
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { exitWithError, run } from './run.mjs';
import { ensureTestDependencies, findChromium } from './test-dependencies.mjs';

const node = await ensureInstalled();
await ensureTestDependencies().catch((error) => exitWithError(error.message));
const commandLine = process.argv.slice(2);
const files = commandLine.filter((word) => word.endsWith('.ts'));
const scriptArguments = commandLine.slice(files.length);
process.exitCode = await ensureBuilt();
for (const file of files)
  if (process.exitCode === 0)
    process.exitCode = await run(node, [file, ...scriptArguments], { env: { CHROMIUM_PATH: findChromium() } });

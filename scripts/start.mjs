// `npm start`: installs, builds and serves, skipping what is up to date.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { exitWithError, root, run, runQuietly } from './run.mjs';

const nodePath = await ensureInstalled();
if ((await runQuietly(ensureBuilt)) !== 0) exitWithError('The screens could not be built: the reason is above.');
/**
 * Options of Node and the C library that save memory. V8 keeps up to three times 16 MB for
 * short-lived objects; half is enough and saves 15 MB. The C library keeps freed memory in one arena
 * per thread; two arenas waste less. By default it would also keep larger blocks over time; the
 * thresholds make it return them.
 */
const servingOptions = JSON.parse(readFileSync(join(root, 'scripts/serving.json'), 'utf8'));
// Caches compiled code for faster starts.
const env = { ...servingOptions.env, ...process.env, NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node') };
process.exitCode = await run(nodePath, [...servingOptions.flags, 'src/server/main.ts'], { env });

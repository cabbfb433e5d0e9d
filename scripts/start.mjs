// `npm start`: installs, builds and serves; what is already done is not done again.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { exitWithError, root, run } from './run.mjs';

const node = await ensureInstalled();
if ((await ensureBuilt()) !== 0) exitWithError('The screens could not be built: the reason is above.');
/**
 * What keeps the server small. V8 keeps up to three times 16 MB for what lives shortly: half of that is enough, and leaves 15 MB to the
 * machine. The C library keeps freed memory in one arena per thread: two arenas lose less of it to holes when many pictures come in.
 */
const serving = JSON.parse(readFileSync(join(root, 'scripts/serving.json'), 'utf8'));
// What Node compiles is kept, so that a later start is quicker and lighter.
const env = { ...serving.env, ...process.env, NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node') };
process.exitCode = await run(node, [...serving.flags, 'src/server/main.ts'], { env });

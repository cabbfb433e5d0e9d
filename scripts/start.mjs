// `npm start`: installs, builds and serves; what is already done is not done again.
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { giveUp, root, run } from './run.mjs';

const node = await ensureInstalled();
if ((await ensureBuilt()) !== 0) giveUp('The screens could not be built: the reason is above.');
// What Node compiles is kept, so that a later start is quicker and lighter.
const env = { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node') };
process.exitCode = await run(node, ['src/server/main.ts'], { env });

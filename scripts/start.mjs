// `npm start`: installs, builds and serves; what is already done is not done again.
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { giveUp, root, run } from './run.mjs';

const node = await ensureInstalled();
if ((await ensureBuilt()) !== 0) giveUp('The screens could not be built: the reason is above.');
// What Node compiles is kept, so that a later start is quicker and lighter.
const env = { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node') };
// V8 keeps up to three times 16 MB for what lives shortly. Half of that is enough here, and leaves 15 MB to the machine.
process.exitCode = await run(node, ['--max-semi-space-size=8', 'src/server/main.ts'], { env });

// `npm start`: installs, builds and serves; what is already done is not done again.
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { giveUp, run } from './run.mjs';

const node = await ensureInstalled();
if ((await ensureBuilt()) !== 0) giveUp('The screens could not be built: the reason is above.');
process.exitCode = await run(node, ['src/server/main.ts']);

// `npm run dev`: the product on one port with demo data, reloading as its files change.
import { ensureInstalled } from './install.mjs';
import { run } from './run.mjs';

const nodePath = await ensureInstalled();
process.exitCode = await run(nodePath, ['--watch', '--watch-preserve-output', 'src/server/cli/dev.ts']);

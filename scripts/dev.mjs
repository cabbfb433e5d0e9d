// `npm run dev`: the product on one port with demo data, reloading as its files change.
import { ensureInstalled } from './install.mjs';
import { run } from './run.mjs';

const node = await ensureInstalled();
process.exitCode = await run(node, ['--watch', '--watch-preserve-output', 'src/server/cli/dev.ts']);

// Measures the size of the first screen on the wire, the time to the first response, and memory
// when idle. Part of: npm run bench
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium } from '@playwright/test';
import { startProduct } from './product.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'bench-'));
await (await startProduct(dataDir)).stop();

const started = performance.now();
const product = await startProduct(dataDir);
await (await fetch(`${product.url}/healthz`)).text();
const firstResponseMs = performance.now() - started;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH,
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
const page = await browser.newPage();
const session = await page.context().newCDPSession(page);
await session.send('Network.enable');
const kinds = new Map<string, string>();
const bytes = new Map<string, number>();
session.on('Network.responseReceived', ({ requestId, type }) => void kinds.set(requestId, type));
session.on(
  'Network.loadingFinished',
  ({ requestId, encodedDataLength }) => void bytes.set(requestId, encodedDataLength),
);
await page.goto(`${product.url}/login`, { waitUntil: 'networkidle' });
let transferredBytes = 0;
for (const [id, size] of bytes)
  if (['Script', 'Stylesheet', 'Font'].includes(kinds.get(id) ?? '')) transferredBytes += size;
await browser.close();

await wait(3000);
const status = await readFile(`/proc/${product.pid}/status`, 'utf8');
const idle = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
await product.stop();
await rm(dataDir, { recursive: true, force: true });

console.log('| the product | figure | target |\n|---|---|---|');
console.log(
  `| first screen on the wire: scripts, styles, fonts | ${(transferredBytes / 1024).toFixed(0)} KB | under 170 KB |`,
);
console.log(`| from start to the first answer | ${(firstResponseMs / 1000).toFixed(2)} s | 1 s |`);
console.log(`| memory when idle | ${idle.toFixed(0)} MB | 150 MB |`);

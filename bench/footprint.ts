// Measures the time to the first response, and memory when idle. Part of: npm run bench
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startProduct } from './product.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'bench-'));
await (await startProduct(dataDir)).stop();

const started = performance.now();
const product = await startProduct(dataDir);
await (await fetch(`${product.url}/healthz`)).text();
const firstResponseMs = performance.now() - started;

await wait(3000);
const status = await readFile(`/proc/${product.pid}/status`, 'utf8');
const idle = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
await product.stop();
await rm(dataDir, { recursive: true, force: true });

console.log('| the product | figure | target |\n|---|---|---|');
console.log(`| from start to the first answer | ${(firstResponseMs / 1000).toFixed(2)} s | 1 s |`);
console.log(`| memory when idle | ${idle.toFixed(0)} MB | 150 MB |`);

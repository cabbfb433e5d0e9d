// Measures an upload, from the first byte to the response, compared with the image library alone.
// Run: node bench/upload.ts
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { median } from './median.ts';
import { signIn, startProduct } from './product.ts';

const rounds = 30;
const dataDir = await mkdtemp(join(tmpdir(), 'bench-'));
const product = await startProduct(dataDir);
const cookie = await signIn(product.url);
sharp.cache(false);
sharp.concurrency(1);

const photos = join(import.meta.dirname, '../fixtures/photos');
const original = await readFile(join(photos, 'phone-iphone-hdr.jpg'));
/** The photo as the browser uploads it: 1280 px, quality 0.7. */
const prepared = await sharp(original).rotate().resize(1280, 1280, { fit: 'inside' }).jpeg({ quality: 70 }).toBuffer();

/** Processes an image as the product does, and nothing else. */
const reencode = (bytes: Buffer) =>
  sharp(bytes, { failOn: 'error' })
    .autoOrient()
    .resize({ width: 1280, height: 1280, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .jpeg({ quality: 80 })
    .toBuffer();

async function upload(bytes: Buffer): Promise<void> {
  const form = new FormData();
  form.set('image', new Blob([new Uint8Array(bytes)]), 'photo.jpg');
  const response = await fetch(`${product.url}/api/upload/image`, { method: 'POST', headers: { cookie }, body: form });
  if (!response.ok) throw new Error(await response.text());
}

const measureMs = async (work: () => Promise<unknown>) => {
  const started = performance.now();
  await work();
  return performance.now() - started;
};

console.log('| one photo | product | library alone | ratio | target |\n|---|---|---|---|---|');
for (const [name, bytes] of [
  ['as a phone made it', original],
  ['as the browser sends it', prepared],
] as const) {
  const pairs: [number, number][] = [];
  for (let round = 0; round <= rounds; round++)
    pairs.push([await measureMs(() => upload(bytes)), await measureMs(() => reencode(bytes))]);
  pairs.shift();
  const ratio = median(pairs.map(([a, b]) => a / b));
  const formatMedian = (side: 0 | 1) => median(pairs.map((pair) => pair[side])).toFixed(0);
  const size = `${(bytes.length / 1e6).toFixed(2)} MB`;
  console.log(`| ${name}, ${size} | ${formatMedian(0)} ms | ${formatMedian(1)} ms | ${ratio.toFixed(2)} | under 1.3 |`);
}
await product.stop();
await rm(dataDir, { recursive: true, force: true });

import sharp from 'sharp';
import { expect, test } from 'vitest';
import { fixture } from '../testing/factories.ts';
import { countPixels } from './count-pixels.ts';

const image = sharp({ create: { width: 300, height: 7, channels: 4, background: '#0a0b' } });

test.each([
  ['PNG', () => image.clone().png()],
  ['JPEG', () => image.clone().jpeg()],
  ['progressive JPEG', () => image.clone().jpeg({ progressive: true })],
  ['lossy WebP', () => image.clone().flatten().webp()],
  ['lossless WebP', () => image.clone().flatten().webp({ lossless: true })],
  ['WebP with transparency', () => image.clone().webp()],
])('the pixel count of an image in the format %s is read from its header', async (_, encode) => {
  const bytes = await encode().toBuffer();
  expect(countPixels(bytes)).toBe(2100);
  for (let end = 0; end < 20; end++) expect(countPixels(bytes.subarray(0, end))).toBeUndefined();
});

test("the pixel count read from phone photos with much metadata equals the decoder's", async () => {
  for (const name of ['phone-iphone-hdr.jpg', 'phone-jolla.jpg', 'odd-metadata-2.jpg']) {
    const bytes = fixture(`photos/${name}`);
    const { width, height } = await sharp(bytes).metadata();
    expect([name, countPixels(bytes)]).toEqual([name, width * height]);
  }
});

test('the pixel count of other files and of malformed JPEGs is undefined', () => {
  expect(countPixels(Buffer.from('hello'))).toBeUndefined();
  expect(countPixels(Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.alloc(100_000, 0xff)]))).toBeUndefined();
  expect(countPixels(Buffer.from('ffd8ffe00000', 'hex'))).toBeUndefined();
});

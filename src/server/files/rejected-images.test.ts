import { writeFile } from 'node:fs/promises';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { addCutOffMark } from '#shared/cut-off.ts';
import { drawQuarters, fixture } from '../testing/factories.ts';
import { createTestImageProcessor, openTestTemporaryFiles } from '../testing/image-processor.ts';
import { createPool } from '../workers/pool.ts';
import type { ImageJob, ImageResult } from './image-processor.ts';

const MiB = 2 ** 20;

const imageProcessor = await createTestImageProcessor();
afterAll(() => imageProcessor.close());
const processBytes = imageProcessor.processBytes;

describe('rejected files', () => {
  const imageFormats = ['gif', 'tiff', 'avif'] as const;
  test.each(imageFormats)('a %s file is rejected although it is an image', async (format) => {
    const bytes = await drawQuarters(40, 20).toFormat(format).toBuffer();
    await expect(processBytes(bytes, 'photo')).rejects.toMatchObject({ status: 415 });
  });

  test('the image decoder accepts only JPEG, PNG and WebP', async () => {
    const child = new URL('./image-child.ts', import.meta.url);
    const pool = createPool<ImageJob, ImageResult>({ script: child, size: 1, maxWaiting: 9, timeoutMs: 10_000 });
    const temporaryFiles = await openTestTemporaryFiles();
    const decodeImage = async (bytes: Buffer) => {
      const from = temporaryFiles.newPath();
      await writeFile(from, bytes);
      return pool.run({ from, to: temporaryFiles.newPath(), ext: 'png', fit: 1280 });
    };
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9"/></svg>');
    for (const bytes of [
      svg,
      ...(await Promise.all(imageFormats.map((format) => drawQuarters(40, 20).toFormat(format).toBuffer()))),
    ])
      await expect(decodeImage(bytes)).rejects.toThrow('unsupported image format');
    expect(await decodeImage(await drawQuarters(40, 20).webp().toBuffer())).toMatchObject({ width: 40 });
    await pool.close();
  });

  test.each([
    ['photo', 10],
    ['signature', 1],
    ['thumbnail', 5],
  ] as const)('a %s one byte larger than %i MB is rejected', async (use, maxMb) => {
    const photo = fixture('photos/odd-metadata-1.jpg');
    const image = use === 'signature' ? await sharp(photo).resize(80).png().toBuffer() : photo;
    const largestImage = Buffer.concat([image, Buffer.alloc(maxMb * MiB - image.length)]);
    expect(await processBytes(largestImage, use)).toMatchObject({ width: expect.any(Number) });
    await expect(processBytes(Buffer.concat([largestImage, Buffer.alloc(1)]), use)).rejects.toMatchObject({
      status: 413,
      message: `Image is too large (max ${maxMb} MB)`,
    });
  });

  const unreadable = { status: 422, message: 'This image could not be read' };
  const cut = (photo: Buffer, percentage: number) => photo.subarray(0, Math.floor((photo.length * percentage) / 100));

  test.each([1, 10, 25, 50, 75, 90, 99])('a PNG with only %i %% of its bytes is rejected', async (percentage) => {
    const png = await sharp(fixture('photos/odd-metadata-2.jpg')).png().toBuffer();
    await expect(processBytes(cut(png, percentage), 'photo')).rejects.toMatchObject(unreadable);
  });

  test.each([
    ['a baseline', false],
    ['a progressive', true],
  ])('%s JPEG that was cut off is accepted if a part of its picture can be seen', async (_, progressive) => {
    const photo = await sharp(fixture('photos/phone-jolla.jpg')).jpeg({ progressive }).toBuffer();
    const last = photo.subarray(0, -2);
    for (const bytes of [last, cut(photo, 99), cut(photo, 50), Buffer.concat([cut(photo, 50), Buffer.alloc(5000)])])
      expect(await processBytes(bytes, 'photo')).toMatchObject({ isCutOff: true, width: 1280 });
    const header = photo.indexOf(Buffer.from([0xff, 0xda])) + 14;
    for (const length of [4, 100, header - 14, header, header + 1, header + 20])
      await expect(processBytes(photo.subarray(0, length), 'photo')).rejects.toMatchObject(unreadable);
    expect(await processBytes(photo, 'photo')).toMatchObject({ isCutOff: false });
    expect(await processBytes(Buffer.concat([photo, Buffer.alloc(100, 1)]), 'photo')).toMatchObject({
      isCutOff: false,
    });
  });

  test('a JPEG whose preview in the metadata is whole, but not the picture, is known to be cut off', async () => {
    const photo = fixture('photos/gps-DSCN0010.jpg');
    expect(photo.indexOf(Buffer.from([0xff, 0xd9]))).toBeLessThan(photo.length / 10);
    expect(await processBytes(cut(photo, 90), 'photo')).toMatchObject({ isCutOff: true });
  });

  test('a photo says that the file from which the browser made it was cut off', async () => {
    const marked = addCutOffMark(new Blob([new Uint8Array(await drawQuarters().jpeg().toBuffer())]));
    const bytes = Buffer.from(await marked.arrayBuffer());
    expect((await sharp(bytes).stats()).channels).toHaveLength(3);
    expect(await processBytes(bytes, 'photo')).toMatchObject({ isCutOff: true });
    expect(await processBytes(await drawQuarters().png().toBuffer(), 'photo')).toMatchObject({ isCutOff: false });
  });

  test.each([
    ['16,000 × 16,000 pixels in 31 KB', 16_000, 16_000],
    ['16,001 × 8 pixels', 16_001, 8],
    ['8 × 16,001 pixels', 8, 16_001],
  ])('a decompression bomb of %s is rejected', async (_, width, height) => {
    const bytes = blackPng(width, height);
    await expect(processBytes(bytes, 'photo')).rejects.toMatchObject({
      status: 422,
      message: 'This image could not be read',
    });
  });

  test('a JPEG longer than 16,000 pixels is accepted, because its format limits the rows', async () => {
    const jpeg = await drawQuarters(16_002, 8).jpeg().toBuffer();
    expect(await processBytes(jpeg, 'photo')).toMatchObject({ width: 1280, height: 1 });
  });

  test('an image 16,000 pixels long is accepted', async () => {
    expect(await processBytes(blackPng(16_000, 8), 'photo')).toMatchObject({ width: 1280, height: 1 });
  });
});

/** Creates a black PNG with one bit per pixel, which has few bytes for many pixels. */
function blackPng(width: number, height: number) {
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const rows = deflateSync(Buffer.alloc((1 + Math.ceil(width / 8)) * height), { level: 9 });
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { drawQuarters, fixture } from '../testing/factories.ts';
import { createTestImageProcessor } from '../testing/image-processor.ts';
import { readImageFile } from './image-processor.ts';

const fixtures = new URL('../../../fixtures/', import.meta.url);

const imageProcessor = await createTestImageProcessor();
afterAll(() => imageProcessor.close());
const processImage = imageProcessor.processBytes;

/** Draws 40 by 20 pixels of different colours, all fully transparent. */
const drawTransparent = () => {
  const pixels = Buffer.from(Array.from({ length: 40 * 20 * 4 }, (_, at) => (at % 4 === 3 ? 0 : (at * 7) % 256)));
  return sharp(pixels, { raw: { width: 40, height: 20, channels: 4 } }).png();
};

/** Returns the mean difference of two images of the same size, from 0 to 255 per channel. */
async function difference(one: Buffer, other: Buffer) {
  const small = (bytes: Buffer) => sharp(bytes).resize(64, 64, { fit: 'fill' }).removeAlpha().raw().toBuffer();
  const [a, b] = await Promise.all([small(one), small(other)]);
  return a.reduce((sum, value, at) => sum + Math.abs(value - (b[at] ?? 0)), 0) / a.length;
}

/** Returns the names of a file's parts. Throws unless they fill the file to its last byte. */
function parts(bytes: Buffer, ext: string) {
  const names: string[] = [];
  let at = 0;
  if (ext === 'jpg') {
    expect(bytes.readUInt16BE(0)).toBe(0xffd8);
    for (at = 2; bytes[at + 1] !== 0xda; at += 2 + bytes.readUInt16BE(at + 2)) {
      const name = bytes.toString('hex', at, at + 2);
      names.push(name === 'ffe0' ? bytes.toString('latin1', at + 4, at + 8) : name);
    }
    expect(bytes.indexOf(Buffer.from('ffd9', 'hex'), at)).toBe(bytes.length - 2);
  } else if (ext === 'png') {
    for (at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at))
      names.push(bytes.toString('latin1', at + 4, at + 8));
    expect(at).toBe(bytes.length);
  } else {
    expect(bytes.readUInt32LE(4) + 8).toBe(bytes.length);
    for (at = 12; at < bytes.length; at += 8 + 2 * Math.ceil(bytes.readUInt32LE(at + 4) / 2))
      names.push(bytes.toString('latin1', at, at + 4));
    expect(at).toBe(bytes.length);
  }
  return names;
}

const allowedParts: Record<string, RegExp> = {
  jpg: /^(JFIF|ffdb|ffc0|ffc4)$/,
  png: /^(IHDR|PLTE|tRNS|IDAT|pHYs|IEND)$/,
  webp: /^(VP8 |VP8L|VP8X|ALPH)$/,
};
const metadataPatterns = [
  'Exif\0',
  'ns.adobe.com',
  'xpacket',
  'Photoshop',
  'ICC_PROFILE',
  'MPF\0',
  'NIKON',
  'Apple',
  'Jolla',
];

async function expectPixelsOnly(bytes: Buffer, ext: string) {
  for (const name of parts(bytes, ext)) expect(name).toMatch(allowedParts[ext] ?? /^$/);
  for (const word of metadataPatterns) expect(bytes.includes(word, 0, 'latin1'), word).toBe(false);
  const { exif, xmp, icc, iptc, orientation, comments, pages } = await sharp(bytes).metadata();
  expect({ exif, xmp, icc, iptc, orientation, comments, pages }).toEqual({});
}

describe('processing photos', () => {
  const names = readdirSync(new URL('photos', fixtures)).filter((name) => name.endsWith('.jpg'));

  test.each(names)('the photo %s becomes upright, resized and free of metadata', async (name) => {
    const bytes = fixture(`photos/${name}`);
    const processed = await processImage(bytes, 'photo');
    const uprightImage = await sharp(bytes).autoOrient().toBuffer({ resolveWithObject: true });
    const scale = Math.min(1, 1280 / Math.max(uprightImage.info.width, uprightImage.info.height));

    expect(processed).toMatchObject({ ext: 'jpg', type: 'image/jpeg', blank: false });
    expect(Math.abs(processed.width - uprightImage.info.width * scale)).toBeLessThan(1);
    expect(Math.abs(processed.height - uprightImage.info.height * scale)).toBeLessThan(1);
    expect(await sharp(processed.bytes).metadata()).toMatchObject({
      width: processed.width,
      height: processed.height,
      format: 'jpeg',
      space: 'srgb',
    });
    expect(await difference(processed.bytes, uprightImage.data)).toBeLessThan(5);
    await expectPixelsOnly(processed.bytes, 'jpg');
  });

  test('the test photos contain the metadata that must be removed', () => {
    expect(fixture('photos/gps-DSCN0010.jpg').includes('Exif\0')).toBe(true);
    expect(fixture('photos/gps-DSCN0010.jpg').includes('NIKON')).toBe(true);
    expect(fixture('photos/phone-iphone-hdr.jpg').includes('Apple')).toBe(true);
  });

  test('four camera orientations of a scene give the same image', async () => {
    const [first, ...others] = await Promise.all(
      [1, 3, 6, 8].map((exifOrientation) =>
        processImage(fixture(`photos/orientation-landscape-${exifOrientation}.jpg`), 'photo'),
      ),
    );
    for (const other of others) {
      expect(other).toMatchObject({ width: 1280, height: 853 });
      expect(await difference(first?.bytes as Buffer, other.bytes)).toBeLessThan(5);
    }
    expect(await processImage(fixture('photos/orientation-portrait-6.jpg'), 'photo')).toMatchObject({
      width: 853,
      height: 1280,
    });
  });

  test.each([
    [1, 0, false],
    [2, 0, true],
    [3, 180, false],
    [4, 180, true],
    [5, 90, true],
    [6, -90, false],
    [7, -90, true],
    [8, 90, false],
  ])('an image with EXIF orientation %i of 8 becomes upright', async (orientation, degrees, isMirrored) => {
    const uprightImage = await drawQuarters().png().toBuffer();
    // The pixels of the upright image as a camera held in this orientation stores them.
    const rotatedImage = await sharp(uprightImage).rotate(degrees).toBuffer();
    const stored = await sharp(rotatedImage)
      .flop(isMirrored)
      .jpeg({ quality: 95 })
      .withMetadata({ orientation })
      .toBuffer();
    const processed = await processImage(stored, 'photo');
    expect(processed).toMatchObject({ width: 400, height: 200 });
    expect(await difference(processed.bytes, uprightImage)).toBeLessThan(4);
  });

  test('GPS, XMP, ICC and IPTC metadata and comments are removed from PNG and WebP images too', async () => {
    const withMetadata = () =>
      drawQuarters()
        .keepMetadata()
        .withExif({ IFD0: { Make: 'Apple' }, IFD3: { GPSLatitude: '51/1 0/1 0/1' } })
        .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>')
        .withIccProfile('p3');
    for (const [ext, bytes] of [
      ['png', await withMetadata().png().toBuffer()],
      ['webp', await withMetadata().webp().toBuffer()],
    ] as const) {
      expect((await sharp(bytes).metadata()).exif).toBeDefined();
      const processed = await processImage(bytes, 'photo');
      expect(processed.ext).toBe(ext);
      await expectPixelsOnly(processed.bytes, ext);
    }
  });

  test('wide-gamut colours are converted to sRGB', async () => {
    const plainImage = await drawQuarters().png().toBuffer();
    const wideGamutImage = await drawQuarters().withIccProfile('p3').png().toBuffer();
    const numbers = await sharp(wideGamutImage, { ignoreIcc: true }).png().toBuffer();
    expect(await difference(numbers, plainImage)).toBeGreaterThan(5);
    expect(await difference((await processImage(wideGamutImage, 'photo')).bytes, plainImage)).toBeLessThan(2);
  });

  test('a CMYK JPEG becomes sRGB', async () => {
    const cmykImage = await drawQuarters().toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer();
    expect((await sharp(cmykImage).metadata()).space).toBe('cmyk');
    const processed = await processImage(cmykImage, 'photo');
    expect(await sharp(processed.bytes).metadata()).toMatchObject({ space: 'srgb', channels: 3 });
    const originalInRgb = await sharp(cmykImage).toColourspace('srgb').png().toBuffer();
    expect(await difference(processed.bytes, originalInRgb)).toBeLessThan(3);
  });

  test.each([
    ['16 bits per channel', drawQuarters().toColourspace('rgb16').png()],
    ['shades of grey only', drawQuarters().toColourspace('b-w').png()],
    ['interlacing', drawQuarters().png({ progressive: true })],
    ['a palette', drawQuarters().png({ palette: true })],
  ])('a PNG with %s becomes a PNG in 8-bit sRGB', async (_, image) => {
    const processed = await processImage(await image.toBuffer(), 'photo');
    expect(processed.ext).toBe('png');
    expect(await sharp(processed.bytes).metadata()).toMatchObject({ depth: 'uchar', space: 'srgb', width: 400 });
  });

  test('an animated WebP becomes a still image of its first frame', async () => {
    const frame = (background: string) =>
      sharp({ create: { width: 20, height: 20, channels: 3, background } })
        .png()
        .toBuffer();
    const [red, blue] = [await frame('#ff0000'), await frame('#0000ff')];
    const animated = await sharp([red, blue], { join: { animated: true } })
      .webp()
      .toBuffer();
    expect((await sharp(animated, { animated: true }).metadata()).pages).toBe(2);
    const processed = await processImage(animated, 'photo');
    expect(processed).toMatchObject({ ext: 'webp', width: 20, height: 20 });
    await expectPixelsOnly(processed.bytes, 'webp');
    expect(await difference(processed.bytes, red)).toBeLessThan(3);
  });

  test('an image of one pixel is accepted', async () => {
    const pixel = await sharp({ create: { width: 1, height: 1, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer();
    expect(await processImage(pixel, 'photo')).toMatchObject({ width: 1, height: 1, blank: true });
  });

  test('an image below the maximum size is not enlarged', async () => {
    expect(await processImage(await drawQuarters().webp().toBuffer(), 'photo')).toMatchObject({
      width: 400,
      height: 200,
      ext: 'webp',
    });
  });

  test('the image processor returns the hash of the stored bytes', async () => {
    const processed = await processImage(fixture('photos/odd-metadata-1.jpg'), 'photo');
    expect(processed.sha256Stored).toBe(createHash('sha256').update(processed.bytes).digest('hex'));
  });

  test('a photo and a folder thumbnail get a preview, a signature does not', async () => {
    const file = await readImageFile(fileURLToPath(new URL('photos/orientation-portrait-6.jpg', fixtures)));
    for (const [use, format, type] of [
      ['photo', 'jpeg', 'jpg'],
      ['thumbnail', 'webp', 'webp'],
    ] as const) {
      const { path, preview = '' } = await imageProcessor.process(file, use);
      expect(await sharp(preview).metadata()).toMatchObject({ format, width: 213, height: 320 });
      expect(await difference(readFileSync(preview), readFileSync(path))).toBeLessThan(5);
      await expectPixelsOnly(readFileSync(preview), type);
    }
    const signature = join(await mkdtemp(join(tmpdir(), 'images-')), 'signature');
    await drawQuarters().png().toFile(signature);
    expect((await imageProcessor.process(await readImageFile(signature), 'signature')).preview).toBeUndefined();
  });

  test('data hidden inside or after the pixels of a photo is removed', async () => {
    const photo = fixture('photos/odd-metadata-1.jpg');
    const script = Buffer.from('<script>alert(1)</script><?php system($_GET[0]); ?>');
    const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, script.length + 2]), script]);
    const polyglotFile = Buffer.concat([photo.subarray(0, 2), comment, photo.subarray(2), script]);
    const processed = await processImage(polyglotFile, 'photo');
    expect(processed.bytes.includes('script')).toBe(false);
    expect(processed.bytes.includes('<?php')).toBe(false);
    await expectPixelsOnly(processed.bytes, 'jpg');
  });
});

describe('processing signatures', () => {
  const strokes = (background: string) =>
    sharp(
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="600"><rect width="100%" height="100%" fill="${background}"/><path d="M100 300 Q400 0 800 300 T1500 300" stroke="black" stroke-width="4" fill="none"/></svg>`,
      ),
    );
  const createCanvas = (background: string | { r: number; g: number; b: number; alpha: number }) =>
    sharp({ create: { width: 600, height: 200, channels: 4, background } });

  test.each(['none', 'white'])(
    'a signature on the background "%s" is resized to 800 pixels and is not blank',
    async (background) => {
      const processed = await processImage(await strokes(background).png().toBuffer(), 'signature');
      expect(processed).toMatchObject({ ext: 'png', type: 'image/png', width: 800, height: 300, blank: false });
      expect((await sharp(processed.bytes).metadata()).hasAlpha).toBe(true);
    },
  );

  test('pen strokes in a JPEG uploaded as a photo do not count as blank', async () => {
    expect(await processImage(await strokes('white').jpeg().toBuffer(), 'photo')).toMatchObject({ blank: false });
  });

  test.each([
    ['JPEG', () => strokes('white').jpeg()],
    ['WebP', () => strokes('white').webp()],
  ])('a signature in the format %s is rejected', async (_, image) => {
    await expect(processImage(await image().toBuffer(), 'signature')).rejects.toMatchObject({
      status: 415,
      message: 'A signature must be a PNG image',
    });
  });

  test('a drawing of a single dot does not count as blank', async () => {
    const blackDot = { create: { width: 2, height: 2, channels: 3 as const, background: 'black' } };
    const imageWithDot = createCanvas('white').composite([{ input: blackDot, left: 300, top: 100 }]);
    for (const bytes of [await imageWithDot.png().toBuffer(), await imageWithDot.jpeg().toBuffer()])
      expect(await processImage(bytes, 'photo')).toMatchObject({ blank: false });
  });

  test.each([
    ['white', () => createCanvas('white').png()],
    ['white in JPEG', () => createCanvas('white').jpeg()],
    ['grey in WebP', () => createCanvas('#777777').webp()],
    ['transparent', () => createCanvas({ r: 0, g: 0, b: 0, alpha: 0 }).png()],
    ['large and white in JPEG', () => createCanvas('white').resize(2400, 1800, { fit: 'fill' }).jpeg()],
    ['transparent with unseen colours', () => strokes('white').removeAlpha().ensureAlpha(0).png()],
    ['transparent with unseen colours and too small to be resized', drawTransparent],
  ])('a canvas that is %s counts as blank', async (_, image) => {
    expect(await processImage(await image().toBuffer(), 'photo')).toMatchObject({ blank: true });
  });
});

describe('creating previews', () => {
  test('a folder thumbnail becomes WebP from any format', async () => {
    const processed = await processImage(fixture('photos/phone-iphone-hdr.jpg'), 'thumbnail');
    expect(processed).toMatchObject({ ext: 'webp', type: 'image/webp', width: 1280, height: 960 });
    await expectPixelsOnly(processed.bytes, 'webp');
  });

  test('the longer side of a preview has at most 320 pixels', async () => {
    const stored = await processImage(fixture('photos/orientation-portrait-6.jpg'), 'photo');
    const file = join(await mkdtemp(join(tmpdir(), 'images-')), 'stored');
    await writeFile(file, stored.bytes);
    const preview = readFileSync(await imageProcessor.preview(file, 'now'));
    expect(await sharp(preview).metadata()).toMatchObject({ format: 'jpeg', width: 213, height: 320 });
    expect(preview.length).toBeLessThan(25_000);
  });
});

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { createPool } from '../workers/pool.ts';
import { createImageProcessor, type ImageJob, type ImageResult } from './image-processor.ts';

const fixtures = new URL('../../../fixtures/', import.meta.url);
const fixture = (name: string) => readFileSync(new URL(name, fixtures));
const MiB = 2 ** 20;

const imageProcessor = createImageProcessor();
afterAll(() => imageProcessor.close());
const take = imageProcessor.process;

/** A picture in which no two quarters are alike. */
function quarters(width = 400, height = 200) {
  const half = { width: width / 2, height: height / 2 };
  const fill = (background: string) => ({ create: { ...half, channels: 3 as const, background } });
  return sharp({ create: { width, height, channels: 3, background: '#cc2211' } }).composite([
    { input: fill('#11aa33'), left: half.width, top: 0 },
    { input: fill('#2244cc'), left: 0, top: half.height },
    { input: fill('#eeeeee'), left: half.width, top: half.height },
  ]);
}

/** Mean difference of two pictures of the same shape, 0 to 255 a channel. */
async function difference(one: Buffer, other: Buffer) {
  const small = (bytes: Buffer) => sharp(bytes).resize(64, 64, { fit: 'fill' }).removeAlpha().raw().toBuffer();
  const [a, b] = await Promise.all([small(one), small(other)]);
  return a.reduce((sum, value, at) => sum + Math.abs(value - (b[at] ?? 0)), 0) / a.length;
}

/** The names of a file's parts, which must fill it to its last byte. */
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

const pixelPartsOnly: Record<string, RegExp> = {
  jpg: /^(JFIF|ffdb|ffc0|ffc4)$/,
  png: /^(IHDR|PLTE|tRNS|IDAT|pHYs|IEND)$/,
  webp: /^(VP8 |VP8L|VP8X|ALPH)$/,
};
const privateWords = [
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
  for (const name of parts(bytes, ext)) expect(name).toMatch(pixelPartsOnly[ext] ?? /^$/);
  for (const word of privateWords) expect(bytes.includes(word, 0, 'latin1'), word).toBe(false);
  const { exif, xmp, icc, iptc, orientation, comments, pages } = await sharp(bytes).metadata();
  expect({ exif, xmp, icc, iptc, orientation, comments, pages }).toEqual({});
}

describe('photos', () => {
  const names = readdirSync(new URL('photos', fixtures)).filter((name) => name.endsWith('.jpg'));

  test.each(names)('%s becomes upright, resized and free of metadata', async (name) => {
    const bytes = fixture(`photos/${name}`);
    const taken = await take(bytes, 'photo');
    const upright = await sharp(bytes).autoOrient().toBuffer({ resolveWithObject: true });
    const scale = Math.min(1, 1280 / Math.max(upright.info.width, upright.info.height));

    expect(taken).toMatchObject({ ext: 'jpg', type: 'image/jpeg', blank: false });
    expect(Math.abs(taken.width - upright.info.width * scale)).toBeLessThan(1);
    expect(Math.abs(taken.height - upright.info.height * scale)).toBeLessThan(1);
    expect(await sharp(taken.bytes).metadata()).toMatchObject({
      width: taken.width,
      height: taken.height,
      format: 'jpeg',
      space: 'srgb',
    });
    expect(await difference(taken.bytes, upright.data)).toBeLessThan(5);
    await expectPixelsOnly(taken.bytes, 'jpg');
  });

  test('the fixtures contain the metadata that must go', () => {
    expect(fixture('photos/gps-DSCN0010.jpg').includes('Exif\0')).toBe(true);
    expect(fixture('photos/gps-DSCN0010.jpg').includes('NIKON')).toBe(true);
    expect(fixture('photos/phone-iphone-hdr.jpg').includes('Apple')).toBe(true);
  });

  test('one scene in four camera orientations gives the same image', async () => {
    const [first, ...others] = await Promise.all(
      [1, 3, 6, 8].map((way) => take(fixture(`photos/orientation-landscape-${way}.jpg`), 'photo')),
    );
    for (const other of others) {
      expect(other).toMatchObject({ width: 1280, height: 853 });
      expect(await difference(first?.bytes as Buffer, other.bytes)).toBeLessThan(5);
    }
    expect(await take(fixture('photos/orientation-portrait-6.jpg'), 'photo')).toMatchObject({
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
  ])('EXIF orientation %i of eight is applied', async (orientation, turn, mirrored) => {
    const upright = await quarters().png().toBuffer();
    // How a camera that is held this way stores the upright scene.
    const turned = await sharp(upright).rotate(turn).toBuffer();
    const stored = await sharp(turned).flop(mirrored).jpeg({ quality: 95 }).withMetadata({ orientation }).toBuffer();
    const taken = await take(stored, 'photo');
    expect(taken).toMatchObject({ width: 400, height: 200 });
    expect(await difference(taken.bytes, upright)).toBeLessThan(4);
  });

  test('GPS, XMP, ICC, IPTC and comments are removed from PNG and WebP too', async () => {
    const told = () =>
      quarters()
        .keepMetadata()
        .withExif({ IFD0: { Make: 'Apple' }, IFD3: { GPSLatitude: '51/1 0/1 0/1' } })
        .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>')
        .withIccProfile('p3');
    for (const [ext, bytes] of [
      ['png', await told().png().toBuffer()],
      ['webp', await told().webp().toBuffer()],
    ] as const) {
      expect((await sharp(bytes).metadata()).exif).toBeDefined();
      const taken = await take(bytes, 'photo');
      expect(taken.ext).toBe(ext);
      await expectPixelsOnly(taken.bytes, ext);
    }
  });

  test('wide-gamut colours are converted to sRGB', async () => {
    const plain = await quarters().png().toBuffer();
    const wide = await quarters().withIccProfile('p3').png().toBuffer();
    const numbers = await sharp(wide, { ignoreIcc: true }).png().toBuffer();
    expect(await difference(numbers, plain)).toBeGreaterThan(5);
    expect(await difference((await take(wide, 'photo')).bytes, plain)).toBeLessThan(2);
  });

  test('a CMYK JPEG becomes sRGB', async () => {
    const cmyk = await quarters().toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer();
    expect((await sharp(cmyk).metadata()).space).toBe('cmyk');
    const taken = await take(cmyk, 'photo');
    expect(await sharp(taken.bytes).metadata()).toMatchObject({ space: 'srgb', channels: 3 });
    const seen = await sharp(cmyk).toColourspace('srgb').png().toBuffer();
    expect(await difference(taken.bytes, seen)).toBeLessThan(3);
  });

  test.each([
    ['16 bits', quarters().toColourspace('rgb16').png()],
    ['grey', quarters().toColourspace('b-w').png()],
    ['interlaced', quarters().png({ progressive: true })],
    ['of a palette', quarters().png({ palette: true })],
  ])('a PNG that is %s stays a PNG in plain sRGB', async (_, image) => {
    const taken = await take(await image.toBuffer(), 'photo');
    expect(taken.ext).toBe('png');
    expect(await sharp(taken.bytes).metadata()).toMatchObject({ depth: 'uchar', space: 'srgb', width: 400 });
  });

  test('an animated WebP gives its first frame', async () => {
    const frame = (background: string) =>
      sharp({ create: { width: 20, height: 20, channels: 3, background } })
        .png()
        .toBuffer();
    const [red, blue] = [await frame('#ff0000'), await frame('#0000ff')];
    const animated = await sharp([red, blue], { join: { animated: true } })
      .webp()
      .toBuffer();
    expect((await sharp(animated, { animated: true }).metadata()).pages).toBe(2);
    const taken = await take(animated, 'photo');
    expect(taken).toMatchObject({ ext: 'webp', width: 20, height: 20 });
    await expectPixelsOnly(taken.bytes, 'webp');
    expect(await difference(taken.bytes, red)).toBeLessThan(3);
  });

  test('an image of one pixel is accepted', async () => {
    const pixel = await sharp({ create: { width: 1, height: 1, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer();
    expect(await take(pixel, 'photo')).toMatchObject({ width: 1, height: 1, blank: true });
  });

  test('a small image is not enlarged', async () => {
    expect(await take(await quarters().webp().toBuffer(), 'photo')).toMatchObject({
      width: 400,
      height: 200,
      ext: 'webp',
    });
  });

  test('both hashes are returned: of received and stored bytes', async () => {
    const bytes = fixture('photos/odd-metadata-1.jpg');
    const taken = await take(bytes, 'photo');
    const sha256 = (of: Buffer) => createHash('sha256').update(of).digest('hex');
    expect(taken.sha256Received).toBe(sha256(bytes));
    expect(taken.sha256Stored).toBe(sha256(taken.bytes));
  });

  test('data hidden behind or inside a photo is removed', async () => {
    const photo = fixture('photos/odd-metadata-1.jpg');
    const script = Buffer.from('<script>alert(1)</script><?php system($_GET[0]); ?>');
    const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, script.length + 2]), script]);
    const polyglot = Buffer.concat([photo.subarray(0, 2), comment, photo.subarray(2), script]);
    const taken = await take(polyglot, 'photo');
    expect(taken.bytes.includes('script')).toBe(false);
    expect(taken.bytes.includes('<?php')).toBe(false);
    await expectPixelsOnly(taken.bytes, 'jpg');
  });
});

describe('rejected files', () => {
  test.each([
    ['corrupted.jpg', 422],
    ['xc1n0g08.png', 422],
    ['xcsn0g01.png', 422],
    ['xd0n2c08.png', 422],
    ['xhdn0g08.png', 422],
    ['xs4n0g01.png', 415],
  ])('the broken image %s is rejected with %i', async (name, status) => {
    await expect(take(fixture(`not-photos/${name}`), 'photo')).rejects.toMatchObject({ status });
  });

  test.each([
    ['an SVG, whatever its name', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'],
    ['HTML', '<!doctype html><script>alert(1)</script>'],
    ['PDF', '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n'],
    ['a zip', 'PK\x03\x04\x14\0'],
  ])('%s: only image files are supported', async (_, text) => {
    await expect(take(Buffer.from(text, 'latin1'), 'photo')).rejects.toMatchObject({
      status: 415,
      message: 'Only image files are supported',
    });
  });

  const pictures = ['gif', 'tiff', 'avif'] as const;
  test.each(pictures)('%s is rejected although it is an image', async (format) => {
    const bytes = await quarters(40, 20).toFormat(format).toBuffer();
    await expect(take(bytes, 'photo')).rejects.toMatchObject({ status: 415 });
  });

  test('the decoder itself accepts only the three formats', async () => {
    const child = new URL('./image-child.ts', import.meta.url);
    const pool = createPool<ImageJob, ImageResult>({ script: child, size: 1, queue: 9, timeoutMs: 10_000 });
    const draw = (bytes: Buffer) => pool.run({ bytes, ext: 'png', fit: 1280 });
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9"/></svg>');
    for (const bytes of [
      svg,
      ...(await Promise.all(pictures.map((format) => quarters(40, 20).toFormat(format).toBuffer()))),
    ])
      await expect(draw(bytes)).rejects.toThrow('unsupported image format');
    expect(await draw(await quarters(40, 20).webp().toBuffer())).toMatchObject({ width: 40 });
    await pool.close();
  });

  test('HEIC is rejected with a helpful message', async () => {
    await expect(take(fixture('photos/phone-iphone-13.heic'), 'photo')).rejects.toMatchObject({
      status: 415,
      message: expect.stringContaining('HEIC'),
    });
  });

  test('an empty file is rejected', async () => {
    await expect(take(Buffer.alloc(0), 'photo')).rejects.toMatchObject({ status: 400 });
  });

  test.each([
    ['photo', 10],
    ['signature', 1],
    ['thumbnail', 5],
  ] as const)('a %s one byte larger than %i MB is rejected', async (use, most) => {
    const photo = fixture('photos/odd-metadata-1.jpg');
    const image = use === 'signature' ? await sharp(photo).resize(80).png().toBuffer() : photo;
    const full = Buffer.concat([image, Buffer.alloc(most * MiB - image.length)]);
    expect(await take(full, use)).toMatchObject({ width: expect.any(Number) });
    await expect(take(Buffer.concat([full, Buffer.alloc(1)]), use)).rejects.toMatchObject({
      status: 413,
      message: `Image is too large (max ${most} MB)`,
    });
  });

  test.each([1, 10, 25, 50, 75, 90, 99])('a photo with only %i %% of its bytes is rejected', async (percent) => {
    const photo = fixture('photos/odd-metadata-2.jpg');
    const piece = photo.subarray(0, Math.floor((photo.length * percent) / 100));
    await expect(take(piece, 'photo')).rejects.toMatchObject({ status: 422, message: 'This image could not be read' });
  });

  test.each([
    ['16,000 × 16,000 pixels in 31 KB', 16_000, 16_000],
    ['16,001 × 8 pixels', 16_001, 8],
    ['8 × 16,001 pixels', 8, 16_001],
  ])('a decompression bomb of %s is rejected', async (_, width, height) => {
    const bytes = blackPng(width, height);
    await expect(take(bytes, 'photo')).rejects.toMatchObject({ status: 422, message: 'This image could not be read' });
  });

  test('an image of 16,000 pixels length is accepted', async () => {
    expect(await take(blackPng(16_000, 8), 'photo')).toMatchObject({ width: 1280, height: 1 });
  });
});

describe('signatures', () => {
  const strokes = (background: string) =>
    sharp(
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="600"><rect width="100%" height="100%" fill="${background}"/><path d="M100 300 Q400 0 800 300 T1500 300" stroke="black" stroke-width="4" fill="none"/></svg>`,
      ),
    );
  const sheet = (background: string | { r: number; g: number; b: number; alpha: number }) =>
    sharp({ create: { width: 600, height: 200, channels: 4, background } });

  test.each(['none', 'white'])('a drawing on %s is resized to 800 pixels and is not blank', async (background) => {
    const taken = await take(await strokes(background).png().toBuffer(), 'signature');
    expect(taken).toMatchObject({ ext: 'png', type: 'image/png', width: 800, height: 300, blank: false });
    expect((await sharp(taken.bytes).metadata()).hasAlpha).toBe(true);
  });

  test('a drawing as JPEG is not blank', async () => {
    expect(await take(await strokes('white').jpeg().toBuffer(), 'photo')).toMatchObject({ blank: false });
  });

  test.each([
    ['JPEG', () => strokes('white').jpeg()],
    ['WebP', () => strokes('white').webp()],
  ])('a %s is rejected', async (_, image) => {
    await expect(take(await image().toBuffer(), 'signature')).rejects.toMatchObject({
      status: 415,
      message: 'A signature must be a PNG image',
    });
  });

  test('a single dot is not blank', async () => {
    const dot = { create: { width: 2, height: 2, channels: 3 as const, background: 'black' } };
    const dotted = sheet('white').composite([{ input: dot, left: 300, top: 100 }]);
    for (const bytes of [await dotted.png().toBuffer(), await dotted.jpeg().toBuffer()])
      expect(await take(bytes, 'photo')).toMatchObject({ blank: false });
  });

  test.each([
    ['white', () => sheet('white').png()],
    ['white in JPEG', () => sheet('white').jpeg()],
    ['grey in WebP', () => sheet('#777777').webp()],
    ['transparent', () => sheet({ r: 0, g: 0, b: 0, alpha: 0 }).png()],
    ['large and white in JPEG', () => sheet('white').resize(2400, 1800, { fit: 'fill' }).jpeg()],
    ['transparent with unseen colours', () => strokes('white').removeAlpha().ensureAlpha(0).png()],
  ])('a canvas that is %s is blank', async (_, image) => {
    expect(await take(await image().toBuffer(), 'photo')).toMatchObject({ blank: true });
  });
});

describe('previews', () => {
  test('a folder thumbnail becomes WebP from any format', async () => {
    const taken = await take(fixture('photos/phone-iphone-hdr.jpg'), 'thumbnail');
    expect(taken).toMatchObject({ ext: 'webp', type: 'image/webp', width: 1280, height: 960 });
    await expectPixelsOnly(taken.bytes, 'webp');
  });

  test('the preview of a stored image is small, with at most 320 pixels', async () => {
    const stored = await take(fixture('photos/orientation-portrait-6.jpg'), 'photo');
    const preview = await imageProcessor.preview(stored.bytes, 'now');
    expect(await sharp(preview).metadata()).toMatchObject({ format: 'webp', width: 213, height: 320 });
    expect(preview.length).toBeLessThan(25_000);
  });
});

describe.runIf(process.platform === 'linux')('child processes', () => {
  const children = () =>
    readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

  const others = children();
  const newChild = async (...known: number[]) => {
    const find = () => children().find((pid) => ![...others, ...known].includes(pid) && isImageChild(pid));
    await expect.poll(find, { interval: 1 }).toBeDefined();
    return find() as number;
  };

  test('a killed child loses no image: a new one processes it', async () => {
    const own = createImageProcessor();
    for (let round = 0; round < 5; round++) {
      const large = own.process(fixture('photos/phone-iphone-hdr.jpg'), 'photo');
      process.kill(await newChild(), 'SIGKILL');
      expect(await large).toMatchObject({ ext: 'jpg' });
      await own.close();
      Object.assign(own, createImageProcessor());
    }
    await own.close();
  });

  test('two killed children for one image give 503, not 422', async () => {
    const own = createImageProcessor();
    const large = own.process(fixture('photos/phone-iphone-hdr.jpg'), 'photo');
    const refused = expect(large).rejects.toMatchObject({ status: 503, details: { retryAfter: 5 } });
    const first = await newChild();
    process.kill(first, 'SIGKILL');
    process.kill(await newChild(first), 'SIGKILL');
    await refused;
    expect(await own.process(fixture('photos/odd-metadata-2.jpg'), 'photo')).toMatchObject({ ext: 'jpg' });
    await own.close();
  });

  test('at most two children run at once', async () => {
    const photo = fixture('photos/odd-metadata-2.jpg');
    const all = Array.from({ length: 20 }, () => take(photo, 'photo'));
    expect(children().filter(isImageChild).length).toBeLessThanOrEqual(2);
    for (const taken of await Promise.all(all)) expect(taken.blank).toBe(false);
    expect(children().filter(isImageChild).length).toBe(2);
  });

  function isImageChild(pid: number) {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('image-child');
    } catch {
      return false;
    }
  }
});

/** A PNG of one bit a pixel, all black: few bytes for many pixels. */
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

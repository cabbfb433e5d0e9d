// Which files can be uploaded, how many, and which records can name them.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { describeError } from '../testing/errors.ts';
import { fixture, newReport, photo, signaturePng, upload, uploadPhoto, uploadSignature } from '../testing/factories.ts';
import { changeRows } from '../testing/rows.ts';
import { seedUploads } from '../testing/seed-reports.ts';
import { engines } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';
import { deleteUnattached } from './store.ts';

describe.each(engines)('uploads on %s', (engine) => {
  const { server, staff } = createTestServer(engine);
  const reviewer = server.user('Admin');

  const listFiles = async () => {
    const rows = await server.db.selectFrom('uploads').select('path').execute();
    const files = readdirSync(join(server.folder, 'uploads'), { recursive: true, encoding: 'utf8' });
    return {
      rows: rows.map((row) => row.path.slice('/uploads/'.length)).toSorted(),
      files: files.filter((name) => /\.\w+$/.test(name) && !name.startsWith('.')).toSorted(),
    };
  };

  test('a file that is not a photo is rejected and nothing is stored', async () => {
    const before = await listFiles();
    const jpeg = await photo();
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    const unreadable = '422 This image could not be read';
    const notAnImage = '415 Only image files are supported';
    const cases: [string, Buffer, unknown][] = [
      ...['corrupted.jpg', 'xc1n0g08.png', 'xcsn0g01.png', 'xd0n2c08.png', 'xhdn0g08.png'].map(
        (name): [string, Buffer, string] => [name, fixture(`not-photos/${name}`), unreadable],
      ),
      ['xs4n0g01.png', fixture('not-photos/xs4n0g01.png'), notAnImage],
      ['phone.heic', fixture('photos/phone-iphone-13.heic'), expect.stringMatching(/^415 .*HEIC/)],
      ['empty.jpg', Buffer.alloc(0), '400 The image is empty'],
      ['svg.jpg', Buffer.from(svg), notAnImage],
      ['declared svg.jpg', Buffer.from(`<?xml version="1.0"?>${svg}`), notAnImage],
      ['page.jpg', Buffer.from('<html><script>alert(1)</script>'), notAnImage],
      ['document.jpg', Buffer.from('%PDF-1.7'), notAnImage],
      ['animation.gif', Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1'), notAnImage],
      ['archive.png', Buffer.from('PK\x03\x04'), notAnImage],
      ['picture.bmp', Buffer.from('BM00000000'), notAnImage],
      ['three bytes.jpg', Buffer.from([0xff, 0xd8, 0xff]), unreadable],
      ['header of a photo.jpg', jpeg.subarray(0, jpeg.indexOf(Buffer.from([0xff, 0xda]))), unreadable],
      ['head.png', Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from(svg)]), unreadable],
    ];
    for (const [name, bytes, error] of cases)
      expect([name, await describeError(upload(staff, bytes, name))]).toEqual([name, error]);
    expect(await listFiles()).toEqual(before);
  });

  test('a photo is stored without metadata and data appended to it, whatever its name', async () => {
    const polyglotFile = Buffer.concat([fixture('photos/gps-DSCN0010.jpg'), Buffer.from('<script>alert(1)</script>')]);
    const path = await upload(staff, polyglotFile, 'x.php');
    const response = await staff.fetch(path);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.headers.get('content-type')).toBe('image/jpeg');
    expect(bytes.includes('<script>')).toBe(false);
    const { exif, xmp, iptc, icc } = await sharp(bytes).metadata();
    expect([exif, xmp, iptc, icc]).toEqual([undefined, undefined, undefined, undefined]);
    const row = await server.db.selectFrom('uploads').selectAll().where('path', '=', path).executeTakeFirstOrThrow();
    const sha256 = (data: Buffer) => createHash('sha256').update(data).digest('hex');
    expect(row).toMatchObject({
      sha256_received: sha256(polyglotFile),
      sha256_stored: sha256(bytes),
      size: bytes.length,
    });
    expect((await stat(join(server.folder, path))).mode & 0o777).toBe(0o640);
  });

  const submit = async (changes: Record<string, unknown>) =>
    staff(api.submitAccident, { body: await newReport(staff, changes) });

  describe('submitted reports', () => {
    const used = { status: 409, message: 'A photo is missing or already used. Please add it again.' };

    test('a report with a file named twice, of another user, already used or unknown is rejected', async () => {
      const path = await uploadPhoto(staff);
      const signature = await uploadSignature(staff);
      const other = await server.as('None', 'Lido Beach');
      const elsewhere = await uploadPhoto(staff);
      await submit({ mediaFiles: [{ path: elsewhere }] });
      for (const changes of [
        { mediaFiles: [{ path }, { path }] },
        { mediaFiles: [{ path: signature }], signature: { path: signature } },
        { signature: { path: signature }, affectedUserSignature: { path: signature } },
        { mediaFiles: [{ path }, { path: await uploadPhoto(other) }] },
        { signature: { path: await uploadSignature(other) } },
        { mediaFiles: [{ path: elsewhere }] },
        { mediaFiles: [{ path: '/uploads/2026/01/aaaaaaaaaaaaaaaaaaaaaaaaaa.jpg' }] },
      ])
        await expect(submit(changes)).rejects.toMatchObject(used);
      // Rejected reports do not attach any file.
      await submit({ mediaFiles: [{ path }], signature: { path: signature } });
    });

    test('a report has at most 20 photos', async () => {
      const paths = await Promise.all(Array.from({ length: 21 }, () => uploadPhoto(staff)));
      const media = paths.map((path) => ({ path }));
      await expect(submit({ mediaFiles: media })).rejects.toMatchObject({ status: 400, message: 'At most 20 photos' });
      await submit({ mediaFiles: media.slice(0, 20) });
    });

    test('a report sent twice at once with one file is recorded once', async () => {
      const shared = await uploadPhoto(staff);
      const bodies = await Promise.all([1, 2].map(() => newReport(staff, { mediaFiles: [{ path: shared }] })));
      const outcomes = await Promise.allSettled(bodies.map((body) => staff(api.submitIncident, { body })));
      expect(outcomes.map((outcome) => outcome.status).toSorted()).toEqual(['fulfilled', 'rejected']);
    });

    test('a report with a blank signature is rejected', async () => {
      const blank = (background: string) =>
        sharp({ create: { width: 300, height: 120, channels: 4, background } })
          .png()
          .toBuffer();
      for (const background of ['#ffffff', '#00000000', '#123456']) {
        const path = await upload(staff, await blank(background), 's.png', 'signature');
        await expect(submit({ signature: { path } })).rejects.toMatchObject({
          status: 400,
          message: 'Reporter signature is required',
          fields: { signature: 'Reporter signature is required' },
        });
        await expect(submit({ affectedUserSignature: { path } })).rejects.toMatchObject({
          status: 400,
          message: 'Affected party signature is required',
          fields: { affectedUserSignature: 'Affected party signature is required' },
        });
      }
      await expect(submit({ signature: undefined })).rejects.toMatchObject({
        message: 'Reporter signature is required',
      });
      await expect(submit({ affectedUserSignature: null })).rejects.toMatchObject({
        message: 'Affected party signature is required',
      });
      await expect(submit({ mediaFiles: [] })).rejects.toMatchObject({
        message: 'Please upload at least one media file',
      });
    });

    test('a report with a file path outside the uploads is rejected', async () => {
      const path = await uploadPhoto(staff);
      for (const file of [
        { path, storageType: 's3' },
        { path: 'data:image/png;base64,iVBORw0KGgo=' },
        { path: 'https://evil.example/a.jpg' },
        { path: `${path}?x` },
        { path: [path] },
      ])
        await expect(submit({ mediaFiles: [file] })).rejects.toMatchObject({ status: 400 });
    });

    test('a report gets file details from the server, whatever the sender claims', async () => {
      const path = await uploadPhoto(staff);
      const { id } = await submit({ mediaFiles: [{ path, name: 'a.jpg', type: 'text/html', size: 1, extra: 'x' }] });
      const { mediaFiles } = await reviewer(api.getReport, { params: { id } });
      const { size } = await stat(join(server.folder, path));
      expect(mediaFiles).toEqual([{ path, name: 'a.jpg', type: 'image/jpeg', size, storageType: 'server' }]);
    });
  });

  test('a user has at most 100 unattached files, however many are sent at once', async () => {
    const uploader = await server.as('None');
    const paths = await seedUploads(server.db, 95, uploader.id);
    const bytes = await photo();
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => upload(uploader, bytes)));
    const rejections = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(rejections).toHaveLength(15);
    for (const reason of rejections)
      expect(reason).toMatchObject({
        status: 429,
        retryAfter: 3600,
        message: expect.stringContaining('deleted after 3 days'),
      });
    await deleteUnattached(server.db, paths);
    await upload(uploader, bytes);
  });

  test('a user has at most 100 MB of unattached files', async () => {
    const uploader = await server.as('None');
    const path = await uploadPhoto(uploader);
    await changeRows(server.db, 'uploads', { path }, { size: 100 * 1024 * 1024 });
    await expect(uploadPhoto(uploader)).rejects.toMatchObject({ status: 429 });
  });

  test('an upload repeated with one idempotency key is stored once', async () => {
    const key = randomUUID();
    const bytes = await photo();
    const before = await listFiles();
    const send = () => staff(api.uploadImage, { file: new Blob([new Uint8Array(bytes)]), fileName: 'a.jpg', key });
    const replies = await Promise.all(Array.from({ length: 8 }, send));
    expect(new Set(replies.map((reply) => reply.filePath)).size).toBe(1);
    expect((await listFiles()).files.length).toBe(before.files.length + 1);
    const other = new Blob([new Uint8Array(await signaturePng())]);
    await expect(staff(api.uploadImage, { file: other, key })).rejects.toMatchObject({ status: 422 });
    const { rows, files } = await listFiles();
    expect(files).toEqual(files.filter((file) => rows.includes(file)));
  });

  test('four photos of 2 MB with Welsh and Japanese names are stored', async () => {
    const noisePixels = [1, 2, 3, 4].map(() => randomBytes(900 * 800 * 3));
    const largeImages = await Promise.all(
      noisePixels.map((pixels) =>
        sharp(pixels, { raw: { width: 900, height: 800, channels: 3 } })
          .png({ compressionLevel: 0 })
          .toBuffer(),
      ),
    );
    for (const bytes of largeImages) expect(bytes.length).toBeGreaterThan(2e6);
    const names = [
      'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch ŵŷ.png',
      '山田太郎の写真.png',
      'ô.png',
      'd.png',
    ];
    const media = await Promise.all(
      largeImages.map(async (bytes, at) => ({ path: await upload(staff, bytes, names[at]), name: names[at] ?? '' })),
    );
    const name = 'Gwenllïan Ŵyn ap Llŷr-Êvân';
    const reporter = '山田 太郎（やまだ たろう）';
    const details = '滑って転んだ。\n\tDisgynnodd ar y grisiau gwlyb — “糟糕” 🚑';
    const { id } = await submit({ mediaFiles: media, name, reporter, details });
    const listed = (await reviewer(api.listReports)).find((report) => report.id === id);
    expect(listed).toMatchObject({ name, reporter, details });
    expect(listed?.mediaFiles.map((file) => file.name)).toEqual(names);
    for (const [at, file] of (listed?.mediaFiles ?? []).entries()) {
      const response = await reviewer.fetch(file.path);
      const bytes = Buffer.from(await response.arrayBuffer());
      expect([bytes.length, response.headers.get('content-length')]).toEqual([file.size, String(file.size)]);
      // PNG is lossless: every pixel equals the one that was sent.
      const pixels = await sharp(bytes).raw().toBuffer();
      expect(pixels.equals(noisePixels[at] as Buffer)).toBe(true);
    }
  });

  test('a photo missing on disk is a 404, and its report can still be listed and printed', async () => {
    const [missingPhoto, presentPhoto] = [await uploadPhoto(staff), await uploadPhoto(staff)];
    const { id } = await submit({ mediaFiles: [{ path: missingPhoto }, { path: presentPhoto }] });
    await rm(join(server.folder, missingPhoto));
    expect((await reviewer.fetch(missingPhoto)).status).toBe(404);
    expect((await reviewer.fetch(presentPhoto)).status).toBe(200);
    expect((await reviewer(api.listReports)).find((report) => report.id === id)?.mediaFiles).toHaveLength(2);
    const pdf = await reviewer(api.getReportPdf, { params: { id } });
    expect(Buffer.from(pdf).subarray(0, 5).toString()).toBe('%PDF-');
  });

  test('Range requests for a photo get the requested part', async () => {
    const path = await uploadPhoto(staff);
    const wholeFile = Buffer.from(await (await staff.fetch(path)).arrayBuffer());
    const part = async (range: string, more = {}) => {
      const response = await staff.fetch(path, { headers: { range, ...more } });
      return {
        status: response.status,
        range: response.headers.get('content-range'),
        bytes: Buffer.from(await response.arrayBuffer()),
      };
    };
    const size = wholeFile.length;
    expect(await part('bytes=10-19')).toEqual({
      status: 206,
      range: `bytes 10-19/${size}`,
      bytes: wholeFile.subarray(10, 20),
    });
    expect(await part('bytes=-5')).toEqual({
      status: 206,
      range: `bytes ${size - 5}-${size - 1}/${size}`,
      bytes: wholeFile.subarray(-5),
    });
    expect(await part(`bytes=${size}-`)).toMatchObject({ status: 416, range: `bytes */${size}` });
    expect(await part('bytes=10-19', { 'if-range': '"x"' })).toMatchObject({ status: 200, bytes: wholeFile });
    expect((await staff.fetch(path)).headers.get('accept-ranges')).toBe('bytes');
  });

  test('a photo opened in parts has one log entry', async () => {
    const { id } = await submit({});
    const [{ path } = { path: '' }] = (await reviewer(api.getReport, { params: { id } })).mediaFiles;
    for (const range of ['bytes=0-9', 'bytes=10-19', 'bytes=20-29']) await reviewer.fetch(path, { headers: { range } });
    const history = await reviewer(api.getReportHistory, { params: { id } });
    expect(history.filter(({ action }) => action === 'opened a photo')).toHaveLength(1);
  });

  test('an idempotency key of a photo cannot be used again for a signature', async () => {
    const key = crypto.randomUUID();
    const file = new Blob([new Uint8Array(await signaturePng())]);
    await staff(api.uploadImage, { file, key, query: { use: 'photo' } });
    await expect(staff(api.uploadImage, { file, key, query: { use: 'signature' } })).rejects.toMatchObject({
      status: 422,
    });
  });
});

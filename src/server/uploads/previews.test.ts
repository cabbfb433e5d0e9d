// Previews exist when a list is opened, and are cached.
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createImageProcessor } from '../files/image-processor.ts';
import { openPreviews } from '../files/previews.ts';
import { openDiskStore } from '../files/store.ts';
import { openTemporaryFiles } from '../files/temporary-files.ts';
import { getFilePath } from '../files/upload-path.ts';
import { uploadPhoto, uploadSignature } from '../testing/factories.ts';
import { engines, startTestServer, type TestClient, type TestServer } from '../testing/server.ts';

describe.each(engines)('previews on %s', (engine) => {
  let server: TestServer;
  let staff: TestClient;
  beforeAll(async () => {
    server = await startTestServer(engine);
    staff = await server.as('None');
  });
  afterAll(() => server.stop());

  const fileAt = (upload: string) => join(server.folder, 'previews', getFilePath(upload));
  const isDrawn = (upload: string) => expect.poll(() => existsSync(fileAt(upload)), { timeout: 10_000 }).toBe(true);
  const look = (upload: string) => staff.fetch(`${upload}?thumb=1`);

  test("a photo's preview is created after the upload, a signature has none", async () => {
    const signature = await uploadSignature(staff);
    const photo = await uploadPhoto(staff);
    await isDrawn(photo);
    expect(existsSync(fileAt(signature))).toBe(false);
    expect(Buffer.from(await (await look(photo)).arrayBuffer())).toEqual(await readFile(fileAt(photo)));
  });

  test('a cached preview is reused and a deleted one created again', async () => {
    const photo = await uploadPhoto(staff);
    await isDrawn(photo);
    await writeFile(fileAt(photo), 'as it was kept');
    expect(await (await look(photo)).text()).toBe('as it was kept');
    await rm(fileAt(photo));
    expect(
      Buffer.from(await (await look(photo)).arrayBuffer())
        .subarray(8, 12)
        .toString(),
    ).toBe('WEBP');
    expect(existsSync(fileAt(photo))).toBe(true);
  });

  test('a missing original without a preview is a 404', async () => {
    const signature = await uploadSignature(staff);
    await rm(join(server.folder, signature));
    expect((await look(signature)).status).toBe(404);
  });

  test('an unresponsive bucket does not delay a shutdown', async () => {
    const hangs = {
      ...(await openDiskStore(join(server.folder, 'uploads'), { isInUse: true })),
      locate: () => undefined,
      read: () => new Promise<never>(() => {}),
    };
    const temporaryFiles = await openTemporaryFiles(join(server.folder, 'other', 'temporary'));
    const imageProcessor = createImageProcessor(temporaryFiles);
    const previews = await openPreviews(
      { ...server.config, dataDir: join(server.folder, 'other') },
      { files: hangs, imageProcessor, temporaryFiles },
    );
    previews.schedulePreview(await uploadPhoto(staff));
    void previews.read(await uploadPhoto(staff), staff.id);
    await Promise.all([previews.close(), imageProcessor.close()]);
  });

  test('previews work without their folder', async () => {
    const photo = await uploadPhoto(staff);
    await isDrawn(photo);
    await rm(join(server.folder, 'previews'), { recursive: true });
    expect((await look(photo)).status).toBe(200);
  });
});

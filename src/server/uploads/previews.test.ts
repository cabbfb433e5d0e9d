// Previews exist when a list is opened, and are cached.
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { createImageProcessor } from '../files/image-processor.ts';
import { openPreviews } from '../files/previews.ts';
import { type FileStore, openDiskStore } from '../files/store.ts';
import { openTemporaryFiles } from '../files/temporary-files.ts';
import { getFilePath } from '../files/upload-path.ts';
import { uploadPhoto, uploadSignature } from '../testing/factories.ts';
import { engines } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

describe.each(engines)('previews on %s', (engine) => {
  const { server } = createTestServer(engine);
  const staff = server.user('None');

  const getPreviewFile = (upload: string) => join(server.folder, 'previews', getFilePath(upload));
  const waitForPreview = (upload: string) =>
    expect.poll(() => existsSync(getPreviewFile(upload)), { timeout: 10_000 }).toBe(true);
  const readBytes = async (response: Response) => Buffer.from(await response.arrayBuffer());
  const fetchPreview = (upload: string) => staff.fetch(`${upload}?thumb=1`);

  test('a photo gets a preview after the upload, a signature gets none', async () => {
    const signature = await uploadSignature(staff);
    const photo = await uploadPhoto(staff);
    await waitForPreview(photo);
    expect(existsSync(getPreviewFile(signature))).toBe(false);
    expect(await readBytes(await fetchPreview(photo))).toEqual(await readFile(getPreviewFile(photo)));
  });

  test('a cached preview is reused and a deleted one created again', async () => {
    const photo = await uploadPhoto(staff);
    await waitForPreview(photo);
    const originalPreview = await readFile(getPreviewFile(photo));
    const editedPreview = await sharp(originalPreview).negate().webp().toBuffer();
    await writeFile(getPreviewFile(photo), editedPreview);
    const answer = await fetchPreview(photo);
    expect(answer.headers.get('content-type')).toBe('image/webp');
    expect(await readBytes(answer)).toEqual(editedPreview);
    await rm(getPreviewFile(photo));
    const newPreview = await fetchPreview(photo);
    expect(newPreview.headers.get('content-type')).toBe('image/jpeg');
    expect(await readBytes(newPreview)).toEqual(originalPreview);
    expect(await readFile(getPreviewFile(photo))).toEqual(originalPreview);
  });

  test('a preview that a power cut left incomplete is created again', async () => {
    const photo = await uploadPhoto(staff);
    await waitForPreview(photo);
    const completePreview = await readFile(getPreviewFile(photo));
    const webp = await sharp(completePreview).webp().toBuffer();
    const empty = Buffer.alloc(completePreview.length);
    for (const incompletePreview of [
      completePreview.subarray(0, 0),
      completePreview.subarray(0, -1),
      empty,
      webp.subarray(0, -1),
    ]) {
      await writeFile(getPreviewFile(photo), incompletePreview);
      expect(await readBytes(await fetchPreview(photo))).toEqual(completePreview);
      expect(await readFile(getPreviewFile(photo))).toEqual(completePreview);
    }
  });

  test('the preview of a missing photo that has no preview yet is a 404', async () => {
    const signature = await uploadSignature(staff);
    await rm(join(server.folder, signature));
    expect((await fetchPreview(signature)).status).toBe(404);
  });

  test('an unresponsive bucket does not delay a shutdown', async () => {
    const hangingStore: FileStore = {
      ...(await openDiskStore(join(server.folder, 'uploads'), { isInUse: true })),
      getLocalPath: () => undefined,
      read: () => new Promise<never>(() => {}),
    };
    const temporaryFiles = await openTemporaryFiles(join(server.folder, 'other', 'temporary'));
    const imageProcessor = createImageProcessor(temporaryFiles);
    const previews = await openPreviews(
      { ...server.config, dataDir: join(server.folder, 'other') },
      { files: hangingStore, imageProcessor, temporaryFiles },
    );
    previews.schedulePreview(await uploadPhoto(staff));
    void previews.read(await uploadPhoto(staff), staff.id);
    await Promise.all([previews.close(), imageProcessor.close()]);
  });

  test('a preview is served even if the previews folder was deleted', async () => {
    const photo = await uploadPhoto(staff);
    await waitForPreview(photo);
    await rm(join(server.folder, 'previews'), { recursive: true });
    expect((await fetchPreview(photo)).status).toBe(200);
  });
});

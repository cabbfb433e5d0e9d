import { mkdirSync, mkdtempSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import { createTestImageProcessor } from '../testing/image-processor.ts';
import { mountSmallDisk } from '../testing/small-disk.ts';
import { createImageProcessor, readImageFile } from './image-processor.ts';
import { moveFile, openTemporaryFiles } from './temporary-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'temporary-'));
});
const photo = fileURLToPath(new URL('../../../fixtures/photos/odd-metadata-2.jpg', import.meta.url));

test('opening the temporary folder deletes the files that a killed server left', async () => {
  writeFileSync(join(folder, 'upload'), 'half');
  mkdirSync(join(folder, 'folder'));
  const { newPath } = await openTemporaryFiles(folder);
  expect(readdirSync(folder)).toEqual([]);
  expect(newPath()).not.toBe(newPath());
});

test('opening a temporary folder that another server may use deletes only files older than an hour', async () => {
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  for (const [name, hours] of [['old', 2] as const, ['new', 0.5] as const]) {
    writeFileSync(join(folder, name), 'half');
    utimesSync(join(folder, name), hoursAgo(hours), hoursAgo(hours));
  }
  await openTemporaryFiles(folder, { isInUse: true });
  expect(readdirSync(folder)).toEqual(['new']);
});

test('an image in memory leaves no temporary file, whether it is processed or rejected', async () => {
  const imageProcessor = createImageProcessor(await openTemporaryFiles(folder));
  await imageProcessor.processBytes(readFileSync(photo), 'photo');
  await expect(imageProcessor.processBytes(readFileSync(photo).subarray(0, 9000), 'photo')).rejects.toMatchObject({
    status: 422,
  });
  await expect(imageProcessor.processBytes(Buffer.from('none'), 'photo')).rejects.toMatchObject({ status: 415 });
  expect(readdirSync(folder)).toEqual([]);
  await imageProcessor.close();
});

test('an image that does not fit on the disk gets a 507, not an error about the image', async ({ skip }) => {
  const small = mountSmallDisk(join(folder, 'small-disk'), '1m') ?? skip('a disk of its own needs root');
  try {
    const imageProcessor = createImageProcessor(await openTemporaryFiles(small.folder));
    small.fill();
    await expect(imageProcessor.process(await readImageFile(photo), 'photo')).rejects.toMatchObject({ status: 507 });
    await expect(imageProcessor.processBytes(readFileSync(photo), 'photo')).rejects.toMatchObject({ status: 507 });
    small.free();
    expect(readdirSync(small.folder)).toEqual([]);
    expect(await imageProcessor.process(await readImageFile(photo), 'photo')).toMatchObject({ ext: 'jpg' });
    await imageProcessor.close();
  } finally {
    small.unmount();
  }
});

test('an image file that cannot be opened is not reported as an unreadable image', async () => {
  const imageProcessor = await createTestImageProcessor();
  const movedPath = join(folder, 'a-folder.jpg');
  mkdirSync(movedPath);
  await expect(imageProcessor.preview(movedPath, 'now')).rejects.not.toMatchObject({ status: 422 });
  await imageProcessor.close();
});

test('a temporary file can be moved to another disk', async ({ skip }) => {
  const small = mountSmallDisk(join(folder, 'small-disk'), '1m') ?? skip('a disk of its own needs root');
  try {
    writeFileSync(join(folder, 'here'), 'content');
    await moveFile(join(folder, 'here'), join(small.folder, 'there'));
    expect(readFileSync(join(small.folder, 'there'), 'utf8')).toBe('content');
    expect(readdirSync(folder)).toEqual(['small-disk']);
  } finally {
    small.unmount();
  }
});

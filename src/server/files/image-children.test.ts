import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { fixture } from '../testing/factories.ts';
import { createTestImageProcessor } from '../testing/image-processor.ts';

const imageProcessor = await createTestImageProcessor();
afterAll(() => imageProcessor.close());
const processBytes = imageProcessor.processBytes;

describe.runIf(process.platform === 'linux')('image processes', () => {
  const children = () =>
    readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

  const otherPids = children();
  const newChild = async (...knownPids: number[]) => {
    const findNewChild = () =>
      children().find((pid) => ![...otherPids, ...knownPids].includes(pid) && isImageChild(pid));
    await expect.poll(findNewChild, { interval: 1 }).toBeDefined();
    return findNewChild() as number;
  };

  test('an image whose child process was killed is processed by a new one', async () => {
    const ownProcessor = await createTestImageProcessor();
    for (let round = 0; round < 5; round++) {
      const largePhotoJob = ownProcessor.processBytes(fixture('photos/phone-iphone-hdr.jpg'), 'photo');
      process.kill(await newChild(), 'SIGKILL');
      expect(await largePhotoJob).toMatchObject({ ext: 'jpg' });
      await ownProcessor.close();
      Object.assign(ownProcessor, await createTestImageProcessor());
    }
    await ownProcessor.close();
  });

  test('an image whose child process is killed twice gets a 503, not a 422', async () => {
    const ownProcessor = await createTestImageProcessor();
    const largePhotoJob = ownProcessor.processBytes(fixture('photos/phone-iphone-hdr.jpg'), 'photo');
    const rejection = expect(largePhotoJob).rejects.toMatchObject({ status: 503, details: { retryAfter: 5 } });
    const first = await newChild();
    process.kill(first, 'SIGKILL');
    process.kill(await newChild(first), 'SIGKILL');
    await rejection;
    expect(await ownProcessor.processBytes(fixture('photos/odd-metadata-2.jpg'), 'photo')).toMatchObject({
      ext: 'jpg',
    });
    await ownProcessor.close();
  });

  test('at most two image processes run at once', async () => {
    const photo = fixture('photos/odd-metadata-2.jpg');
    const all = Array.from({ length: 20 }, () => processBytes(photo, 'photo'));
    expect(children().filter(isImageChild).length).toBeLessThanOrEqual(2);
    for (const processed of await Promise.all(all)) expect(processed.blank).toBe(false);
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

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createTestImageProcessor } from '../testing/image-processor.ts';

// This test has its own file, because other tests load the decoder into their process.
test.runIf(process.platform === 'linux')('the server process never loads the image decoder', async () => {
  const imageProcessor = await createTestImageProcessor();
  const photo = readFileSync(new URL('../../../fixtures/photos/odd-metadata-2.jpg', import.meta.url));
  await imageProcessor.processBytes(photo, 'photo');
  const [child] = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ');
  expect(readFileSync(`/proc/${child}/maps`, 'utf8')).toContain('libvips');
  expect(readFileSync('/proc/self/maps', 'utf8')).not.toContain('libvips');
  await imageProcessor.close();
});

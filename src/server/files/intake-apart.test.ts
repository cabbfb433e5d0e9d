import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createIntake } from './intake.ts';

// In a file of its own, because this process must not load the decoder for its own ends.
test.runIf(process.platform === 'linux')('the decoder is never loaded by the process that serves people', async () => {
  const intake = createIntake();
  const photo = readFileSync(new URL('../../../fixtures/photos/odd-metadata-2.jpg', import.meta.url));
  await intake.take(photo, 'photo');
  const [child] = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ');
  expect(readFileSync(`/proc/${child}/maps`, 'utf8')).toContain('libvips');
  expect(readFileSync('/proc/self/maps', 'utf8')).not.toContain('libvips');
  await intake.close();
});

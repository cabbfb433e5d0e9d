import { expect, test } from 'vitest';
import { nextSlice } from './event-loop.ts';

test('long tasks take turns, with one time slice in each turn of the event loop', async () => {
  let order = '';
  const run = async (name: string) => {
    for (let sliceIndex = 0; sliceIndex < 3; sliceIndex++) {
      await nextSlice();
      order += name;
    }
  };
  let isDone = false;
  const otherRequests = async () => {
    while (!isDone) {
      await new Promise(setImmediate);
      order += ' ';
    }
  };
  const others = otherRequests();
  await Promise.all(['a', 'b', 'c'].map(run));
  isDone = true;
  await others;
  expect(order.trim()).toBe('a b c a b c a b c');
});

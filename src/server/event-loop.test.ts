import { expect, test } from 'vitest';
import { nextSlice } from './event-loop.ts';

test('several long tasks take turns, with one slice for each turn of the event loop', async () => {
  let ran = '';
  const run = async (name: string) => {
    for (let slice = 0; slice < 3; slice++) {
      await nextSlice();
      ran += name;
    }
  };
  let isDone = false;
  const otherRequests = async () => {
    while (!isDone) {
      await new Promise(setImmediate);
      ran += ' ';
    }
  };
  const others = otherRequests();
  await Promise.all(['a', 'b', 'c'].map(run));
  isDone = true;
  await others;
  expect(ran.trim()).toBe('a b c a b c a b c');
});

import { expect, test } from 'vitest';
import { createFairQueue } from './fair-queue.ts';

test('a job put back into the queue for a retry is taken next', () => {
  const queue = createFairQueue<{ user: string; priority: number; isHeavy: boolean }>();
  const add = (user: string) => queue.add({ user, priority: 1, isHeavy: false });
  const take = () => queue.take(() => true);
  for (const user of ['a', 'b', 'c']) add(user);
  const job = take();
  add('d');
  if (job) queue.add(job, 'first');
  expect([take(), take(), take(), take()].map((taken) => taken?.user)).toEqual(['a', 'b', 'c', 'd']);
});

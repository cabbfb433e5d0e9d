import type { FastifyRequest } from 'fastify';
import { afterEach, expect, test, vi } from 'vitest';
import { createTurnQueue } from './turns.ts';

afterEach(() => void vi.useRealTimers());

/** Creates requests of users by name. `started` lists those that have had a turn. */
function createTurnTester(maxConcurrent: number) {
  const turns = createTurnQueue(maxConcurrent);
  const requests = new Map<string, FastifyRequest>();
  const started: string[] = [];
  const rejected: string[] = [];
  return {
    started,
    rejected,
    closeConnection: (name: string) => Object.assign(requests.get(name) ?? {}, { socket: { destroyed: true } }),
    async takeTurn(name: string, user: string, destroyed = false) {
      const request = { socket: { destroyed } } as FastifyRequest;
      requests.set(name, request);
      await turns.take(request, user).then(
        () => started.push(name),
        ({ status }) => rejected.push(`${name} ${status}`),
      );
    },
    async release(name: string) {
      turns.release(requests.get(name) as FastifyRequest);
      await Promise.resolve();
    },
  };
}

test("a user's requests beyond the limit wait in order without delaying other users", async () => {
  const { takeTurn: take, release, started } = createTurnTester(2);
  for (const name of ['a1', 'a2', 'a3', 'a4']) void take(name, 'a');
  await take('b1', 'b');
  expect(started).toEqual(['a1', 'a2', 'b1']);
  await release('a2');
  await expect.poll(() => started).toEqual(['a1', 'a2', 'b1', 'a3']);
});

test('a request that ends while waiting does not count towards its user’s limit', async () => {
  const { takeTurn: take, release, started, rejected } = createTurnTester(1);
  for (const name of ['a1', 'a2', 'a3']) void take(name, 'a');
  await release('a2');
  await release('a1');
  await expect.poll(() => started).toEqual(['a1', 'a3']);
  expect(rejected).toEqual(['a2 503']);
});

test('a waiting request whose connection has closed is skipped', async () => {
  const { takeTurn: take, release, closeConnection, started, rejected } = createTurnTester(1);
  for (const name of ['a1', 'a2', 'a3']) void take(name, 'a');
  closeConnection('a2');
  await release('a1');
  await expect.poll(() => started).toEqual(['a1', 'a3']);
  expect(rejected).toEqual(['a2 503']);
});

test('a request waits for its turn at most 30 s', async () => {
  vi.useFakeTimers();
  const { takeTurn: take, rejected } = createTurnTester(1);
  for (let at = 0; at < 100; at++) void take(`a${at}`, 'a');
  await vi.advanceTimersByTimeAsync(29_000);
  expect(rejected).toEqual([]);
  await vi.advanceTimersByTimeAsync(2000);
  expect(rejected).toHaveLength(99);
});

test('a request whose connection has already closed takes no place in the queue', async () => {
  const { takeTurn: take, started, rejected } = createTurnTester(1);
  await take('a1', 'a', true);
  await take('a2', 'a');
  expect([started, rejected]).toEqual([['a2'], ['a1 503']]);
});

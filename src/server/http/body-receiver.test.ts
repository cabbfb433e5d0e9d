import type { FastifyRequest } from 'fastify';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { HttpError } from '../errors/http-error.ts';
import { createBodyReceiver } from './body-receiver.ts';

const MB = 1e6;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

type Body = { user: string; socket: { bytesRead: number; destroyed: boolean }; status?: number; receive?: () => void };

/** Creates a receiver for bodies that the test sends, and records the outcome of each. */
function createBodySender() {
  const receiver = createBodyReceiver();
  const beginBody = (user: string, { destroyed = false } = {}): Body => {
    const body: Body = { user, socket: { bytesRead: 0, destroyed } };
    const read = () => new Promise<void>((resolve) => Object.assign(body, { receive: resolve }));
    const request = { user: { id: user }, raw: { socket: body.socket } } as unknown as FastifyRequest;
    receiver
      .receive(request, 'large', read)
      .then(() => Object.assign(body, { status: 200 }))
      .catch(({ status }: HttpError) => Object.assign(body, { status }));
    return body;
  };
  const beginBodies = (users: string[], each: number) =>
    users.flatMap((user) => Array.from({ length: each }, () => beginBody(user)));
  return { receiver, beginBody, beginBodies };
}

const users = (count: number) => Array.from({ length: count }, (_, index) => `user ${index}`);
const countBodiesByUser = (bodies: Body[]) =>
  Map.groupBy(bodies, ({ user }) => user)
    .values()
    .map((bodiesOfUser) => bodiesOfUser.length)
    .toArray();

test('64 slow request bodies are received at once; beyond that, the newest of the users with most are ended', async () => {
  const { beginBody, beginBodies } = createBodySender();
  const alone = beginBody('alone');
  const slowBodies = beginBodies(users(23), 3);
  for (let second = 0; second < 15; second++) {
    for (const { socket } of [alone, ...slowBodies]) socket.bytesRead += 2000;
    await vi.advanceTimersByTimeAsync(1000);
  }
  const timedOut = slowBodies.filter(({ status }) => status === 408);
  expect([slowBodies.length + 1 - timedOut.length, alone.status]).toEqual([64, undefined]);
  expect(countBodiesByUser(timedOut)).toEqual(Array(6).fill(1));
  expect(countBodiesByUser(slowBodies.filter(({ status }) => status === undefined))).toEqual([
    ...Array(17).fill(3),
    ...Array(6).fill(2),
  ]);
});

test('fast request bodies do not count towards the limit of 64 slow ones', async () => {
  const { beginBodies } = createBodySender();
  const slowBodies = beginBodies(users(23), 3);
  for (let second = 0; second < 15; second++) {
    for (const { socket } of slowBodies) socket.bytesRead += 20_000;
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect(slowBodies.filter(({ status }) => status !== undefined)).toEqual([]);
});

test('when request bodies exceed 256 MB, a body of the user with the most bytes is ended', async () => {
  const { beginBodies } = createBodySender();
  const greedyUserBodies = beginBodies(['greedy'], 4);
  const others = beginBodies(users(6), 4);
  const small = beginBodies(['small'], 1);
  await vi.advanceTimersByTimeAsync(0);
  for (const { socket } of greedyUserBodies) socket.bytesRead = 14 * MB;
  for (const { socket } of others) socket.bytesRead = 9 * MB;
  for (const { socket } of small) socket.bytesRead = MB;
  await vi.advanceTimersByTimeAsync(1000);
  expect(greedyUserBodies.map(({ status }) => status)).toEqual([503, undefined, undefined, undefined]);
  expect([...others, ...small].filter(({ status }) => status !== undefined)).toEqual([]);
});

test('at the memory limit a new request body ends an incomplete one, and gets a 503 if all are complete', async () => {
  const { receiver, beginBody, beginBodies } = createBodySender();
  const greedyUserBodies = beginBodies(users(7), 4);
  await vi.advanceTimersByTimeAsync(0);
  for (const { socket } of greedyUserBodies) socket.bytesRead = 10 * MB;
  const lateBody = beginBody('late');
  await vi.advanceTimersByTimeAsync(0);
  expect([lateBody.status, greedyUserBodies.filter(({ status }) => status === 503).length]).toEqual([undefined, 2]);
  expect(receiver.getUsage().bytes).toBeLessThan(256 * 2 ** 20);

  const other = createBodySender();
  const completeBodies = other.beginBodies(users(7), 4);
  await vi.advanceTimersByTimeAsync(0);
  for (const { socket, receive } of completeBodies) {
    socket.bytesRead = 10 * MB;
    receive?.();
  }
  await vi.advanceTimersByTimeAsync(0);
  const rejectedBody = other.beginBody('late');
  await vi.advanceTimersByTimeAsync(0);
  expect(rejectedBody.status).toBe(503);
});

test('a request body whose connection has already closed is not counted', async () => {
  const { receiver, beginBody } = createBodySender();
  const body = beginBody('user', { destroyed: true });
  await vi.advanceTimersByTimeAsync(0);
  expect([body.status, receiver.getUsage().bodies]).toEqual([503, 0]);
});

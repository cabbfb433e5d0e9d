// Receives request bodies fairly: each user can send few large ones at once, slow ones are limited
// in number, and stalled ones are ended.
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createBusyError, HttpError } from '../errors/http-error.ts';
import { getClientNetwork } from '../sign-in/throttle/client-network.ts';
import { createTurnQueue } from './turns.ts';

const MiB = 2 ** 20;
const minute = 60_000;

/**
 * The number of large bodies of one user at once; further ones wait unread. With at most 10 MB
 * each, the server has at most 40 MB of one user in memory.
 */
const maxLargePerUser = 4;

/**
 * The limit for all bodies that are being received or processed together. Counts the bytes that
 * arrive, not the Content-Length.
 */
const maxBytes = 256 * MiB;

const stallTimeoutMs = 30_000;
const longestMs = { large: 10 * minute, small: minute };

/** A body is slow if its average is below 10 KB/s after the first ten seconds. */
const slowAfterMs = 10_000;
const slowBytesPerSecond = 10 * 1024;
const maxSlowBodies = { perUser: 3, total: 64 };

const checkIntervalMs = 1000;

type Size = 'large' | 'small';

type Body = {
  user: string;
  size: Size;
  socket: Socket;
  bytesBefore: number;
  bytes: number;
  startedAt: number;
  lastByteAt: number;
  isReceived: boolean;
  end(error: HttpError): void;
};

export type BodyReceiver = {
  register(server: FastifyInstance): void;
  /**
   * Reads a body with `read`. A large one counts towards its user's limit until its response is
   * sent. Rejects with 408 if the body stalls or is too slow, and 503 if there is no memory left.
   */
  receive<T>(request: FastifyRequest, size: Size, read: () => Promise<T>): Promise<T>;
  /** Returns the number of bodies in memory, and their bytes. */
  getUsage(): { bodies: number; bytes: number };
};

export function createBodyReceiver(): BodyReceiver {
  const bodies = new Map<FastifyRequest, Body>();
  const turns = createTurnQueue(maxLargePerUser);
  let timer: NodeJS.Timeout | undefined;

  function check() {
    const now = performance.now();
    const bodiesInProgress = [...bodies.values()].filter(({ isReceived }) => !isReceived);
    if (bodiesInProgress.length === 0) {
      clearInterval(timer);
      timer = undefined;
    }
    for (const body of bodiesInProgress) {
      countBytes(body, now);
      if (now - body.lastByteAt >= stallTimeoutMs || now - body.startedAt >= longestMs[body.size])
        body.end(createTooSlowError());
    }
    for (const body of listExcessSlowBodies(bodiesInProgress, now)) body.end(createTooSlowError());
    makeRoom();
  }

  /**
   * Ends incomplete bodies of the users with the most bytes until the limit has room for others.
   */
  function makeRoom() {
    const bodiesInProgress = [...bodies].filter(([, { isReceived }]) => !isReceived);
    for (const [, body] of bodiesInProgress) countBytes(body, performance.now());
    if (totalBytes() <= maxBytes) return;
    const largest = bodiesInProgress.toSorted(
      ([, a], [, b]) => countUserBytes(b.user) - countUserBytes(a.user) || b.bytes - a.bytes,
    );
    for (const [request, body] of largest) {
      if (totalBytes() <= maxBytes) break;
      bodies.delete(request);
      body.end(createBusyError());
    }
  }

  const totalBytes = () => bodies.values().reduce((sum, body) => sum + body.bytes, 0);
  const countUserBytes = (user: string) =>
    bodies.values().reduce((sum, body) => sum + (body.user === user ? body.bytes : 0), 0);

  return {
    register(server) {
      server.addHook('onRequest', async (request, reply) => {
        reply.raw.once('close', () => {
          turns.release(request);
          bodies.delete(request);
        });
      });
    },

    async receive(request, size, read) {
      const { socket } = request.raw;
      const user = request.user?.id ?? getClientNetwork(request.ip);
      if (size === 'large') {
        await turns.take(request, user);
        makeRoom();
        if (totalBytes() > maxBytes) throw createBusyError();
      }
      // Do not count a body whose connection has already closed: no later event would remove it.
      if (socket.destroyed) throw createBusyError();
      const now = performance.now();
      const { promise: bodyEnded, reject: end } = Promise.withResolvers<never>();
      const body: Body = {
        ...{ user, size, socket, end },
        ...{ bytesBefore: socket.bytesRead, bytes: 0, startedAt: now, lastByteAt: now, isReceived: false },
      };
      bodies.set(request, body);
      timer ??= setInterval(check, checkIntervalMs).unref();
      try {
        const content = await Promise.race([read(), bodyEnded]);
        countBytes(body, performance.now());
        body.isReceived = true;
        return content;
      } catch (error) {
        bodies.delete(request);
        throw error;
      }
    },

    getUsage: () => ({ bodies: bodies.size, bytes: totalBytes() }),
  };
}

function countBytes(body: Body, now: number): void {
  const bytes = body.socket.bytesRead - body.bytesBefore;
  if (bytes > body.bytes) body.lastByteAt = now;
  body.bytes = bytes;
}

/**
 * Returns the slow bodies beyond the limits per user and in total: the newest of those users who
 * have most.
 */
function listExcessSlowBodies(bodiesInProgress: Body[], now: number): Body[] {
  const isSlow = ({ size, startedAt, bytes }: Body) =>
    size === 'large' && now - startedAt >= slowAfterMs && bytes / ((now - startedAt) / 1000) < slowBytesPerSecond;
  const byUser = Map.groupBy(bodiesInProgress.filter(isSlow), ({ user }) => user);
  const excessBodies = byUser
    .values()
    .flatMap((slowBodies) => slowBodies.splice(maxSlowBodies.perUser))
    .toArray();
  const findLongestList = () => byUser.values().reduce((a, b) => (b.length >= a.length ? b : a), []);
  let count = byUser.values().reduce((sum, slowBodies) => sum + slowBodies.length, 0);
  for (; count > maxSlowBodies.total; count--) excessBodies.push(findLongestList().pop() as Body);
  return excessBodies;
}

const createTooSlowError = () => new HttpError(408, 'The upload was too slow. Please try again.');

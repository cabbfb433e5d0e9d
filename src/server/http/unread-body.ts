// Reads the rest of a body slowly if its request was answered before the body was read. Node would
// read it as fast as it arrives: 40 connections that kept sending photos of 9 MB, all rejected,
// took most of the server's time.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/**
 * The pause between chunks of at most 64 KB. A photo of the usual size is then read within 300 ms.
 */
const pauseMs = 20;

/**
 * After this time the connection is closed. Until then the client has time to read the response.
 */
const longestMs = 10_000;

export function limitUnreadBodies(server: FastifyInstance): void {
  server.addHook('onSend', async ({ raw }) => {
    if (!raw.complete) void readSlowly(raw);
  });
}

async function readSlowly(body: IncomingMessage): Promise<void> {
  const deadline = performance.now() + longestMs;
  const { socket } = body;
  const unreadBodiesOfSocket = getUnreadBodies(socket).add(body);
  body.unpipe();
  try {
    for await (const _ of body) {
      if (performance.now() > deadline) return void socket.destroy();
      await wait(pauseMs);
    }
  } catch {
    // The connection has closed.
  } finally {
    unreadBodiesOfSocket.delete(body);
  }
}

/** The unread bodies of each connection. There are several if requests arrived together. */
const unreadBodies = new WeakMap<Socket, Set<IncomingMessage>>();

function getUnreadBodies(socket: Socket): Set<IncomingMessage> {
  const existing = unreadBodies.get(socket);
  if (existing) return existing;
  const bodies = new Set<IncomingMessage>();
  unreadBodies.set(socket, bodies);
  // Listen to the socket, because a request that was answered emits no event when its connection
  // closes.
  socket.once('close', () => {
    for (const body of bodies) body.destroy();
  });
  return bodies;
}

// Reads the rest of a body whose request was answered early, slowly. Node would read it as fast as it
// arrives: 40 connections that keep sending refused photos of 9 MB took most of the server's time.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** Between chunks of at most 64 KB: a photo as the app sends it is read within 300 ms. */
const pauseMs = 20;

/** Then the connection is closed, and the client has had time to read the response. */
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

/** The unread bodies of each connection: several if requests arrive in one piece. */
const unreadBodies = new WeakMap<Socket, Set<IncomingMessage>>();

function getUnreadBodies(socket: Socket): Set<IncomingMessage> {
  const existing = unreadBodies.get(socket);
  if (existing) return existing;
  const bodies = new Set<IncomingMessage>();
  unreadBodies.set(socket, bodies);
  // An answered request is not told that its connection has closed.
  socket.once('close', () => {
    for (const body of bodies) body.destroy();
  });
  return bodies;
}

// Limits open connections per network and in total. Idle ones are closed for new ones.
import type { IncomingMessage, RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import type { FastifyInstance } from 'fastify';
import { getClientNetwork } from '../auth/client-network.ts';
import type { Config } from '../config.ts';
import { HttpError } from '../errors/http-error.ts';

/**
 * Concurrent requests of one user. A browser sends 6, or some dozens through a proxy that speaks
 * HTTP/2.
 */
const maxRequestsPerUser = 100;

/**
 * Requests sent on one connection before the earlier ones are answered. Browsers and proxies wait
 * for each response; a thousand in one packet would all be handled before other connections.
 */
const maxPipelined = 10;

type Connection = {
  network: string;
  /** Unanswered requests, and the latest of them. */
  active: number;
  request?: IncomingMessage;
  /** The latest request by a signed-in user. */
  signedInRequest?: IncomingMessage;
};

/** No unanswered request, or only an incomplete one from an unknown user. */
const isIdle = ({ active, request, signedInRequest }: Connection) =>
  active === 0 || (request !== undefined && !request.complete && request !== signedInRequest);

/**
 * A connection beyond the limits closes the longest-idle one of its network, or of all; if none is
 * idle, it is closed itself. Register after the authentication hook.
 */
export function limitConnections(
  server: FastifyInstance,
  { trustProxy, connections: { most, perNetwork } }: Pick<Config, 'trustProxy' | 'connections'>,
): void {
  const isProxy = trustProxy ? proxyAddr.compile(trustProxy) : () => false;
  /** Longest idle first. */
  const connections = new Map<Socket, Connection>();
  const counts = new Map<string, number>();

  function add(socket: Socket, network: string) {
    connections.set(socket, { network, active: 0 });
    counts.set(network, getCount(network) + 1);
    socket.once('close', () => remove(socket));
  }

  function remove(socket: Socket) {
    const connection = connections.get(socket);
    if (!connection) return;
    connections.delete(socket);
    const remainingCount = getCount(connection.network) - 1;
    if (remainingCount === 0) counts.delete(connection.network);
    else counts.set(connection.network, remainingCount);
  }

  const getCount = (network: string) => counts.get(network) ?? 0;

  function closeIdleConnection(network?: string): boolean {
    for (const [socket, connection] of connections) {
      if ((network !== undefined && connection.network !== network) || !isIdle(connection)) continue;
      remove(socket);
      socket.destroy();
      return true;
    }
    return false;
  }

  server.server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const network = getClientNetwork(address);
    const isNetworkFull = !isProxy(address, 0) && getCount(network) >= perNetwork;
    if ((isNetworkFull && !closeIdleConnection(network)) || (connections.size >= most && !closeIdleConnection()))
      socket.destroy();
    else add(socket, network);
  });
  /** Unanswered requests by user, with a count for each, so that the table has a limited size. */
  const users = new Map<IncomingMessage, string>();
  const requests = new Map<string, number>();

  function release(request: IncomingMessage) {
    const user = users.get(request);
    if (user === undefined) return;
    users.delete(request);
    const remainingCount = (requests.get(user) ?? 1) - 1;
    if (remainingCount === 0) requests.delete(user);
    else requests.set(user, remainingCount);
  }

  // Replaces Fastify's own listener, and calls it.
  const handlers = server.server.listeners('request') as RequestListener[];
  server.server.removeAllListeners('request');
  server.server.on('request', (request, response) => {
    const connection = connections.get(request.socket);
    // Other requests from the same packet are parsed, and dropped here.
    if (!connection || connection.active >= maxPipelined) return void request.socket.destroy();
    connection.active += 1;
    connection.request = request;
    // Several parts of the server, and each stream that a response passes through, listen for its
    // close event.
    response.setMaxListeners(20);
    response.once('close', () => {
      release(request);
      connection.active -= 1;
      // Move to the end: it just became idle.
      if (connections.delete(request.socket)) connections.set(request.socket, connection);
    });
    for (const handle of handlers) handle.call(server.server, request, response);
  });
  server.addHook('onRequest', async ({ raw, user }) => {
    if (!user) return;
    const count = (requests.get(user.id) ?? 0) + 1;
    if (count > maxRequestsPerUser)
      throw new HttpError(429, 'Too many requests at once. Please wait a moment and try again.', { retryAfter: 1 });
    requests.set(user.id, count);
    users.set(raw, user.id);
    const connection = connections.get(raw.socket);
    if (connection) connection.signedInRequest = raw;
  });
}

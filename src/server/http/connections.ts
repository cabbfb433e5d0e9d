// Limits open connections per network and in total. At a limit, an idle connection is closed to
// make room for a new one.
import type { IncomingMessage, RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { HttpError } from '../errors/http-error.ts';
import { getClientNetwork } from '../sign-in/throttle/client-network.ts';

/**
 * The limit of concurrent requests of one user. A browser sends up to 6, or some dozens through a
 * proxy with HTTP/2.
 */
const maxRequestsPerUser = 100;

/**
 * The limit of unanswered requests on one connection (pipelining). Browsers and proxies wait for
 * each response; a thousand requests in one packet would all be handled before those of other
 * connections.
 */
const maxPipelined = 10;

type Connection = {
  network: string;
  /** The number of unanswered requests. */
  active: number;
  request?: IncomingMessage;
  /** The latest request by a signed-in user. */
  signedInRequest?: IncomingMessage;
};

/**
 * Whether a connection may be closed: it has no unanswered request, or only an incomplete one of an
 * unknown user.
 */
const isIdle = ({ active, request, signedInRequest }: Connection) =>
  active === 0 || (request !== undefined && !request.complete && request !== signedInRequest);

/**
 * Limits open connections. One beyond a limit replaces the longest-idle connection of its network,
 * or of all networks; if none is idle, the new one is closed. Register it after the authentication
 * hook.
 */
export function limitConnections(
  server: FastifyInstance,
  { trustProxy, connections: { total, perNetwork } }: Pick<Config, 'trustProxy' | 'connections'>,
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
    if ((isNetworkFull && !closeIdleConnection(network)) || (connections.size >= total && !closeIdleConnection()))
      socket.destroy();
    else add(socket, network);
  });
  /**
   * The user of each unanswered request, and the number of requests of each user. Both contain only
   * unanswered requests, so they stay small.
   */
  const userByRequest = new Map<IncomingMessage, string>();
  const requestCounts = new Map<string, number>();

  function release(request: IncomingMessage) {
    const user = userByRequest.get(request);
    if (user === undefined) return;
    userByRequest.delete(request);
    const remainingCount = (requestCounts.get(user) ?? 1) - 1;
    if (remainingCount === 0) requestCounts.delete(user);
    else requestCounts.set(user, remainingCount);
  }

  // Replaces Fastify's own listener, and calls it.
  const handlers = server.server.listeners('request') as RequestListener[];
  server.server.removeAllListeners('request');
  server.server.on('request', (request, response) => {
    const connection = connections.get(request.socket);
    // Drop requests of a connection that was closed, and close connections with too many unanswered
    // ones.
    if (!connection || connection.active >= maxPipelined) return void request.socket.destroy();
    connection.active += 1;
    connection.request = request;
    // Many listeners are normal: several parts of the server, and each stream that a response
    // passes through, listen for its close event.
    response.setMaxListeners(20);
    response.once('close', () => {
      release(request);
      connection.active -= 1;
      // Move the connection to the end of the order, because it has just become idle.
      if (connections.delete(request.socket)) connections.set(request.socket, connection);
    });
    for (const handle of handlers) handle.call(server.server, request, response);
  });
  server.addHook('onRequest', async ({ raw, user }) => {
    if (!user) return;
    const count = (requestCounts.get(user.id) ?? 0) + 1;
    if (count > maxRequestsPerUser)
      throw new HttpError(429, 'Too many requests at once. Please wait a moment and try again.', { retryAfter: 1 });
    requestCounts.set(user.id, count);
    userByRequest.set(raw, user.id);
    const connection = connections.get(raw.socket);
    if (connection) connection.signedInRequest = raw;
  });
}

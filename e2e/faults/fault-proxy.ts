// An HTTP proxy in front of the server. A test chooses by Idempotency-Key which request fails, and
// how.
import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

export const faults = ['neverSent', 'cutWhileSending', 'answerLost', 'badGateway', 'busy', 'hangs'] as const;
export type Fault = (typeof faults)[number];

/** `getTarget` returns the URL of the server, which may change. */
export async function startFaultProxy(getTarget: () => string, maxHangMs: number) {
  const plannedFaults = new Map<string, { fault: Fault; hangMs: number }>();
  const sockets = new Set<Socket>();
  let isDown = false;
  let latencyMs = 0;
  const proxy = createServer(async (request, response) => {
    if (latencyMs > 0) await wait(latencyMs);
    if (request.destroyed) return;
    const key = String(request.headers['idempotency-key'] ?? '');
    const { fault, hangMs } = plannedFaults.get(key) ?? {};
    plannedFaults.delete(key);
    const dropConnection = () => request.socket.destroy();
    if (isDown || fault === 'neverSent') return dropConnection();
    if (fault === 'hangs') return void setTimeout(dropConnection, hangMs);
    if (fault === 'badGateway' || fault === 'busy') {
      const isBusy = fault === 'busy';
      request.resume().on('end', () => {
        response.writeHead(isBusy ? 503 : 502, isBusy ? { 'retry-after': '1' } : {}).end('Not now');
      });
      return;
    }
    const forwarded = send(
      `${getTarget()}${request.url}`,
      { method: request.method, headers: request.headers },
      (reply) => {
        if (fault === 'answerLost') return void reply.resume().on('end', dropConnection);
        response.writeHead(reply.statusCode ?? 500, reply.headers);
        reply.pipe(response);
      },
    );
    forwarded.on('error', dropConnection);
    if (fault === 'cutWhileSending')
      request.once('data', (chunk: Buffer) => {
        forwarded.write(chunk.subarray(0, chunk.length / 2), () => {
          forwarded.destroy();
          dropConnection();
        });
      });
    else request.pipe(forwarded);
  });
  proxy.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
    if (isDown) socket.destroy();
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    planFault(key: string, fault: Fault, hangMs = maxHangMs) {
      plannedFaults.set(key, { fault, hangMs: Math.min(hangMs, maxHangMs) });
    },
    /** While true, every connection fails. */
    setOffline(value: boolean) {
      isDown = value;
      if (value) for (const socket of sockets) socket.destroy();
    },
    /** Every request takes this much longer, as on a slow connection. */
    setLatency(ms: number) {
      latencyMs = ms;
    },
    async stop() {
      proxy.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

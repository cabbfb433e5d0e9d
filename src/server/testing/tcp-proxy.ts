// A TCP proxy between the server and a dependency, which a test can disconnect and reconnect.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type TcpProxy = {
  /** The given URL, through the proxy. */
  url: string;
  /** Ends every connection and rejects new ones. */
  disconnect(): Promise<void>;
  /** Accepts new connections again. */
  reconnect(): Promise<void>;
  /**
   * Forwards the next request that contains this text, and disconnects when its reply arrives, so
   * that the caller does not know whether it was executed. Resolves after the disconnection.
   */
  dropReplyTo(text: string): Promise<void>;
};

/** Starts a proxy to a URL's host and port. It ends with the test. */
export async function startTcpProxy(to: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(to);
  const sockets = new Set<Socket>();
  /** The request whose reply must be dropped. */
  let pendingDrop: { text: string; resolve(): void } | undefined;
  const server = createServer((clientSocket) => {
    const serverSocket = connect(Number(port), hostname);
    for (const [sender, receiver] of [
      [clientSocket, serverSocket],
      [serverSocket, clientSocket],
    ] as const) {
      sockets.add(sender);
      sender
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(sender);
          receiver.destroy();
        });
    }
    clientSocket.on('data', (requestBytes) => {
      if (!pendingDrop || !requestBytes.includes(pendingDrop.text)) return;
      const { resolve } = pendingDrop;
      pendingDrop = undefined;
      serverSocket
        .unpipe(clientSocket)
        .once('data', () => void disconnect().then(resolve))
        .resume();
    });
    clientSocket.pipe(serverSocket).pipe(clientSocket);
  });
  const disconnect = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const end of sockets) end.destroy();
    await closed;
  };
  const listen = async (at: number) => {
    await once(server.listen(at, '127.0.0.1'), 'listening');
    return (server.address() as AddressInfo).port;
  };
  const proxyPort = await listen(0);
  const url = new URL(to);
  url.host = `127.0.0.1:${proxyPort}`;
  return {
    url: url.href,
    disconnect,
    dropReplyTo: (text) =>
      new Promise((resolve) => {
        pendingDrop = { text, resolve };
      }),
    async reconnect() {
      await listen(proxyPort);
    },
  };
}

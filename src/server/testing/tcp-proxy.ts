// A wire between the server and what it depends on, which a test can cut and mend.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type TcpProxy = {
  /** The given address, through the wire. */
  url: string;
  /** Ends every connection and refuses new ones. */
  disconnect(): Promise<void>;
  /** Lets new connections through again. */
  reconnect(): Promise<void>;
  /** Lets the next question that holds these words through, and is cut when the answer comes: it was done, and nobody is told. Resolves then. */
  dropReplyTo(words: string): Promise<void>;
};

/** A wire to the host and port of an address. It is cut when the test is over. */
export async function startTcpProxy(to: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(to);
  const ends = new Set<Socket>();
  let fatal: { words: string; reached(): void } | undefined;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(end);
      end
        .on('error', () => undefined)
        .on('close', () => {
          ends.delete(end);
          other.destroy();
        });
    }
    near.on('data', (question) => {
      if (!fatal || !question.includes(fatal.words)) return;
      const { reached } = fatal;
      fatal = undefined;
      far
        .unpipe(near)
        .once('data', () => void disconnect().then(reached))
        .resume();
    });
    near.pipe(far).pipe(near);
  });
  const disconnect = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const end of ends) end.destroy();
    await closed;
  };
  const listen = async (at: number) => {
    await once(server.listen(at, '127.0.0.1'), 'listening');
    return (server.address() as AddressInfo).port;
  };
  const own = await listen(0);
  const url = new URL(to);
  url.host = `127.0.0.1:${own}`;
  return {
    url: url.href,
    disconnect,
    dropReplyTo: (words) =>
      new Promise((reached) => {
        fatal = { words, reached };
      }),
    async reconnect() {
      await listen(own);
    },
  };
}

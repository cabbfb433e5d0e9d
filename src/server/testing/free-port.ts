// A port for a server that must know it before it starts, or that keeps it when it restarts.
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Linux gives ports from 32768 to 60999 to outgoing connections, which could take one before the server listens. */
const firstEphemeralPort = 32_768;

/** Returns a port that nothing listens on at 127.0.0.1. */
export async function findFreePort(): Promise<number> {
  const port = randomInt(10_000, firstEphemeralPort);
  const probe = createServer().listen(port, '127.0.0.1');
  const isFree = await once(probe, 'listening').then(
    () => true,
    () => false,
  );
  if (!isFree) return findFreePort();
  probe.close();
  await once(probe, 'close');
  return port;
}

// A port for a server that must know it before it starts, or that keeps it when it restarts.
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * The ports of this worker of the test runner. Each worker has its own: another could take a port while a server
 * restarts on it.
 */
const workers = 32;
const worker = Number(process.env.VITEST_POOL_ID ?? process.env.TEST_PARALLEL_INDEX ?? randomInt(workers)) % workers;

/** Linux gives ports from 32768 to 60999 to outgoing connections, which could take one before the server listens. */
const firstEphemeralPort = 32_768;
const firstPort = 10_240;

/** Returns a port that nothing listens on at 127.0.0.1. */
export async function findFreePort(): Promise<number> {
  const port = randomInt(firstPort / workers, firstEphemeralPort / workers) * workers + worker;
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

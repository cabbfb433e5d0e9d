// What a server says to the person who started it.
import type { networkInterfaces } from 'node:os';
import type { Config } from '../config.ts';
import { getSqlitePath } from '../db/connect.ts';

type Started = {
  address: string;
  port: number;
  firstPassword: string | undefined;
  networks: ReturnType<typeof networkInterfaces>;
};

/** Returns the lines. A phone in the same network can use the address until the server has one of its own. */
export function describeStart(
  { dataDir, databaseUrl, publicUrl, host }: Config,
  { address, port, firstPassword, networks }: Started,
): string[] {
  const [nearby] = Object.values(networks)
    .flatMap((addresses = []) => addresses)
    .filter(({ family, internal }) => family === 'IPv4' && !internal);
  const isReachable = publicUrl === '' && ['0.0.0.0', '::'].includes(host);
  return [
    `Records are in ${databaseUrl ? 'PostgreSQL, as DATABASE_URL says' : getSqlitePath(dataDir)}`,
    `Ready at ${address}`,
    ...(isReachable && nearby ? [`From a phone in the same network: http://${nearby.address}:${port}`] : []),
    ...(firstPassword
      ? [
          `Sign in as admin with the password ${firstPassword}`,
          'You will not see this password again. Change it after signing in.',
        ]
      : []),
  ];
}

// The product as a separate process, for benchmarks.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import serving from '../scripts/serving.json' with { type: 'json' };

export const password = 'a password for the bench';

export type Server = { url: string; pid: number; stop(): Promise<void> };

/** Settings without rate limits. */
const unlimitedRates = { RATE_PER_SESSION: '100000000', RATE_SCALE: '1000000', UPLOADS_PER_DAY: '1000000' };

/**
 * Starts a program that prints `Ready at URL`, on a free port. `script` is relative to the
 * repository's root; `settings` are environment variables; `onOutput` receives its other output.
 */
export async function startServer(
  script: string,
  dataDir: string,
  settings: Record<string, string> = unlimitedRates,
  onOutput: (text: string) => void = () => {},
): Promise<Server> {
  // The options that `npm start` uses.
  const child = spawn(process.execPath, [...serving.flags, join(import.meta.dirname, '..', script)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...serving.env,
      ...process.env,
      NODE_COMPILE_CACHE: join(import.meta.dirname, '../node_modules/.cache/node'),
      DATA_DIR: dataDir,
      PORT: '0',
      HOST: '127.0.0.1',
      ADMIN_PASSWORD: password,
      BALLAST_MB: '0',
      ...settings,
    },
  });
  // Stops the product even if the benchmark fails.
  const killServer = () => child.kill();
  process.once('exit', killServer);
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      onOutput(text);
      const readyMatch = /Ready at (\S+)/.exec(text);
      if (readyMatch?.[1]) resolve(readyMatch[1]);
    });
    child.once('exit', () => reject(new Error(`${script} did not start`)));
  });
  return {
    url,
    pid: child.pid ?? 0,
    async stop() {
      process.off('exit', killServer);
      child.kill();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

export const startProduct = (dataDir: string, ...options: [Record<string, string>?, ((text: string) => void)?]) =>
  startServer('src/server/main.ts', dataDir, ...options);

/**
 * Creates a database on the server of TEST_DATABASE_URL. Without one, runs this command again with a
 * temporary PostgreSQL server, and exits.
 */
export async function createPostgresDatabase() {
  if (!process.env.TEST_DATABASE_URL) {
    const commandLine = [process.execPath, ...process.argv.slice(1)];
    const script = join(import.meta.dirname, '../scripts/postgres.mjs');
    process.exit(spawnSync(process.execPath, [script, '--', ...commandLine], { stdio: 'inherit' }).status ?? 1);
  }
  return (await import('../src/server/testing/databases.ts')).createDatabase();
}

/** Signs in as the first admin. Returns the session cookie. */
export async function signIn(url: string): Promise<string> {
  const response = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  });
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

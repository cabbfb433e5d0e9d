// Starts a PostgreSQL server for one run of the tests. The server and its files are deleted when
// the run ends, even if it is killed.
//   node scripts/postgres.mjs -- COMMAND      runs COMMAND with TEST_DATABASE_URL set
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { exitWithError, run } from './run.mjs';
import { findPostgres } from './test-dependencies.mjs';

// A shell keeps the server running: it waits on a pipe that closes when this process ends, even by
// SIGKILL, and then cleans up. Without the trap, an early close would end the shell before that.
const supervisorScript = `
trap '' PIPE
printf %s "$PASSWORD" > password
if "$BIN/initdb" -D data -U postgres -A scram-sha-256 --pwfile=password --encoding=UTF8 --locale=$LOCALE --no-sync > log 2>&1 &&
   printf '%s\\n' "$SETTINGS" >> data/postgresql.conf &&
   "$BIN/pg_ctl" -D data -l log -w start > /dev/null
then echo ready; cat > /dev/null; "$BIN/pg_ctl" -D data -m immediate stop > /dev/null
else cat log >&2
fi
cd / && rm -rf "$FOLDER"`;

/**
 * Starts an empty server on 127.0.0.1 with the programs in `bin`. Resolves with the URL of its
 * maintenance database and `stop`, which deletes everything. Rejects with PostgreSQL's own message.
 */
export async function startPostgres(bin) {
  const user = findUnprivilegedUser();
  const folder = mkdtempSync(join(tmpdir(), 'test-postgres-'));
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const port = await findFreePort();
  const password = randomBytes(16).toString('hex');
  // fsync stays on, because the product requires it.
  const settings = [
    `port = ${port}`,
    "listen_addresses = '127.0.0.1'",
    "unix_socket_directories = ''",
    'max_connections = 200',
    // Smaller than the default, because the server's files may be in memory.
    'max_wal_size = 256MB',
    // Test queries are short, so JIT compilation would take longer than running them.
    'jit = off',
  ];
  const env = {
    PATH: process.env.PATH,
    LC_ALL: 'C',
    BIN: bin,
    FOLDER: folder,
    LOCALE: process.platform === 'darwin' ? 'C' : 'C.UTF-8',
    PASSWORD: password,
    SETTINGS: settings.join('\n'),
  };
  // The server has its own session, so that Ctrl-C ends the tests before the server.
  const child = spawn('sh', ['-c', supervisorScript], { cwd: folder, env, detached: true, ...user });
  const closeEvent = new Promise((resolve) => child.once('close', resolve));
  let errorOutput = '';
  child.stderr.on('data', (text) => (errorOutput += text));
  const isReady = await Promise.race([
    new Promise((resolve) => child.stdout.once('data', () => resolve(true))),
    closeEvent.then(() => false),
  ]);
  if (!isReady) throw new Error(`PostgreSQL did not start.\n${errorOutput}`);
  return {
    url: `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`,
    stop() {
      child.stdin.end();
      return closeEvent;
    },
  };
}

/** PostgreSQL does not run as root: finds `postgres`, created by Debian's package, or `nobody`. */
function findUnprivilegedUser() {
  if (process.getuid() !== 0) return {};
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const [, , uid, gid] = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  return { uid: Number(uid), gid: Number(gid) };
}

function findFreePort() {
  return new Promise((resolve, reject) => {
    const probeServer = createServer().once('error', reject);
    probeServer.listen(0, '127.0.0.1', () => {
      const { port } = probeServer.address();
      probeServer.close(() => resolve(port));
    });
  });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [command, ...args] = process.argv.slice(process.argv[2] === '--' ? 3 : 2);
  if (!command) exitWithError('Usage: node scripts/postgres.mjs -- COMMAND');
  const bin =
    findPostgres() ??
    exitWithError('PostgreSQL 15 or newer is not on this machine. `npm test` installs it where it may.');
  const { url, stop } = await startPostgres(bin);
  process.exitCode = await run(command, args, { cwd: process.cwd(), env: { TEST_DATABASE_URL: url } });
  await stop();
}

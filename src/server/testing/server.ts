// Starts a complete server for a test, with its own database (on either engine), folder, port and
// users.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Role, toParkFields } from '#shared/access.ts';
import { api } from '#shared/api.ts';
import { type EndpointInput, sendRequest } from '#shared/client.ts';
import type { ClientEndpoint, Reply } from '#shared/contract.ts';
import type { SignInMethod } from '#shared/users.ts';
import type { RegisterPages } from '../app.ts';
import { type Clock, createClock } from '../clock.ts';
import { type Config, parseConfig } from '../config.ts';
import type { Engine } from '../db/connect.ts';
import { connect } from '../db/connect.ts';
import type { Database } from '../db/schema.ts';
import { hashPassword } from '../sign-in/session/passwords.ts';
import { getCookieName, insertSession } from '../sign-in/session/session.ts';
import { start } from '../start.ts';
import { insertUser } from '../users/store.ts';
import { copyMigratedFile, createDatabase } from './databases.ts';
import { findFreePort } from './free-port.ts';
import { fetchQuickly } from './quick-fetch.ts';
import { jsonPost } from './requests.ts';
import { testSettings } from './settings.ts';
import { sharePools } from './worker-pools.ts';

export { createDatabase };

/** The engines to test on: both in `npm test`, only SQLite without TEST_DATABASE_URL. */
export const engines: Engine[] = process.env.TEST_DATABASE_URL ? ['sqlite', 'postgres'] : ['sqlite'];

export const password = 'correct horse battery';

/** A short interval for sending messages and building packs, because many tests wait for them. */
export const pollMs = 200;

/** Computed once, because hashing is slow by design. */
let passwordHash: Promise<string> | undefined;

/** Sends requests as one user, with their cookie. */
export type TestClient = (<E extends ClientEndpoint>(
  endpoint: E,
  ...input: Record<never, never> extends EndpointInput<E> ? [EndpointInput<E>?] : [EndpointInput<E>]
) => Promise<Reply<E>>) & {
  fetch: typeof fetch;
  id: string;
  username: string;
  /** The Cookie header, for tests that send HTTP themselves. */
  cookie: string;
  /** Sends later requests to another URL, at which the server was started again. */
  moveTo(url: string): void;
  /** Returns a client with the same user and session for another instance. */
  at(url: string): TestClient;
};

export type TestServer = Awaited<ReturnType<typeof startTestServer>>;

/**
 * Starts a server. `settings` are environment variables; `time` is its clock, or what `createClock` makes one
 * of; `fill` runs before it starts. `stop` deletes everything.
 */
export async function startTestServer(
  engine: Engine,
  settings: Record<string, string> = {},
  time: Clock | (() => number | string) = Date.now,
  registerPages?: RegisterPages,
  fill?: (config: Config) => Promise<void>,
) {
  const clock = time() instanceof Date ? (time as Clock) : createClock(() => new Date(time()).getTime());
  const folder = await mkdtemp(join(tmpdir(), 'park-reports-'));
  const database = engine === 'postgres' ? await createDatabase({ isMigrated: !fill }) : undefined;
  const config = parseConfig({
    ...testSettings,
    DATA_DIR: folder,
    DATABASE_URL: database?.url ?? '',
    ADMIN_PASSWORD: password,
    ...settings,
  });
  if (fill) await fill(config);
  else if (!config.databaseUrl) await copyMigratedFile(config.dataDir);
  const options = { clock, pollMs, pools: sharePools(), ...(registerPages && { registerPages }) };
  const port = config.port || (await findFreePort());
  let server = await start({ ...config, port }, options);
  const url = `http://127.0.0.1:${port}`;
  // A second connection, to check what is stored. Tests may change whole tables.
  const db: Database = (await connect(config)).withoutPlugins();
  passwordHash ??= hashPassword(password);
  const credentials = { passwordHash: await passwordHash, mustChangePassword: false };
  let userCount = 0;

  const signIn = (username: string, id = '', secret = password) => signInAt(url, username, id, secret);
  // Sessions have the second factor that the settings require, unless a test says otherwise.
  const usualMethod = config.secondFactorFor === 'off' ? 'password' : 'passkey';
  const createSession = async (id: string, username: string, method: SignInMethod = usualMethod) => {
    const token = await insertSession(db, id, clock(), { method });
    return createClient(url, `${getCookieName(config.isSecure)}=${token}`, id, username);
  };

  async function stop() {
    await server.stop();
    await db.destroy();
    await database?.drop();
    await rm(folder, { recursive: true, force: true });
  }

  return {
    url,
    /** The URL of the pages for guests. */
    get guestUrl() {
      const [address] = server.guestServer?.addresses() ?? [];
      return `http://127.0.0.1:${Object(address).port}`;
    },
    db,
    folder,
    config,
    engine,
    signIn,
    /** Creates a session for an existing user without checking a password. */
    createSession,
    /** Returns a client with this Cookie header. */
    withCookie: (cookie: string, id: string, username: string) => createClient(url, cookie, id, username),
    get running() {
      return server;
    },
    /**
     * Creates a user with this role and park, or these parks, and a session. '' is for all parks,
     * or for staff for none.
     */
    async as(role: Role, park: string | string[] = ''): Promise<TestClient> {
      userCount += 1;
      const parkFields = typeof park === 'string' ? { park } : toParkFields(park);
      const username = `${role.split(' ')[0]?.toLowerCase()}.${userCount}`;
      return createSession(await insertUser(db, { username, role, ...parkFields, ...credentials }, clock()), username);
    },
    /** A client without a session. */
    anonymous: createClient(url, '', '', ''),
    /** Restarts the server on the same data and port. */
    async restart() {
      await server.stop();
      server = await start({ ...config, port }, options);
    },
    stop,
    /** For `await using`, in a test with a server of its own. */
    [Symbol.asyncDispose]: stop,
  };
}

function createClient(startUrl: string, cookie: string, id: string, username: string): TestClient {
  let url = startUrl;
  const withCookie: typeof fetch = (path, init) =>
    fetchQuickly(new URL(String(path), url), {
      ...init,
      headers: { ...(init?.headers as Record<string, string>), ...(cookie && { cookie }) },
    });
  const send = (endpoint: ClientEndpoint, input = {}) => sendRequest(withCookie, endpoint, input as never);
  const moveTo = (to: string) => {
    url = to;
  };
  const at = (other: string) => createClient(other, cookie, id, username);
  return Object.assign(send, { fetch: withCookie, id, username, cookie, moveTo, at }) as TestClient;
}

/** Signs in at any server whose users have the tests' password. */
export async function signInAt(url: string, username: string, id = '', secret = password): Promise<TestClient> {
  const response = await fetch(`${url}${api.login.path}`, jsonPost({ username, password: secret }));
  if (!response.ok) throw new Error(`${username} could not sign in (${response.status}): ${await response.text()}`);
  return createClient(url, response.headers.getSetCookie()[0]?.split(';')[0] ?? '', id, username);
}

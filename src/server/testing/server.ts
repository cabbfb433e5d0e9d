// A whole server for a test: its own database (on either engine), its own folder, a port of its own, and people to be.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Role } from '#shared/access.ts';
import { api } from '#shared/api.ts';
import { type EndpointInput, sendRequest } from '#shared/client.ts';
import type { Endpoint, Reply } from '#shared/contract.ts';
import type { RegisterPages } from '../app.ts';
import { hashPassword } from '../auth/passwords.ts';
import { getCookieName, insertSession } from '../auth/session.ts';
import { type Clock, createClock } from '../clock.ts';
import { type Config, parseConfig } from '../config.ts';
import type { Engine } from '../db/connect.ts';
import { connect } from '../db/connect.ts';
import type { Database } from '../db/schema.ts';
import { start } from '../start.ts';
import { insertUser } from '../users/store.ts';
import { testSettings } from './settings.ts';

const postgresUrl = process.env.TEST_DATABASE_URL;

/** The engines to test on. `npm test` gives both; without TEST_DATABASE_URL, SQLite alone. */
export const engines: Engine[] = postgresUrl ? ['sqlite', 'postgres'] : ['sqlite'];

export const password = 'correct horse battery';

/** Made once: hashing is slow by design. */
let passwordHash: Promise<string> | undefined;

/** Makes calls as one person, with their cookie. */
export type TestClient = (<R extends Endpoint>(
  row: R,
  ...input: Record<never, never> extends EndpointInput<R> ? [EndpointInput<R>?] : [EndpointInput<R>]
) => Promise<Reply<R>>) & {
  fetch: typeof fetch;
  id: string;
  username: string;
  /** The Cookie header, for a test that speaks HTTP itself. */
  cookie: string;
  /** The server has come back at another address: the person's calls follow it. */
  moveTo(url: string): void;
  /** The same person, with the same session, at another copy of the server. */
  at(url: string): TestClient;
};

export type TestServer = Awaited<ReturnType<typeof startTestServer>>;

/** Starts a server. `settings` are environment variables; `clock` its time; `fill` runs before it starts. `stop` removes all it made. */
export async function startTestServer(
  engine: Engine,
  settings: Record<string, string> = {},
  clock: Clock = createClock(),
  registerPages?: RegisterPages,
  fill?: (config: Config) => Promise<void>,
) {
  const folder = await mkdtemp(join(tmpdir(), 'park-reports-'));
  const database = engine === 'postgres' ? await createDatabase() : undefined;
  const config = parseConfig({
    ...testSettings,
    DATA_DIR: folder,
    DATABASE_URL: database?.url ?? '',
    ADMIN_PASSWORD: password,
    ...settings,
  });
  await fill?.(config);
  let running = await start(config, { clock, ...(registerPages && { registerPages }) });
  const { port } = running.server.server.address() as { port: number };
  const url = `http://127.0.0.1:${port}`;
  // A second connection, for looking at what is really stored.
  const db: Database = await connect(config);
  passwordHash ??= hashPassword(password);
  const known = { passwordHash: await passwordHash, mustChangePassword: false };
  let people = 0;

  const signIn = (username: string, id = '', secret = password) => signInAt(url, username, id, secret);
  const enter = async (id: string, username: string) =>
    createClient(url, `${getCookieName(config.isSecure)}=${await insertSession(db, id, clock())}`, id, username);

  return {
    url,
    db,
    folder,
    config,
    engine,
    signIn,
    /** A session of somebody there is, without the work of checking a password. */
    enter,
    /** Whoever this cookie makes one. */
    withCookie: (cookie: string, id: string, username: string) => createClient(url, cookie, id, username),
    get running() {
      return running;
    },
    /** A new person of this role and park, who has a session. */
    async as(role: Role, park = ''): Promise<TestClient> {
      people += 1;
      const username = `${role.split(' ')[0]?.toLowerCase()}.${people}`;
      return enter(await insertUser(db, { username, role, park, ...known }, clock()), username);
    },
    /** Nobody: no session. */
    anonymous: createClient(url, '', '', ''),
    /** Stops the server and starts it again, on the same data and the same port. */
    async restart() {
      await running.stop();
      running = await start({ ...config, port }, { clock, ...(registerPages && { registerPages }) });
    },
    async stop() {
      await running.stop();
      await db.destroy();
      await database?.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function createClient(startUrl: string, cookie: string, id: string, username: string): TestClient {
  let url = startUrl;
  const withCookie: typeof fetch = (path, init) =>
    fetch(new URL(String(path), url), {
      ...init,
      headers: { ...(init?.headers as object), ...(cookie && { cookie }) },
      redirect: 'manual',
    });
  const as = (row: Endpoint, input = {}) => sendRequest(withCookie, row, input as never);
  const moveTo = (to: string) => {
    url = to;
  };
  const at = (other: string) => createClient(other, cookie, id, username);
  return Object.assign(as, { fetch: withCookie, id, username, cookie, moveTo, at }) as TestClient;
}

/** Signs in at any server whose people have the tests' password. */
export async function signInAt(url: string, username: string, id = '', secret = password): Promise<TestClient> {
  const response = await fetch(`${url}${api.login.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: secret }),
  });
  if (!response.ok) throw new Error(`${username} could not sign in (${response.status}): ${await response.text()}`);
  return createClient(url, response.headers.getSetCookie()[0]?.split(';')[0] ?? '', id, username);
}

export async function createDatabase() {
  const name = `test_${process.pid}_${Math.random().toString(36).slice(2)}`;
  const run = async (statement: string) => {
    const client = new pg.Client({ connectionString: postgresUrl });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await run(`create database ${name}`);
  const url = new URL(postgresUrl ?? '');
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(`drop database ${name} with (force)`) };
}

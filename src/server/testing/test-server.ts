// The server and the users of a group of tests: created before its tests, deleted after them.
import { afterAll, beforeAll } from 'vitest';
import { startTestServer, type TestClient, type TestServer } from './server.ts';

/** Returns what leads to a value that exists only once the tests run. */
function createReference<T extends object>(get: () => T | undefined): T {
  const find = () => {
    const value = get();
    if (!value) throw new Error('This exists only once the tests run.');
    return value;
  };
  return new Proxy(() => {}, {
    get: (_, name) => Reflect.get(find(), name),
    set: (_, name, value) => Reflect.set(find(), name, value),
    apply: (_, self, values) => Reflect.apply(find() as () => unknown, self, values),
  }) as unknown as T;
}

/** Starts something before the tests of a group, such as a mail server, and stops it after them. */
export function setUp<T extends { stop(): unknown }>(start: () => Promise<T>): T {
  let value: T | undefined;
  beforeAll(async () => {
    value = await start();
  });
  afterAll(() => value?.stop() as Promise<void>);
  return createReference(() => value);
}

type Settings = Record<string, string>;
type Options =
  Parameters<typeof startTestServer> extends [infer E, unknown?, ...infer Others]
    ? [engine: E, settings?: Settings | (() => Settings), ...Others]
    : never;

type SharedServer = TestServer & {
  /** A user like those of `as`, created before the tests. */
  user(...user: Parameters<TestServer['as']>): TestClient;
};

/**
 * Starts a server for the tests of a group, with the options of `startTestServer`. Call it where the group begins.
 * Settings that are known only then, such as those of a mail server, are returned by a function.
 */
export function createTestServer(...[engine, settings, ...others]: Options): SharedServer {
  let server: SharedServer | undefined;
  beforeAll(async () => {
    const known = typeof settings === 'function' ? settings() : settings;
    server = Object.assign(await startTestServer(engine, known, ...others), { user });
  });
  afterAll(() => server?.stop());

  function user(...values: Parameters<TestServer['as']>): TestClient {
    let client: TestClient | undefined;
    beforeAll(async () => {
      client = await server?.as(...values);
    });
    return createReference(() => client);
  }
  return createReference(() => server ?? ({ user } as SharedServer));
}

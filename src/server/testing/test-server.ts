// The server and the users of a group of tests: created before its tests, deleted after them.
import { afterAll, beforeAll } from 'vitest';
import { startTestServer, type TestClient, type TestServer } from './server.ts';

/** Returns what leads to a value that exists only once the tests run, or that changes. It can be taken apart before. */
export function createReference<T extends object>(get: () => T | undefined): T {
  const find = () => {
    const value = get();
    if (!value) throw new Error('This exists only once the tests run.');
    return value;
  };
  return new Proxy(() => {}, {
    get: (_, name) =>
      get() || typeof name === 'symbol'
        ? Reflect.get(find(), name)
        : createReference(() => get()?.[name as keyof T] as object | undefined),
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

type User = Parameters<TestServer['as']>;
/** The users that many groups have. */
const users: Record<'admin' | 'manager' | 'staff', User> = {
  admin: ['Admin'],
  manager: ['Health & Safety Manager'],
  staff: ['None', 'Lido Beach'],
};

type SharedServer = TestServer & {
  /** A user like those of `as`, created before the tests. */
  user(...user: User): TestClient;
};
type Group = { server: SharedServer } & Record<keyof typeof users, TestClient>;

/**
 * Starts a server for the tests of a group, with the options of `startTestServer`. Call it where the group begins, and
 * take from it the users that the group needs: only those are created. Settings that are known only then, such as those of
 * a mail server, are returned by a function.
 */
export function createTestServer(...[engine, settings, ...others]: Options): Group {
  const started = setUp(() => {
    const known = typeof settings === 'function' ? settings() : settings;
    return startTestServer(engine, known, ...others);
  });

  function user(...values: User): TestClient {
    let client: TestClient | undefined;
    beforeAll(async () => {
      client = await started.as(...values);
    });
    return createReference(() => client);
  }
  const server = new Proxy(started, {
    get: (_, name) => (name === 'user' ? user : Reflect.get(started, name)),
  }) as SharedServer;
  const group = { server } as Group;
  for (const [name, values] of Object.entries(users))
    Object.defineProperty(group, name, { get: () => user(...values) });
  return group;
}

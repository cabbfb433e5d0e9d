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
    apply: (_, self, values) => Reflect.apply(find() as () => unknown, self, values),
  }) as unknown as T;
}

type Options = Parameters<typeof startTestServer>;

type SharedServer = TestServer & {
  /** A user like those of `as`, created before the tests. */
  user(...user: Parameters<TestServer['as']>): TestClient;
};

/** Starts a server for the tests of a group, with the options of `startTestServer`. Call it where the group begins. */
export function createTestServer(...options: Options): SharedServer {
  let server: SharedServer | undefined;
  beforeAll(async () => {
    server = Object.assign(await startTestServer(...options), { user });
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

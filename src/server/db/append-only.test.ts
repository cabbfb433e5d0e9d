// PostgreSQL protects the log from the server's own role, and from a role that owns nothing.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newFolder } from '../testing/factories.ts';
import { createDatabase, engines, startTestServer } from '../testing/server.ts';
import { revokeLogUpdates } from './append-only.ts';
import { connect } from './connect.ts';

describe.runIf(engines.includes('postgres'))('the append-only activity log on PostgreSQL', () => {
  const [owner, roleWithoutTables] = ['owner', 'clerk'].map((name) => `${name}_${randomBytes(6).toString('hex')}`) as [
    string,
    string,
  ];
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let superuser: pg.Client;
  beforeAll(async () => {
    database = await createDatabase();
    superuser = new pg.Client(database.url);
    await superuser.connect();
    for (const role of [owner, roleWithoutTables]) await superuser.query(`create role ${role} login password 'secret'`);
    await superuser.query(`alter database ${new URL(database.url).pathname.slice(1)} owner to ${owner}`);
  });
  afterAll(async () => {
    await superuser.end();
    await database.drop();
    const cleanupClient = new pg.Client(process.env.TEST_DATABASE_URL);
    await cleanupClient.connect();
    await cleanupClient.query(`drop role ${owner}, ${roleWithoutTables}`).finally(() => cleanupClient.end());
  });

  const getUrl = (role: string) => {
    const url = new URL(database.url);
    url.username = role;
    url.password = 'secret';
    return url.href;
  };
  /** The servers share a database, but not the data folder with its key. */
  const SECRETS_KEY = Buffer.alloc(32).toString('base64');
  const changes = ["update activity set label = 'x'", 'delete from activity', 'truncate activity'];

  /**
   * Runs a server with this role that adds an entry to the log, then tries each change of the log
   * with the same role. Returns PostgreSQL's message for each.
   */
  async function tryToChangeLogAs(role: string, before = '') {
    const server = await startTestServer('sqlite', { DATABASE_URL: getUrl(role), SECRETS_KEY });
    const client = new pg.Client(getUrl(role));
    try {
      const staff = await server.signIn('admin');
      await newFolder(staff);
      await client.connect();
      await client.query(before);
      const output = [];
      for (const change of changes)
        output.push(await client.query(change).then(String, ({ message }: Error) => message));
      return output;
    } finally {
      await client.end();
      await server.stop();
    }
  }

  const deniedErrors = changes.map(() => 'permission denied for table activity');

  test("the server's PostgreSQL role cannot change, delete or truncate the activity log, even without triggers", async () => {
    expect(await tryToChangeLogAs(owner)).toEqual(deniedErrors);
    expect(await tryToChangeLogAs(owner, 'alter table activity disable trigger all')).toEqual(deniedErrors);
    // As after a restore, which does not restore the revoked rights. The next start revokes them
    // again.
    await superuser.query(`alter table activity enable trigger all; grant all on activity to ${owner}`);
    expect(await tryToChangeLogAs(owner)).toEqual(deniedErrors);
  });

  test('a PostgreSQL role that owns no tables can run the server but cannot drop the triggers of the activity log', async () => {
    await superuser.query(`set role ${owner}`);
    await superuser.query(
      `grant select, insert, update, delete on all tables in schema public to ${roleWithoutTables}`,
    );
    await superuser.query(`revoke update, delete on activity from ${roleWithoutTables}`);
    await superuser.query('reset role');
    expect(await tryToChangeLogAs(roleWithoutTables)).toEqual(deniedErrors);
    await expect(tryToChangeLogAs(roleWithoutTables, 'alter table activity disable trigger all')).rejects.toThrow(
      'must be owner',
    );
    await expect(tryToChangeLogAs(roleWithoutTables, 'grant all on activity to current_user')).resolves.toEqual(
      deniedErrors,
    );
  });

  test('instances that start at the same time do not conflict when they revoke rights to the activity log', async () => {
    const db = await connect({ databaseUrl: getUrl(owner), dataDir: '' });
    await Promise.all(Array.from({ length: 8 }, () => revokeLogUpdates(db))).finally(() => db.destroy());
  });

  test('the triggers stop a PostgreSQL superuser from changing the activity log', async () => {
    for (const change of changes) await expect(superuser.query(change)).rejects.toThrow('This table is append-only.');
  });
});

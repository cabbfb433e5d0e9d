// Several instances with one database and one bucket. `npm run test:multi-instance` runs this file
// with a real S3-compatible store.
import { randomUUID } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { copyRows } from './backup/copy-storage.ts';
import { parseConfig } from './config.ts';
import { connect } from './db/connect.ts';
import { migrate } from './db/migrate.ts';
import { openBucket } from './files/bucket.ts';
import { newFilePath } from './files/store.ts';
import { createBucket, isRealStore } from './testing/bucket.ts';
import { newReport } from './testing/factories.ts';
import { createTestFolder } from './testing/folder.ts';
import { runProgram, type ServerProcess, startProcess } from './testing/process.ts';
import { jsonPost } from './testing/requests.ts';
import { insertRows } from './testing/rows.ts';
import { createDatabase, engines, password, signInAt, startTestServer } from './testing/server.ts';

const folder = createTestFolder();

const buckets: Awaited<ReturnType<typeof createBucket>>[] = [];
afterAll(() => Promise.all(buckets.map((bucket) => bucket.close())));
async function createBucketSettings() {
  const bucket = await createBucket();
  buckets.push(bucket);
  return bucket.settings;
}

describe('files in a bucket', () => {
  test('files in a bucket can be read and listed until they are deleted', async () => {
    const store = await openBucket(parseConfig(await createBucketSettings()).bucket);
    const paths = Array.from({ length: 5 }, () => newFilePath('jpg', new Date('2026-03-01')));
    await Promise.all(paths.map((path) => store.write(path, Buffer.from('0123456789'))));
    const [path = ''] = paths;
    expect((await store.read(path))?.toString()).toBe('0123456789');
    const openedFile = await store.open(path);
    expect([openedFile?.size, await text(openedFile?.stream as Readable)]).toEqual([10, '0123456789']);
    const listed = [];
    for await (const file of store.list()) listed.push(file.path);
    expect(listed.sort()).toEqual([...paths].sort());
    await store.remove(path);
    await store.remove(path);
    expect(await store.read(path)).toBeUndefined();
    expect(await store.open(path)).toBeUndefined();
    await expect(store.read('../secret')).rejects.toMatchObject({ status: 404 });
  });

  test('a pack is stored in the bucket from a file, read as a stream, and not listed among the images', async () => {
    const store = await openBucket(parseConfig(await createBucketSettings()).bucket);
    const path = `packs/${'a'.repeat(26)}.zip`;
    writeFileSync(join(folder, 'made.zip'), '0123456789');
    await store.move(path, join(folder, 'made.zip'));
    const openedFile = await store.open(path);
    expect([openedFile?.size, await text(openedFile?.stream as Readable)]).toEqual([10, '0123456789']);
    for await (const file of store.list()) expect.fail(file.path);
    await store.remove(path);
    expect(await store.open(path)).toBeUndefined();
  });

  test.runIf(isRealStore)('opening a bucket with wrong credentials or an unknown name is rejected', async () => {
    const { bucket } = parseConfig(await createBucketSettings());
    await expect(openBucket({ ...bucket, secretAccessKey: 'wrong' })).rejects.toThrow('cannot be used');
    await expect(openBucket({ ...bucket, bucket: 'no-such-bucket' })).rejects.toThrow('cannot be used');
  });
});

describe.runIf(engines.includes('postgres'))('two instances with one database and bucket', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let first: ServerProcess;
  let second: ServerProcess;
  beforeAll(async () => {
    database = await createDatabase();
    const settings = {
      ...(await createBucketSettings()),
      DATA_DIR: join(folder, 'copies'),
      DATABASE_URL: database.url,
      ADMIN_PASSWORD: password,
    };
    [first, second] = await Promise.all([startProcess(settings), startProcess(settings)]);
  });
  afterAll(async () => {
    await Promise.all([first.end('SIGKILL'), second.end('SIGKILL')]);
    await database.drop();
  });

  test('instances share sessions and records', async () => {
    const atFirst = await signInAt(first.url, 'admin');
    const atSecond = atFirst.at(second.url);
    const body = await newReport(atFirst);
    const { id } = await atSecond(api.submitAccident, { body });
    expect((await atFirst(api.listReports)).map((report) => report.id)).toContain(id);
    const photos = await Promise.all(
      [atFirst, atSecond].map(async (client) => (await client.fetch(body.mediaFiles[0]?.path ?? '')).arrayBuffer()),
    );
    expect(Buffer.from(photos[0] as ArrayBuffer)).toEqual(Buffer.from(photos[1] as ArrayBuffer));
    await atSecond(api.logout);
    await expect(atFirst(api.getSession)).rejects.toMatchObject({ status: 401 });
  });

  test('a report sent to two instances with one key is recorded once, and a signature is attached once', async () => {
    const atFirst = await signInAt(first.url, 'admin');
    const atSecond = atFirst.at(second.url);
    const body = await newReport(atFirst);
    const key = randomUUID();
    const replies = await Promise.all(
      [atFirst, atSecond, atFirst, atSecond].map((client) => client(api.submitIncident, { body, key })),
    );
    expect(new Set(replies.map(({ id }) => id)).size).toBe(1);
    const [one, other] = [await newReport(atFirst), await newReport(atFirst)];
    const results = await Promise.allSettled(
      [atFirst, atSecond].map((client, index) =>
        client(api.submitIncident, { body: { ...(index ? other : one), signature: one.signature }, key: randomUUID() }),
      ),
    );
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('instances count failed sign-ins together', async () => {
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 6; attempt++)
      statuses.push(
        (
          await fetch(
            `${(attempt % 2 ? first : second).url}/api/login`,
            jsonPost({ username: 'nobody', password: 'wrong' }),
          )
        ).status,
      );
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test('an instance continues when another is killed', async () => {
    const atSecond = await signInAt(second.url, 'admin');
    await first.end('SIGKILL');
    await atSecond(api.submitAccident, { body: await newReport(atSecond) });
  });
});

describe.runIf(engines.includes('postgres'))('copying storage', () => {
  test('copying storage copies rows that differ only in the last key column once each', async () => {
    const server = await startTestServer('sqlite');
    const database = await createDatabase();
    const to = await connect({ dataDir: '', databaseUrl: database.url });
    try {
      await migrate(to);
      const { id: user_id } = await server.as('None');
      const row = { user_id, route: 'submitAccident', fingerprint: 'x', status: 201, body: null, created_at: '' };
      const rows = Array.from({ length: 2000 }, () => ({ ...row, key: randomUUID() }));
      await insertRows(server.db, 'replies', rows);
      await copyRows(server.db, to);
      expect(await to.selectFrom('replies').select('key').execute()).toHaveLength(2000);
    } finally {
      await to.destroy();
      await database.drop();
      await server.stop();
    }
  });

  test('a SQLite installation is copied completely, even if the copy is repeated', async () => {
    const dataDir = join(folder, 'old-house');
    const database = await createDatabase();
    const originalSettings = { DATA_DIR: dataDir, ADMIN_PASSWORD: password };
    const now = { ...originalSettings, ...(await createBucketSettings()), DATABASE_URL: database.url };
    const move = () => runProgram([join(import.meta.dirname, 'cli/copy-storage.ts')], now);
    let server = await startProcess(originalSettings);
    try {
      const admin = await signInAt(server.url, 'admin');
      for (let count = 0; count < 5; count++) await admin(api.submitAccident, { body: await newReport(admin) });
      expect(await move()).toMatchObject({ code: 1, output: expect.stringContaining('Another server') });
      const before = await admin(api.listReports);
      expect(await server.end()).toBe(0);
      for (let attempt = 0; attempt < 2; attempt++)
        expect(await move()).toMatchObject({ code: 0, output: expect.stringContaining('15 files are in the bucket') });
      expect(readdirSync(dataDir)).toContain('park-reports.sqlite');

      server = await startProcess(now);
      const later = await signInAt(server.url, 'admin');
      expect(await later(api.listReports)).toEqual(before);
      for (const { path } of before.flatMap((report) => report.mediaFiles))
        expect((await later.fetch(path)).status).toBe(200);
      const { number } = await later(api.submitAccident, { body: await newReport(later) });
      expect(number).toMatch(/0006$/);
      // The target database was written to since, so copying again is rejected: it would mix two
      // histories.
      expect(await server.end()).toBe(0);
      expect(await move()).toMatchObject({ code: 1, output: expect.stringContaining('is not empty') });
      const db = await connect(parseConfig(now));
      expect(await db.selectFrom('reports').select('id').execute()).toHaveLength(6);
      await db.destroy();
    } finally {
      await server.end('SIGKILL');
      await database.drop();
    }
  }, 120_000);
});

// Services that the server depends on become unavailable and recover.
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, renameSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { api } from '#shared/api.ts';
import { type ApiError, sendRequest } from '#shared/client.ts';
import { parseConfig } from './config.ts';
import { connect as connectTo } from './db/connect.ts';
import { sha256 } from './hash.ts';
import { newReport, photo, uploadPhoto } from './testing/factories.ts';
import { type FakeBucket, openFakeBucket } from './testing/fake-bucket.ts';
import { createTestFolder } from './testing/folder.ts';
import { startProcess } from './testing/process.ts';
import { readRows } from './testing/rows.ts';
import {
  createDatabase,
  engines,
  password,
  signInAt,
  startTestServer,
  type TestClient,
  type TestServer,
} from './testing/server.ts';
import { mountSmallDisk } from './testing/small-disk.ts';
import { startTcpProxy, type TcpProxy } from './testing/tcp-proxy.ts';

describe.runIf(engines.includes('postgres'))('an unreachable PostgreSQL', () => {
  test('an unreachable PostgreSQL causes 503s until it is back', async () => {
    const database = await createDatabase();
    const proxy = await startTcpProxy(database.url);
    const server = await startTestServer('sqlite', { DATABASE_URL: proxy.url });
    const secondConnection = new pg.Client(database.url);
    await secondConnection.connect();
    try {
      const reviewer = await server.as('Admin');
      const { id } = await reviewer(api.submitAccident, { body: await newReport(reviewer) });

      await secondConnection.query('begin; lock table reports in access exclusive mode');
      const pendingResponse = reviewer.fetch('/api/get-reports');
      const waiting = `select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      // The server's own work may wait for the table too.
      await expect.poll(async () => (await secondConnection.query(waiting)).rows[0].count).toBeGreaterThan(0);
      await proxy.disconnect();
      for (const response of [await pendingResponse, await reviewer.fetch('/api/get-reports')]) {
        expect([response.status, response.headers.get('retry-after')]).toEqual([503, '10']);
        expect(await response.json()).toMatchObject({
          code: 'UNAVAILABLE',
          message: 'The database cannot be reached at the moment. Please try again soon.',
        });
      }
      expect((await server.anonymous.fetch('/healthz')).status).toBe(503);

      await secondConnection.query('rollback');
      await proxy.reconnect();
      expect((await server.anonymous.fetch('/healthz')).status).toBe(200);
      expect((await reviewer(api.getReport, { params: { id } })).id).toBe(id);
    } finally {
      await secondConnection.end();
      await server.stop();
      await proxy.disconnect();
      await database.drop();
    }
  });

  test('an upload can be sent again after the reply to its commit was lost', async () => {
    const database = await createDatabase();
    const proxy = await startTcpProxy(database.url);
    const server = await startTestServer('sqlite', { DATABASE_URL: proxy.url });
    try {
      const staff = await server.as('None');
      const call = { file: new Blob([new Uint8Array(await photo())]), key: randomUUID() };
      const cut = proxy.dropReplyTo('commit');
      await expect(staff(api.uploadImage, call)).rejects.toMatchObject({ status: 503 });
      await cut;
      await proxy.reconnect();
      const { filePath } = await staff(api.uploadImage, call);
      expect((await staff.fetch(filePath)).status).toBe(200);
    } finally {
      await server.stop();
      await proxy.disconnect();
      await database.drop();
    }
  });

  test('an outage of PostgreSQL during writes loses no acknowledged change, and the server keeps running', async () => {
    const folder = createTestFolder(onTestFinished);
    const database = await createDatabase();
    const proxy = await startTcpProxy(database.url);
    const server = await startProcess({ DATA_DIR: folder, ADMIN_PASSWORD: password, DATABASE_URL: proxy.url });
    const staff = await signInAt(server.url, 'admin');
    try {
      const reportIds: string[] = [];
      const errors: { status?: number; retryAfter?: number; message?: string }[] = [];
      const submit = async () => {
        try {
          reportIds.push((await staff(api.submitAccident, { body: await newReport(staff) })).id);
        } catch (error) {
          errors.push(error as object);
        }
      };
      const writers = Array.from({ length: 4 }, async () => {
        while (errors.length === 0) await submit();
      });
      await expect.poll(() => reportIds.length, { timeout: 20_000 }).toBeGreaterThan(4);
      await proxy.disconnect();
      await Promise.all(writers);
      expect((await fetch(`${server.url}/healthz`)).status).toBe(503);
      await expect(staff(api.listReports)).rejects.toMatchObject({ status: 503, retryAfter: 10 });
      for (const error of errors)
        expect(error).toMatchObject({ status: 503, message: expect.stringMatching(/database|cannot save/) });
      expect(errors.every(({ retryAfter }) => Number(retryAfter) > 0)).toBe(true);

      await proxy.reconnect();
      await expect.poll(() => fetch(`${server.url}/healthz`).then(({ status }) => status)).toBe(200);
      const before = reportIds.length;
      await submit();
      expect(reportIds.length).toBe(before + 1);
      const listed = new Set((await staff(api.listReports)).map(({ id }) => id));
      expect(reportIds.filter((id) => !listed.has(id))).toEqual([]);
      expect(await server.end()).toBe(0);
    } finally {
      await server.end('SIGKILL');
      await proxy.disconnect().catch(() => undefined);
      await database.drop();
    }
  }, 60_000);
});

describe('an unreachable bucket', () => {
  let bucket: FakeBucket;
  let proxy: TcpProxy;
  let server: TestServer;
  let reviewer: TestClient;
  beforeAll(async () => {
    bucket = await openFakeBucket();
    proxy = await startTcpProxy(bucket.url);
    server = await startTestServer('sqlite', { ...bucket.settings, S3_ENDPOINT: proxy.url, S3_SECONDS: '2' });
    reviewer = await server.as('Admin');
  });
  afterAll(async () => {
    await server.stop();
    await proxy.disconnect();
    await bucket.close();
  });

  const failures = {
    'is cut off': [() => proxy.disconnect(), () => proxy.reconnect()],
    ...Object.fromEntries(
      (['fails', 'hangs', 'cuts responses off', 'stops halfway', 'is hidden by a gateway'] as const).map((failure) => [
        failure,
        [async () => bucket.setFailure(failure), async () => bucket.setFailure(undefined)],
      ]),
    ),
  } as Record<string, [() => Promise<void>, () => Promise<void>]>;

  /** Returns the number of images in a report's PDF. */
  const countImages = (pdf: Uint8Array) =>
    Buffer.from(pdf)
      .toString('latin1')
      .match(/\/Subtype\s*\/Image/g)?.length;
  const rows = async () => (await server.db.selectFrom('uploads').select('path').execute()).map(({ path }) => path);

  const getHealth = async () => (await fetch(`${server.url}/healthz`)).json();

  test('an unreachable bucket is reported by /healthz, and the instance counts as healthy', async () => {
    await proxy.disconnect();
    expect(await getHealth()).toMatchObject({ status: 'ok', files: 'bucket', files_answering: false });
    await proxy.reconnect();
  });

  test.each(Object.keys(failures))(
    'a bucket that %s causes 503s for photos only, until it recovers',
    async (failure) => {
      const [begin, end] = failures[failure] as (typeof failures)[string];
      const body = await newReport(reviewer);
      const waiting = await newReport(reviewer);
      const { id } = await reviewer(api.submitAccident, { body });
      const path = body.mediaFiles[0]?.path ?? '';
      const pdf = await reviewer(api.getReportPdf, { params: { id } });
      const bytes = await (await reviewer.fetch(path)).bytes();
      const before = await rows();
      const key = randomUUID();
      const send = () => reviewer(api.uploadImage, { file: new Blob([new Uint8Array(photoBytes)]), key });
      const photoBytes = await photo();

      await begin();
      const sent = send().catch((error: ApiError) => error);
      // Photos have a preview on this machine; a signature has none.
      const missingPreview = `${body.signature.path}?thumb=1`;
      const responses = [path, missingPreview, `/api/report-pdf/${id}`].map((address) => reviewer.fetch(address));
      for (const response of await Promise.all(responses)) {
        expect([response.status, response.headers.get('retry-after')]).toEqual([503, '30']);
        expect(await response.json()).toMatchObject({
          code: 'UNAVAILABLE',
          message: expect.stringContaining('Photos'),
        });
      }
      expect(await sent).toMatchObject({ status: 503, retryAfter: 30 });
      expect(await rows()).toEqual(before);
      // Users sign in, read, and submit files that were uploaded before.
      await reviewer(api.submitAccident, { body: waiting });
      expect((await (await server.signIn(reviewer.username))(api.listReports)).map((report) => report.id)).toContain(
        id,
      );

      await end();
      expect(await (await reviewer.fetch(path)).bytes()).toEqual(bytes);
      expect((await reviewer.fetch(missingPreview)).status).toBe(200);
      expect(countImages(await reviewer(api.getReportPdf, { params: { id } }))).toBe(countImages(pdf));
      const { filePath } = await send();
      expect((await reviewer.fetch(filePath)).status).toBe(200);
      expect(await rows()).toHaveLength(before.length + 1);
      for (const filePath of before) expect(bucket.objects.has(filePath.slice('/uploads/'.length))).toBe(true);
    },
  );

  test('a photo of which the bucket keeps only half is not accepted, and can be sent again', async () => {
    const before = await rows();
    bucket.setFailure('keeps half');
    await expect(uploadPhoto(reviewer)).rejects.toMatchObject({ status: 503 });
    expect(await rows()).toEqual(before);
    bucket.setFailure(undefined);
    expect((await reviewer.fetch(await uploadPhoto(reviewer))).status).toBe(200);
  });

  test('a photo missing in the bucket gets a 404, and leaves a gap in the PDF', async () => {
    const body = await newReport(reviewer);
    const { id } = await reviewer(api.submitAccident, { body });
    const path = body.mediaFiles[0]?.path ?? '';
    const imageCount = countImages(await reviewer(api.getReportPdf, { params: { id } })) ?? 0;
    bucket.objects.delete(path.slice('/uploads/'.length));
    expect(countImages(await reviewer(api.getReportPdf, { params: { id } }))).toBe(imageCount - 1);
    expect((await reviewer.fetch(path)).status).toBe(404);
    expect(await getHealth()).toMatchObject({ files_answering: true });
  });
});

test('a server out of file descriptors rejects requests and recovers', async () => {
  const folder = createTestFolder(onTestFinished);
  const settings = { DATA_DIR: folder, ADMIN_PASSWORD: password };
  await using server = await startProcess(settings, { openFiles: 64 });
  const idle: Socket[] = [];
  const admin = await signInAt(server.url, 'admin');
  await admin(api.listReports); // opens a connection that stays open
  // Without free descriptors new connections are not accepted; existing ones get an error.
  for (let count = 0; count < 64; count++)
    idle.push(connect(Number(new URL(server.url).port), '127.0.0.1').on('error', () => undefined));
  await expect.poll(() => idle.filter(({ closed }) => closed).length).toBeGreaterThan(0);
  await expect(uploadPhoto(admin)).rejects.toMatchObject({
    status: 503,
    retryAfter: expect.any(Number),
    message: expect.stringMatching(/^The server (?:is busy|cannot save)/),
  });
  expect(await admin(api.listReports)).toEqual([]);
  for (const socket of idle) socket.destroy();

  const fetchWithoutKeepAlive: typeof fetch = (path, init) =>
    admin.fetch(path, { ...init, headers: { ...(init?.headers as object), connection: 'close' } });
  const file = new Blob([new Uint8Array(await photo())]);
  const results = await Promise.allSettled(
    Array.from({ length: 100 }, () => sendRequest(fetchWithoutKeepAlive, api.uploadImage, { file })),
  );
  for (const result of results)
    if (result.status === 'rejected') expect([0, 503]).toContain((result.reason as ApiError).status);
  const tryUpload = () =>
    uploadPhoto(admin).then(
      () => 'taken',
      ({ message }: Error) => message,
    );
  await expect.poll(tryUpload, { timeout: 10_000 }).toBe('taken');
  expect(await server.end()).toBe(0);

  expect(readdirSync(join(folder, 'uploads/.unfinished'))).toEqual([]);
  const db = await connectTo(parseConfig(settings));
  const rows = await readRows(db, 'uploads').finally(() => db.destroy());
  expect(rows).toHaveLength(results.filter(({ status }) => status === 'fulfilled').length + 1);
  for (const { path, sha256_stored } of rows) expect(sha256(readFileSync(join(folder, path)))).toBe(sha256_stored);
});

test.each(engines)('records can be read while the free space of the disk cannot be, on %s', async (engine) => {
  const server = await startTestServer(engine);
  const movedFolder = `${server.folder}-moved`;
  try {
    const admin = await server.as('Admin');
    renameSync(server.folder, movedFolder);
    expect(await admin(api.listFolders)).toEqual([]);
  } finally {
    renameSync(movedFolder, server.folder);
    await server.stop();
  }
});

test('a read-only disk serves photos but accepts none until it is writable again', async ({ skip }) => {
  const folder = createTestFolder(onTestFinished);
  const disk = mountSmallDisk(join(folder, 'uploads'), '16m');
  if (!disk) return skip('a disk of its own needs root');
  const server = await startProcess({ DATA_DIR: folder, ADMIN_PASSWORD: password });
  try {
    const admin = await signInAt(server.url, 'admin');
    const body = await newReport(admin);
    const before = readdirSync(disk.folder, { recursive: true });
    expect(disk.remount('ro').status).toBe(0);
    await expect(uploadPhoto(admin)).rejects.toMatchObject({
      status: 503,
      message: 'The server cannot save at the moment. Please try again soon.',
    });
    expect((await admin.fetch(body.signature.path)).status).toBe(200);
    const { id } = await admin(api.submitAccident, { body });
    await admin(api.getReportPdf, { params: { id } });
    expect(readdirSync(disk.folder, { recursive: true })).toEqual(before);
    disk.remount('rw');
    await uploadPhoto(admin);
  } finally {
    await server.end('SIGKILL');
    disk.unmount();
  }
});

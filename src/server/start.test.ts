import { openSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { api } from '#shared/api.ts';
import { parseConfig } from './config.ts';
import { assertSqliteVersion, getSqlitePath } from './db/connect.ts';
import { assertNotNetworkDisk } from './files/data-folder.ts';
import { newReport, photo, uploadPhoto } from './testing/factories.ts';
import { createTestFolder } from './testing/folder.ts';
import { runProgram, type ServerProcess, startProcess } from './testing/process.ts';
import { engines, password, signInAt } from './testing/server.ts';
import { mountSmallDisk } from './testing/small-disk.ts';
import { createStorage } from './testing/storage.ts';

let folder: string;
const started: ServerProcess[] = [];

beforeEach(() => {
  folder = createTestFolder(onTestFinished);
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.end('SIGKILL')));
});

async function start(settings: Record<string, string> = {}) {
  const server = await startProcess({ DATA_DIR: folder, ADMIN_PASSWORD: password, ...settings });
  started.push(server);
  return server;
}

describe('checks before a server starts', () => {
  test('a second server on the same data folder exits, and starts after the first has crashed', async () => {
    const first = await start();
    await expect(start()).rejects.toThrow(/Another server or command is using the data folder/);
    expect((await fetch(`${first.url}/healthz`)).status).toBe(200);
    expect(await first.end('SIGKILL')).toBe('SIGKILL');
    await start();
  });

  test('a server does not start with a database of a newer version, and leaves it unchanged', async () => {
    await (await start()).end();
    const db = new Sqlite(getSqlitePath(folder));
    db.prepare("insert into kysely_migration (name, timestamp) values ('999-later', '2030-01-01')").run();
    db.close();
    const bytes = () => readFileSync(getSqlitePath(folder));
    const [before, there] = [bytes(), readdirSync(folder)];
    await expect(start()).rejects.toThrow(/newer version of the program/);
    expect(readdirSync(folder)).toEqual(there);
    expect(bytes().equals(before)).toBe(true);
  });

  test('a server does not start with a damaged database, and advises restoring a backup', async () => {
    await (await start()).end();
    const file = openSync(getSqlitePath(folder), 'r+');
    for (let page = 3; page < 40; page++) writeSync(file, Buffer.alloc(2000, 0x5a), 0, 2000, page * 4096);
    await expect(start()).rejects.toThrow(/The database is damaged \(.*\)\. Restore the last backup/);
    writeFileSync(getSqlitePath(folder), Buffer.alloc(8192, 0x5a));
    await expect(start()).rejects.toThrow(/The database is damaged \(.*\)\. Restore the last backup/);
  });

  test('a server does not start with a read-only data folder', async ({ skip }) => {
    const disk = mountSmallDisk(join(folder, 'disk'), '8m');
    if (!disk) return skip('a disk of its own needs root');
    try {
      disk.remount('ro');
      await expect(start({ DATA_DIR: disk.folder })).rejects.toThrow(/cannot be written to \(EROFS\)/);
    } finally {
      disk.unmount();
    }
  });

  test('a server does not start with a data folder on a network disk or an old SQLite version', () => {
    for (const type of [0x6969, 0x517b, 0xff534d42, 0xfe534d42, -11317950])
      expect(() => assertNotNetworkDisk('/data', type)).toThrow(/network disk/);
    assertNotNetworkDisk('/data', 0xef53);
    for (const version of ['3.51.2', '3.50.9', '2.8.17']) expect(() => assertSqliteVersion(version)).toThrow(/too old/);
    for (const version of ['3.51.3', '3.52.0', '4.0.0']) assertSqliteVersion(version);
  });

  test('the error about invalid settings names each of them and the values that it accepts', async () => {
    const { code, output } = await runProgram([join(import.meta.dirname, 'main.ts')], {
      PORT: 'x',
      PRIVACY_NOTICE_URL: 'javascript:alert(1)',
      LOG_LEVEL: 'loud',
      S3_SECONDS: '0',
      UPLOAD_FREE_MB: '1.5',
      PUBLIC_URL: 'reports.example.com',
      TRUST_PROXY: '10.0.0.4, proxy.example.com',
    });
    expect(code).toBe(1);
    for (const message of [
      'PORT must be a number',
      'PRIVACY_NOTICE_URL must be an address that begins with https:// or http://',
      'LOG_LEVEL must be "fatal" or "error" or',
      'S3_SECONDS must be at least 1',
      'UPLOAD_FREE_MB must be a whole number',
      'PUBLIC_URL must be an address that begins with https:// or http://',
      'TRUST_PROXY must be IP addresses or networks such as 10.0.0.4, 192.168.0.0/16',
    ])
      expect(output).toContain(`\n  ${message}`);
  });

  test('TRUST_PROXY accepts every form of IP addresses and networks, and nothing else', () => {
    const validValues = ['10.0.0.4', '10.0.0.0/8', '10.0.0.0/255.0.0.0', '::1', 'fd00::/8', 'loopback'];
    expect(parseConfig({ TRUST_PROXY: validValues.join(', ') }).trustProxy).toEqual(validValues);
    for (const wrong of ['10.0.0.0/33', '10.0.0.0/0', 'fd00::/129', '10.0.0.4,', '10.0.0'])
      expect(() => parseConfig({ TRUST_PROXY: wrong })).toThrow('TRUST_PROXY must be IP addresses or networks');
  });

  test('the error about an unreadable logo names its setting', async () => {
    const OPERATOR_LOGO = join(folder, 'none.png');
    await expect(start({ OPERATOR_LOGO })).rejects.toThrow(`OPERATOR_LOGO cannot be read (ENOENT): ${OPERATOR_LOGO}`);
  });
});

describe.each(engines)('a shutdown on %s', (engine) => {
  test('a shutdown finishes in-flight requests, rejects new ones and accepts repeated signals', async () => {
    const { databaseUrl } = await createStorage(engine);
    const server = await start({ DATABASE_URL: databaseUrl });
    const admin = await signInAt(server.url, 'admin');
    const bytes = await photo();
    const upload = beginUpload(server.url, admin.cookie, bytes);
    await upload.begun;
    server.child.kill('SIGINT');
    await expect.poll(() => fetch(`${server.url}/healthz`).then(({ status }) => status)).toBe(503);
    await expect(admin(api.getSession)).rejects.toMatchObject({ status: 503, retryAfter: 5 });
    server.child.kill('SIGINT');
    server.child.kill('SIGTERM');
    upload.finish();
    expect(await upload.status).toBe(200);
    expect(await server.end('SIGTERM')).toBe(0);
    if (engine === 'sqlite') expect(readdirSync(folder)).not.toContain('park-reports.sqlite-wal');
  });
});

test('a shutdown waits ten seconds for a request that never ends', async () => {
  const server = await start();
  const upload = beginUpload(server.url, (await signInAt(server.url, 'admin')).cookie, await photo());
  await upload.begun;
  const from = performance.now();
  expect(await server.end()).toBe(0);
  expect(performance.now() - from).toBeGreaterThan(8000);
  // The connection was closed (0), or the upload rejected as too slow (408), both after ten
  // seconds.
  expect([0, 408]).toContain(await upload.status);
}, 60_000);

test('/healthz needs no session, and shows details to this machine only', async () => {
  const { url } = await start();
  const local = await (await fetch(`${url}/healthz`)).json();
  expect(local).toMatchObject({ status: 'ok', engine: 'sqlite', files: 'folder', requests_under_way: 1 });
  const forwardedResponse = await fetch(`${url}/healthz`, { headers: { 'x-forwarded-for': '203.0.113.9' } });
  expect(await forwardedResponse.json()).toEqual({ status: 'ok' });
  rmSync(join(folder, 'uploads'), { recursive: true });
  const health = await fetch(`${url}/healthz`);
  expect([health.status, await health.json()]).toMatchObject([200, { files: 'folder', files_answering: false }]);
});

test('users can sign in, read and delete on a full disk, but submit reports only when it has space again', async ({
  skip,
}) => {
  const disk = mountSmallDisk(join(folder, 'disk'), '48m');
  if (!disk) return skip('a disk of its own needs root');
  try {
    const settings = {
      DATA_DIR: disk.folder,
      BALLAST_MB: '8',
      BALLAST_ROOM_MB: '12',
      UPLOAD_FREE_MB: '12',
      WRITE_FREE_MB: '10',
    };
    let server = await start(settings);
    expect(readdirSync(disk.folder)).toContain('ballast');
    const admin = await signInAt(server.url, 'admin');
    const body = await newReport(admin);
    const { id } = await admin(api.submitAccident, { body });
    const next = await newReport(admin);

    disk.fill();
    // 507 from the disk itself, or 503 from the disk space guard, whichever detects it first.
    await expect(admin(api.submitIncident, { body: next })).rejects.toThrow('The server has run out of space');
    await expect(uploadPhoto(admin)).rejects.toThrow('The server has run out of space');
    expect(readdirSync(disk.folder)).not.toContain('ballast');
    const sessionAfterRestart = await signInAt(server.url, 'admin');
    expect((await sessionAfterRestart(api.listReports)).map((report) => report.id)).toEqual([id]);
    await sessionAfterRestart(api.deleteReport, { params: { id } });
    expect(await sessionAfterRestart(api.listReports)).toEqual([]);

    // After a kill, SQLite needs space for its shared memory file. On a full disk only releasing
    // the ballast file provides it.
    await server.end('SIGKILL');
    disk.free();
    server = await start(settings);
    await server.end('SIGKILL');
    disk.fill();
    server = await start(settings);
    const laterSession = await signInAt(server.url, 'admin');
    await expect(laterSession(api.submitIncident, { body: next })).rejects.toThrow('The server has run out of space');

    disk.free();
    await expect
      .poll(() => laterSession(api.submitIncident, { body: next }).then(({ number }) => number), { timeout: 5000 })
      .toMatch(/^INC-/);
    await uploadPhoto(laterSession);
    expect(await server.end()).toBe(0);
    expect(statSync(getSqlitePath(disk.folder)).size).toBeGreaterThan(0);
  } finally {
    await Promise.all(started.splice(0).map((server) => server.end('SIGKILL')));
    disk.unmount();
  }
});

/** Starts an upload that sends its last bytes when `finish` is called. */
function beginUpload(url: string, cookie: string, bytes: Buffer) {
  const boundary = 'xxxxxxxx';
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="image"; filename="a.jpg"\r\ncontent-type: image/jpeg\r\n\r\n`;
  const call = request(`${url}${api.uploadImage.path}`, {
    method: 'POST',
    headers: { cookie, 'content-type': `multipart/form-data; boundary=${boundary}`, 'transfer-encoding': 'chunked' },
  });
  const status = new Promise<number>((resolve) => {
    call.on('response', (response) => resolve(response.resume().statusCode ?? 0));
    call.on('error', () => resolve(0));
  });
  call.write(head);
  call.write(bytes.subarray(0, 100));
  // The health report counts the upload and this request, so the server has received the upload.
  const requestCounted = expect
    .poll(() => fetch(`${url}/healthz`).then(async (answer) => (await answer.json()).requests_under_way))
    .toBe(2);
  return {
    begun: requestCounted,
    status,
    finish() {
      call.write(bytes.subarray(100));
      call.end(`\r\n--${boundary}--\r\n`);
    },
  };
}

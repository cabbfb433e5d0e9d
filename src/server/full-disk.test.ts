// A disk without a single free byte, even after the ballast file was deleted.
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { getSqlitePath } from './db/connect.ts';
import { newReport } from './testing/factories.ts';
import { createTestFolder } from './testing/folder.ts';
import { startProcess } from './testing/process.ts';
import { password, signInAt } from './testing/server.ts';
import { mountSmallDisk } from './testing/small-disk.ts';

const noSpace = { status: 507, message: expect.stringContaining('The server has run out of space') };

test('on a disk without a free byte users can read, writes work or are rejected, and the server restarts', async ({
  skip,
}) => {
  const folder = createTestFolder();
  const disk = mountSmallDisk(join(folder, 'disk'), '48m');
  if (!disk) return skip('a disk of its own needs root');
  const settings = {
    DATA_DIR: disk.folder,
    ADMIN_PASSWORD: password,
    BALLAST_MB: '8',
    BALLAST_ROOM_MB: '12',
    UPLOAD_FREE_MB: '12',
    WRITE_FREE_MB: '10',
  };
  let server = await startProcess(settings);
  try {
    const admin = await signInAt(server.url, 'admin');
    const { id } = await admin(api.submitAccident, { body: await newReport(admin) });
    await admin(api.createUser, { body: { username: 'reader', password, role: 'Admin', park: '' } });
    const reader = await signInAt(server.url, 'reader');
    const read = async () => {
      expect((await reader(api.listReports)).map((report) => report.id)).toEqual([id]);
      await reader(api.getReport, { params: { id } });
      const health = await fetch(`${server.url}/healthz`);
      expect([health.status, await health.json()]).toMatchObject([200, { status: 'disk full' }]);
    };
    const fill = async () => {
      disk.fill();
      await admin(api.listReports); // releases the ballast
      disk.fill();
    };

    await fill();
    for (let round = 0; round < 10; round++) await read();
    await signInAt(server.url, 'admin').catch(({ message }) => expect(message).toMatch(/507.*has run out of space/));
    const submitted = admin(api.createFolder, { body: { name: 'Fire', description: 'x', park: 'Mounds' } });
    await expect(submitted).rejects.toMatchObject({ status: expect.toBeOneOf([503, 507]), message: noSpace.message });
    // Entries that wait are written when the server stops, if there is space by then.
    disk.free();
    expect(await server.end()).toBe(0);
    const db = new Sqlite(getSqlitePath(disk.folder), { readonly: true });
    const count = db.prepare("select count(*) from activity where action in ('listed', 'opened')").pluck();
    expect(count.get()).toBe(1 + 20);
    db.close();

    server = await startProcess(settings);
    for (const client of [admin, reader]) client.moveTo(server.url);
    await fill();
    await read();
    await server.end('SIGKILL');
    disk.fill();
    server = await startProcess(settings);
    for (const client of [admin, reader]) client.moveTo(server.url);
    disk.fill();
    await read();
    await admin(api.deleteReport, { params: { id } }).catch((error) => expect(error).toMatchObject(noSpace));
  } finally {
    await server.end('SIGKILL');
    disk.unmount();
  }
}, 60_000);

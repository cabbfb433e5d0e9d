// Devices that the staff of a park share, and what they send for their users.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { api, contract } from '#shared/api.ts';
import type { ApiError } from '#shared/client.ts';
import type { Endpoint } from '#shared/contract.ts';
import { answers, newChecklist } from '../../testing/checklists.ts';
import { newAudit, newFolder, newReport, photo, uploadPhoto } from '../../testing/factories.ts';
import { runMaintenance } from '../../testing/maintenance.ts';
import { engines, type TestClient } from '../../testing/server.ts';
import { makePinUser, shareDevice, signInWithPin } from '../../testing/shared-devices.ts';
import { createTestServer } from '../../testing/test-server.ts';
import { insertLink, updateLink } from '../session/identity-links.ts';

const hour = 60 * 60_000;
const day = 24 * hour;

describe.each(engines)('shared devices on %s', (engine) => {
  let now = Date.parse('2026-03-10T09:00:00Z');
  const { server, admin } = createTestServer(engine, {}, () => now);

  const set = (id: string, change: { parks: string } | { role: string }) =>
    server.db.updateTable('users').set(change).where('id', '=', id).execute();
  const asNobody = (device: string) => server.withCookie(device, '', '');
  const at = (ms: number) => new Date(ms).toISOString();
  const findId = async (name: string) =>
    (await admin(api.listSharedDevices)).find((one) => one.name === name)?.id ?? '';

  test('sharing a device signs its reviewer out, and the log names both', async () => {
    const manager = await server.as('Health & Safety Manager', 'Lido Beach');
    await shareDevice(manager, 'Lido Beach', 'Pool desk');
    await expect(manager(api.getSession)).rejects.toMatchObject({ status: 401 });
    const log = await admin(api.listActivity, { query: { q: 'Pool desk' } });
    expect(log).toMatchObject([{ actor: manager.username, action: 'set up', thing: 'device' }]);
  });

  test('a device keeps its cookie for 400 days after each use', async () => {
    const cookie = await shareDevice(await server.as('Admin'), 'Lido Beach', 'Boathouse');
    const response = await fetch(`${server.url}${api.getOwnSharedDevice.path}`, { headers: { cookie } });
    expect(response.headers.getSetCookie()).toEqual([`${cookie}; Path=/; HttpOnly; SameSite=Strict; Max-Age=34560000`]);
  });

  test('a manager shares devices at parks of their own only', async () => {
    const manager = await server.as('Health & Safety Manager', 'Lido Beach');
    const body = { park: 'Mounds' as const, name: 'Bar' };
    await expect(manager(api.createSharedDevice, { body })).rejects.toMatchObject({ status: 403 });
  });

  test('a removed device is rejected at once, with the session on it, and others are not', async () => {
    const device = await shareDevice(await server.as('Admin'), 'Lido Beach', 'Slide');
    const other = await shareDevice(await server.as('Admin'), 'Lido Beach', 'Lagoon');
    const staff = await makePinUser(server);
    const { client } = await signInWithPin(server, device, staff);
    const { client: clientOfOther } = await signInWithPin(server, other, staff);
    await admin(api.removeSharedDevice, { params: { id: await findId('Slide') } });
    await expect(client(api.getSession)).rejects.toMatchObject({ status: 401 });
    await expect(asNobody(device)(api.getOwnSharedDevice)).rejects.toMatchObject({ code: 'NOT_SHARED' });
    expect(await signInWithPin(server, device, staff)).toMatchObject({ status: 403, code: 'NOT_SHARED' });
    const fromDevice = { userId: staff.id, madeAt: at(now) };
    await expect(
      asNobody(device)(api.submitAccident, { body: await newReport(staff), fromDevice }),
    ).rejects.toMatchObject({ status: 401, code: 'NOT_SHARED' });
    expect((await clientOfOther(api.getSession)).user.id).toBe(staff.id);
    await asNobody(other)(api.submitAccident, { body: await newReport(staff), fromDevice });
  });

  test('a device sends each submission once for the user who had signed in on it, no matter who is signed in now', async () => {
    const device = await shareDevice(await server.as('Admin'), 'Lido Beach', 'Sauna');
    const [gwen, huw] = [await makePinUser(server), await makePinUser(server)];
    await signInWithPin(server, device, gwen);
    now += 60_000;
    const madeAt = at(now);
    now += 60_000;
    const { client } = await signInWithPin(server, device, huw);
    const fromDevice = { userId: gwen.id, madeAt };
    const body = await newReport(gwen);
    const key = randomUUID();
    const { id } = await client(api.submitAccident, { body, key, fromDevice });
    expect(await admin(api.getReport, { params: { id } })).toMatchObject({
      created_by: `${gwen.username} on Sauna`,
    });
    expect(await asNobody(device)(api.submitAccident, { body, key, fromDevice })).toMatchObject({ id });
    // The report is also listed for her on her own phone.
    expect(await gwen(api.listMyReports)).toHaveLength(1);
    expect(await huw(api.listMyReports)).toHaveLength(0);
  });

  test('a device sends nothing for users who had not signed in on it by then, or who were deleted', async () => {
    const device = await shareDevice(await server.as('Admin'), 'Lido Beach', 'Gym');
    const [gwen, huw] = [await makePinUser(server), await makePinUser(server)];
    const send = async (userId: string, madeAt: string) =>
      asNobody(device)(api.uploadImage, {
        query: { use: 'photo' },
        body: {},
        file: new Blob([new Uint8Array(await photo())]),
        fromDevice: { userId, madeAt },
      });
    await signInWithPin(server, device, gwen);
    await expect(send(huw.id, at(now))).rejects.toMatchObject({ status: 401, code: 'NOT_SEEN_HERE' });
    await expect(send(gwen.id, at(now - 1))).rejects.toMatchObject({ code: 'NOT_SEEN_HERE' });
    await expect(send(gwen.id, 'yesterday')).rejects.toMatchObject({ code: 'NOT_SEEN_HERE' });
    await expect(send(gwen.id, at(now))).resolves.toMatchObject({ success: true });
    await admin(api.deleteUser, { params: { id: gwen.id } });
    await expect(send(gwen.id, at(now))).rejects.toMatchObject({ code: 'NOT_SEEN_HERE' });
  });

  test.each<[string, (id: string) => Promise<unknown>]>([
    ['who now work at another park', (id) => set(id, { parks: JSON.stringify(['Winkups']) })],
    ['who are reviewers now', (id) => set(id, { role: 'Health & Safety Manager' })],
    [
      'whom the provider refuses',
      (id) =>
        insertLink(server.db, { identityHash: id, userId: id, by: '', lastSignInAt: null }, new Date(now)).then(() =>
          updateLink(server.db, id, { access: 'refused' }),
        ),
    ],
  ])('a device sends nothing for users %s', async (_, change) => {
    const device = await shareDevice(await server.as('Admin'), 'Lido Beach', 'Kiosk');
    const staff = await makePinUser(server);
    await signInWithPin(server, device, staff);
    // The clock of the device is ahead.
    const fromDevice = { userId: staff.id, madeAt: '2099-01-01T00:00:00.000Z' };
    const send = async () =>
      asNobody(device)(api.submitAccident, { body: await newReport(staff), key: randomUUID(), fromDevice });
    await send();
    await change(staff.id);
    await expect(send()).rejects.toMatchObject({ status: 401, code: 'NOT_SEEN_HERE' });
  });

  test('a device sends at its own park only, also for users of several', async () => {
    const device = await shareDevice(await server.as('Admin'), 'Lido Beach', 'Office');
    const staff = await makePinUser(server);
    await signInWithPin(server, device, staff);
    await set(staff.id, { parks: JSON.stringify(['Lido Beach', 'Winkups']) });
    const send = async (park: string) =>
      asNobody(device)(api.createAudit, {
        body: newAudit(await newFolder(admin, { name: `Of ${park}`, park })),
        ...{ key: randomUUID(), fromDevice: { userId: staff.id, madeAt: at(now) } },
      });
    await send('Lido Beach');
    await expect(send('Winkups')).rejects.toMatchObject({ status: 404 });
  });

  test('a PIN opens only the park of the device, and nothing once its user has lost that park', async () => {
    const device = await shareDevice(await server.as('Admin'), 'Lido Beach', 'Kiosk');
    const staff = await makePinUser(server);
    await set(staff.id, { parks: JSON.stringify(['Lido Beach', 'Mounds']) });
    const folder = await newFolder(admin, { park: 'Mounds' });
    const { client } = await signInWithPin(server, device, staff);
    expect((await client(api.getSession)).user.parks).toEqual(['Lido Beach']);
    expect((await staff(api.listFolders)).map(({ id }) => id)).toContain(folder);
    expect((await client(api.listFolders)).map(({ id }) => id)).not.toContain(folder);
    await set(staff.id, { parks: JSON.stringify(['Mounds']) });
    await expect(client(api.getSession)).rejects.toMatchObject({ status: 401 });
    expect((await staff(api.getSession)).user.parks).toEqual(['Mounds']);
  });

  test('a device sends submissions only', async () => {
    const device = await shareDevice(await server.as('Admin'), 'Lido Beach', 'Arcade');
    const staff = await makePinUser(server);
    await signInWithPin(server, device, staff);
    const headers = { 'x-device-user': staff.id, 'x-made-at': at(now), 'content-type': 'application/json' };
    for (const { method, path, forAnotherUser } of Object.values<Endpoint>(contract)) {
      if (forAnotherUser) continue;
      const body = method === 'POST' || method === 'PUT' ? { body: '{}' } : {};
      const { status } = await asNobody(device).fetch(path.replaceAll(/\{\w+\}/g, staff.id), {
        method,
        headers,
        ...body,
      });
      expect([400, 403], `${method} ${path}`).toContain(status);
    }
    // Of audits, it may send completions, but no other changes.
    const change = { method: 'PUT', headers, body: JSON.stringify({ title: 'Renamed' }) };
    const response = await asNobody(device).fetch(`/api/audits/${staff.id}`, change);
    expect(await response.json()).toMatchObject({ code: 'NOT_A_SUBMISSION' });
  });

  test('replies to what a shared device sends have no content of records, also when it is repeated or rejected', async () => {
    const device = await shareDevice(await server.as('Admin'), 'Lido Beach', 'Crazy golf');
    const staff = await makePinUser(server);
    await signInWithPin(server, device, staff);
    const fromDevice = { userId: staff.id, madeAt: at(now) };
    const send = asNobody(device);
    const folder = await newFolder(admin, { name: 'Golf' });
    const { id: checklistId } = await admin(api.createChecklist, { body: newChecklist });
    const create = (title: string) => admin(api.createAudit, { body: newAudit(folder, { title }) });
    const [own, other, changed] = [await create('Own'), await create('Other'), await create('Changed')];
    const media_files = [{ path: await uploadPhoto(staff), name: 'hole.jpg' }];
    const complete = (id: string, data: object = {}, key?: string) => {
      const body = { version: 1, data: { completed: true, ...data } };
      return send(api.updateAudit, { params: { id }, body, fromDevice, ...(key && { key }) });
    };
    const key = randomUUID();
    const report = async (endpoint: typeof api.submitAccident | typeof api.submitIncident) =>
      send(endpoint as typeof api.submitAccident, { body: await newReport(staff), key: randomUUID(), fromDevice });
    const calls: Partial<Record<keyof typeof contract, () => Promise<object>>> = {
      uploadImage: async () =>
        send(api.uploadImage, { query: {}, body: {}, file: new Blob([new Uint8Array(await photo())]), fromDevice }),
      submitAccident: () => report(api.submitAccident),
      submitIncident: () => report(api.submitIncident),
      submitChecklist: () =>
        send(api.submitChecklist, { body: { checklistId, data: answers }, key: randomUUID(), fromDevice }),
      createAudit: () => send(api.createAudit, { body: newAudit(folder), key: randomUUID(), fromDevice }),
      updateAudit: () => complete(own.id, { description: 'In order', media_files }, key),
    };
    const forDevices = Object.entries<Endpoint>(contract).filter(([, { forAnotherUser }]) => forAnotherUser);
    expect(Object.keys(calls).toSorted()).toEqual(forDevices.map(([name]) => name).toSorted());
    const counts = ['photos', 'signatures'];
    const ofUpload = ['filePath', 'fileName', 'fileSize', 'fileType'];
    for (const [name, call] of Object.entries(calls)) {
      const allowed = ['success', 'id', 'number', 'version', ...counts, ...(name === 'uploadImage' ? ofUpload : [])];
      expect(allowed, name).toEqual(expect.arrayContaining(Object.keys(await call())));
    }
    // The reply was lost: it is sent again, by an earlier version without the key.
    for (const sentKey of [key, undefined])
      expect(await complete(own.id, { description: 'In order', media_files }, sentKey)).toEqual({
        ...{ success: true, id: own.id, version: 2 },
      });
    await expect(complete(own.id, { description: 'Something else' })).rejects.toMatchObject({ code: 'COMPLETED' });
    await admin(api.updateAudit, { params: { id: other.id }, body: { data: { completed: true } } });
    await admin(api.updateAudit, { params: { id: changed.id }, body: { title: 'Renamed' } });
    for (const [{ id }, code] of [
      [other, 'COMPLETED'],
      [changed, 'STALE'],
    ] as const) {
      const { body } = await complete(id).then(
        () => ({ body: {} }),
        (error: ApiError) => error,
      );
      expect({ ...body, requestId: '' }).toEqual({ success: false, code, message: expect.any(String), requestId: '' });
    }
  });

  test('no one who was signed in on the device in the 24 hours before verifies what it sends, or its session sends, as completed', async () => {
    const device = await shareDevice(await server.as('Admin'), 'Lido Beach', 'Plant room');
    const [gwen, huw, ivor] = [await makePinUser(server), await makePinUser(server), await makePinUser(server)];
    const folder = await newFolder(admin, { name: 'Plant' });
    const verification = { verifier: huw.username };
    const create = async () => (await admin(api.createAudit, { body: newAudit(folder, { verification }) })).id;
    const ids = [await create(), await create(), await create()];
    await signInWithPin(server, device, ivor);
    now += 2 * hour;
    await signInWithPin(server, device, huw);
    now += 23 * hour;
    const { client } = await signInWithPin(server, device, gwen);
    const completed = { body: { data: { completed: true } } };
    await client(api.updateAudit, { params: { id: ids[2] ?? '' }, ...completed });
    const fromDevice = { userId: gwen.id, madeAt: at(now) };
    now += 2 * hour;
    for (const id of ids.slice(0, 2))
      await asNobody(device)(api.updateAudit, { params: { id }, ...completed, fromDevice });
    // What they knew of the device is deleted first.
    now += 31 * day;
    await runMaintenance(server, () => new Date(now));
    const verify = async (id: string, { id: userId, username }: TestClient) =>
      (await server.createSession(userId, username))(api.verifyAudit, {
        ...{ params: { id }, body: { outcome: 'works' as const, text: 'It holds', media_files: [] } },
      });
    for (const [id = '', client] of [
      [ids[0], gwen],
      [ids[0], huw],
      [ids[2], huw],
    ] as const)
      await expect(verify(id, client)).rejects.toMatchObject({ status: 403, message: /^Someone else must verify/ });
    await expect(verify(ids[0] ?? '', huw)).rejects.toThrow(/in the 24 hours before$/);
    for (const id of [ids[0], ids[2]]) await verify(id ?? '', ivor);
    const session = await server.createSession(admin.id, admin.username);
    const { data } = await session(api.getAudit, { params: { id: ids[1] ?? '' } });
    expect(data.verification?.verifier).toBe('');
  });

  test('who signed in on the device before those 24 hours and signed out within them does not verify either', async () => {
    const device = await shareDevice(await server.as('Admin'), 'Lido Beach', 'Boiler house');
    const [huw, gwen, manager] = [await makePinUser(server), await makePinUser(server), await server.as('Admin')];
    const folder = await newFolder(manager, { name: 'Boilers' });
    const body = newAudit(folder, { verification: { verifier: huw.username } });
    const { id } = await manager(api.createAudit, { body });
    const evening = await signInWithPin(server, device, huw);
    for (let quarters = 0; quarters < 6; quarters += 1) {
      now += hour / 4;
      await evening.client(api.getSession);
    }
    await evening.client(api.logout);
    now += 23 * hour;
    const { client } = await signInWithPin(server, device, gwen);
    await client(api.updateAudit, { params: { id }, body: { data: { completed: true } } });
    const verify = (await server.createSession(huw.id, huw.username))(api.verifyAudit, {
      ...{ params: { id }, body: { outcome: 'works' as const, text: 'It holds', media_files: [] } },
    });
    await expect(verify).rejects.toMatchObject({ status: 403, message: /^Someone else must verify/ });
  });

  test('the record of sign-ins on a shared device is deleted after 30 days', async () => {
    const device = await shareDevice(await server.as('Admin'), 'Lido Beach', 'Shop');
    const staff = await makePinUser(server);
    await signInWithPin(server, device, staff);
    now += 31 * day;
    await runMaintenance(server, () => new Date(now));
    const count = await server.db.selectFrom('device_sign_ins').selectAll().execute();
    expect(count).toEqual([]);
  });
});

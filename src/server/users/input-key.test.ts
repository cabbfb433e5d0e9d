import { expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { makePinUser, shareDevice, signInWithPin } from '../testing/shared-devices.ts';
import { createTestServer } from '../testing/test-server.ts';

const { server } = createTestServer('sqlite');

test('every session of a user gets the same key of 32 bytes, and no other user gets it', async () => {
  const [sian, huw] = [await server.as('None'), await server.as('Admin')];
  const { key } = await sian(api.getInputKey);
  expect(Buffer.from(key, 'base64')).toHaveLength(32);
  expect(await (await server.createSession(sian.id, sian.username))(api.getInputKey)).toEqual({ key });
  expect((await huw(api.getInputKey)).key).not.toBe(key);
});

test('no session on a shared device gets a key', async () => {
  const device = await shareDevice(await server.as('Admin'));
  const staff = await makePinUser(server);
  const { client } = await signInWithPin(server, device, staff);
  await expect(client(api.getInputKey)).rejects.toMatchObject({ status: 403 });
  const withPassword = await server.createSession(staff.id, staff.username);
  const onDevice = server.withCookie(`${device}; ${withPassword.cookie}`, staff.id, staff.username);
  await expect(onDevice(api.getInputKey)).rejects.toMatchObject({ status: 403 });
});

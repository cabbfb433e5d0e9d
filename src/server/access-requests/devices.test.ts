// Places and shared devices that are named after a person.
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { engines } from '../testing/server.ts';
import { shareDevice } from '../testing/shared-devices.ts';
import { createTestServer } from '../testing/test-server.ts';

describe.each(engines)('names of devices and places on %s', (engine) => {
  const { server } = createTestServer(engine);

  test('are found by an access request, and say how they get another name', async () => {
    const name = 'Heledd Cadwaladr';
    const admin = await server.as('Admin');
    await shareDevice(await server.as('Admin'), 'Mounds', `Tablet of ${name}`);
    await admin(api.addPlaces, { body: { park: 'Mounds', names: [`Chalet of ${name}`] } });
    const body = { name, spellings: [], receivedOn: '2026-01-31' };
    const params = { id: (await admin(api.createAccessRequest, { body })).id };
    const { hits } = await admin(api.getAccessRequest, { params });
    const own = hits.filter(({ thing }) => thing === 'device' || thing === 'place');
    expect(own.map(({ label }) => label).sort()).toEqual([`Chalet of ${name}, Mounds`, `Tablet of ${name}, Mounds`]);
    const choices = hits.map(({ id }) => ({ id, choice: 'send' as const }));
    await admin(api.saveAccessChoices, { params, body: { version: 1, choices } });
    expect((await admin.fetch(`/api/admin/access-requests/${params.id}/zip`)).status).toBe(200);
    const erasing = { ids: own.map(({ id }) => id), count: own.length, reason: 'asked' as const };
    const { skipped } = await admin(api.blankNames, { params, body: erasing });
    expect(skipped.map(({ reason }) => reason).sort()).toEqual([
      'A place is renamed under Places',
      'A shared device is removed under Shared Devices, and set up again with another name',
    ]);
  });
});

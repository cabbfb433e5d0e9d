// Labels of places: their codes, and the printed pages with the QR codes that guests scan.
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { labelTexts } from '#shared/places/guest-texts.ts';
import { labelSizes } from '#shared/places/places.ts';
import { parseConfig } from '../config.ts';
import { findPlaceOfLabel } from '../guests/places.ts';
import { readPdfText } from '../testing/documents.ts';
import { readCodes, stdioWithoutWarnings } from '../testing/read-labels.ts';
import { engines, startTestServer, type TestClient } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

const park = 'Kingsley';
const guestUrl = 'https://safe.example';
const code = /^[0-9A-HJKMNP-TV-Z]{10}$/;
const readText = (pdf: Uint8Array) => readPdfText(pdf).replace(/\s+/g, ' ');

describe.each(engines)('labels on %s', (engine) => {
  const { server, admin } = createTestServer(engine, { GUEST_REPORTS: '1', GUEST_URL: `${guestUrl}/` });

  const listPlaces = async () => (await admin(api.listPlaces)).filter((place) => place.park === park);
  const change = (client: TestClient, id: string, isOn: boolean) =>
    client(api.changeLabel, { params: { id }, body: { isOn } });

  test('labels are added to all places in use of a park, replaced and switched off, and each change is logged', async () => {
    const manager = await server.as('Health & Safety Manager', park);
    const names = ['Plot 1', 'Plot 2', 'Old plot'];
    await manager(api.addPlaces, { body: { park, names } });
    const old = (await listPlaces()).find(({ name }) => name === 'Old plot');
    await manager(api.updatePlace, { params: { id: old?.id ?? '' }, body: { isRetired: true } });
    expect(await manager(api.addLabels, { body: { park } })).toEqual({ success: true, added: 2 });
    expect(await manager(api.addLabels, { body: { park } })).toEqual({ success: true, added: 0 });
    const [one, two] = (await listPlaces()).filter(({ label }) => label);
    expect([one?.label, two?.label]).toEqual([expect.stringMatching(code), expect.stringMatching(code)]);
    await change(manager, one?.id ?? '', true);
    await change(manager, two?.id ?? '', false);
    const after = await listPlaces();
    expect(after.find(({ id }) => id === one?.id)?.label).toMatch(code);
    expect(after.some(({ label }) => label === one?.label)).toBe(false);
    expect(after.find(({ id }) => id === two?.id)).not.toHaveProperty('label');
    const actions = (await manager(api.listActivity, { query: { thing: 'place' } })).map(({ action }) => action);
    expect(actions.slice(0, 4)).toEqual(['switched off the label of', 'labelled', 'labelled', 'labelled']);
    const stranger = await server.as('Health & Safety Manager', 'Mounds');
    await expect(change(stranger, one?.id ?? '', true)).rejects.toMatchObject({ status: 404 });
    await expect(stranger(api.addLabels, { body: { park } })).rejects.toMatchObject({ status: 403 });
    await expect(stranger(api.getLabels, { query: { park, size: '2' } })).rejects.toMatchObject({ status: 403 });
  });

  test('printed labels have a QR code that leads to their address, which they show in letters, in English and Welsh', async () => {
    await admin(api.addPlaces, {
      body: { park, names: Array.from({ length: 24 }, (_, index) => `Pitch ${index + 1}`) },
    });
    await admin(api.addLabels, { body: { park } });
    const labels = (await listPlaces()).flatMap(({ label, isRetired }) => (label && !isRetired ? label : []));
    expect(labels.length).toBeGreaterThan(24);
    for (const size of labelSizes) {
      const pdf = await admin(api.getLabels, { query: { park, size } });
      const pages = Math.ceil(labels.length / Number(size));
      const info = execFileSync('pdfinfo', ['-'], { input: pdf, encoding: 'utf8', stdio: stdioWithoutWarnings });
      expect(info).toMatch(new RegExp(`Pages: +${pages}\\n`));
      expect(info).toContain('A4');
      expect(await readCodes(pdf, size)).toEqual(
        labels.slice(0, Number(size)).map((label) => `${guestUrl}/h/${label}`),
      );
      const text = readText(pdf);
      for (const part of [...Object.values(labelTexts.question), ...Object.values(labelTexts.emergency)])
        expect(text).toContain(part);
      for (const part of ['Pitch 24', park, `safe.example/h/ ${labels[0]}`]) expect(text).toContain(part);
    }
    const [place] = (await listPlaces()).filter(({ label }) => label);
    const query = { park, size: '2', place: place?.id ?? '' } as const;
    const single = await admin(api.getLabels, { query });
    expect(await readCodes(single, '2')).toEqual([`${guestUrl}/h/${place?.label}`]);
  });

  test('the label of a joined place leads to the other, until that one gets a new label or none', async () => {
    await admin(api.addPlaces, { body: { park: 'Mounds', names: ['Slide', 'Play area'] } });
    const find = async (name: string) =>
      (await admin(api.listPlaces)).find((one) => one.park === 'Mounds' && one.name === name);
    for (const name of ['Slide', 'Play area']) await change(admin, (await find(name))?.id ?? '', true);
    const [slide, area] = [await find('Slide'), await find('Play area')];
    await admin(api.joinPlaces, { params: { id: slide?.id ?? '' }, body: { into: area?.id ?? '' } });
    const follow = async () => (await findPlaceOfLabel(server.db, slide?.label ?? ''))?.name;
    expect(await follow()).toBe('Play area');
    expect(await admin(api.getPlace, { params: { id: slide?.label ?? '' } })).toMatchObject({ name: 'Play area' });
    await change(admin, area?.id ?? '', false);
    expect(await follow()).toBeUndefined();
  });

  test('labels for staff lead to the page of each place in use, and say nothing to guests', async () => {
    await admin(api.addPlaces, { body: { park: 'Robin Hood', names: ['Pool', 'Old pool', 'Lake'] } });
    const listAll = async () => (await admin(api.listPlaces)).filter((one) => one.park === 'Robin Hood');
    const old = (await listAll()).find(({ name }) => name === 'Old pool');
    await admin(api.updatePlace, { params: { id: old?.id ?? '' }, body: { isRetired: true } });
    const addresses = (await listAll())
      .filter(({ isRetired }) => !isRetired)
      .map(({ id }) => `${new URL(server.url).origin}/places/${id}`);
    expect(addresses).toHaveLength(2);
    for (const size of labelSizes) {
      const pdf = await admin(api.getLabels, { query: { park: 'Robin Hood', size, for: 'staff' } });
      expect(await readCodes(pdf, size)).toEqual(addresses);
      const text = readText(pdf);
      for (const part of ['Staff: scan to check', 'Pool', 'Lake', 'Robin Hood']) expect(text).toContain(part);
      for (const part of [...Object.values(labelTexts.question), ...Object.values(labelTexts.emergency), 'Old pool'])
        expect(text).not.toContain(part);
    }
    const query = { park: 'Robin Hood', size: '8' } as const;
    const rejection = { status: 404, message: 'There is no label to print' };
    await expect(admin(api.getLabels, { query })).rejects.toMatchObject(rejection);
    const retired = { ...query, for: 'staff', place: old?.id ?? '' } as const;
    await expect(admin(api.getLabels, { query: retired })).rejects.toMatchObject(rejection);
    const stranger = await server.as('Health & Safety Manager', 'Mounds');
    await expect(stranger(api.getLabels, { query: { ...query, for: 'staff' } })).rejects.toMatchObject({ status: 403 });
  });

  test('without guest reports labels are for staff, none for guests can be made or printed, and the setting needs an address', async () => {
    const closed = await startTestServer(engine, { GUEST_REPORTS: '', PUBLIC_URL: 'https://reports.example' });
    const closedAdmin = await closed.as('Admin');
    await closedAdmin(api.addPlaces, { body: { park, names: ['Plot 1'] } });
    const [place] = await closedAdmin(api.listPlaces);
    const rejection = { status: 404, message: 'Places have no labels here' };
    await expect(change(closedAdmin, place?.id ?? '', true)).rejects.toMatchObject(rejection);
    await expect(closedAdmin(api.addLabels, { body: { park } })).rejects.toMatchObject(rejection);
    const query = { park, size: '8' } as const;
    await expect(closedAdmin(api.getLabels, { query: { ...query, for: 'guests' } })).rejects.toMatchObject(rejection);
    expect(await readCodes(await closedAdmin(api.getLabels, { query }), '8')).toEqual([
      `https://reports.example/places/${place?.id}`,
    ]);
    await closed.stop();
    expect(() => parseConfig({ GUEST_REPORTS: '1' })).toThrow('GUEST_URL must be set if GUEST_REPORTS is 1');
  });
});

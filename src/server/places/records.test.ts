// The records of a place: in the overview, in exports, once deleted and once purged.
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { getToday } from '#shared/dates.ts';
import { createLocationList } from '#shared/overview/lists.ts';
import { createClock } from '../clock.ts';
import { purgeDeleted } from '../deletions/soft-delete.ts';
import { openDiskStore } from '../files/store.ts';
import { createReportBody, newAudit, newFolder } from '../testing/factories.ts';
import { sendMessage } from '../testing/messages.ts';
import { newReportWithoutFiles } from '../testing/seed-reports.ts';
import { engines, type TestClient } from '../testing/server.ts';
import { longSessions } from '../testing/settings.ts';
import { createTestServer } from '../testing/test-server.ts';

const park = 'Lyndale';

describe.each(engines)('records of places on %s', (engine) => {
  let now = Date.now();
  const clock = createClock(() => now);
  const { server, admin } = createTestServer(engine, longSessions, clock);

  async function addPlace(name: string): Promise<string> {
    await admin(api.addPlaces, { body: { park, names: [name] } });
    return (await admin(api.listPlaces)).find((place) => place.name === name)?.id ?? '';
  }
  async function report(location: string, placeId?: string): Promise<string> {
    const body = await newReportWithoutFiles(server.db, admin.id, { selectedPlace: park, location, placeId });
    return (await admin(api.submitAccident, { body: body as never })).id;
  }
  const addHazard = async (location: string, placeId?: string) =>
    (await admin(api.createAudit, { body: { hazard: { park, kind: 'Fire' }, location, placeId } })).id;
  const readOverview = () => {
    const today = getToday(clock());
    const { date } = createReportBody('', '', '');
    return admin(api.getOverview, { query: { from: date < today ? date : today, to: today, park } });
  };

  test('the overview ranks places apart from typed locations, and hazards apart from reports', async () => {
    const [plot, pool] = [await addPlace('Plot 12'), await addPlace('Pool')];
    for (const [location, placeId] of [
      ['Plot 12', plot],
      ['The twelfth', plot],
      ['Pool', pool],
      ['Plot 12', undefined],
      ['PLOT 12', undefined],
      ['plot 12', undefined],
    ] as const)
      await report(location, placeId);
    const linked = await admin(api.listReports, { query: { location: 'The twelfth', limit: 1 } });
    await server.db
      .insertInto('place_links')
      .values({
        thing_id: linked[0]?.id ?? '',
        thing: 'report',
        place_id: plot,
        linked_by: '',
        linked_at: '',
        is_later: 1,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    for (const placeId of [pool, pool, undefined]) await addHazard('Pool', placeId);
    const { id } = await sendMessage(server, {}, { park });
    const source = { thing: 'message' as const, id };
    await admin(api.createAudit, { body: { title: 'Loose rung', location: 'Pool', placeId: pool, source } });
    const { locations, hazards } = await readOverview();
    expect(locations).toEqual([
      { name: expect.stringMatching(/plot 12/i), count: 3 },
      { name: 'Plot 12, Lyndale', count: 2, place: plot },
      { name: 'Pool, Lyndale', count: 1, place: pool },
    ]);
    expect(hazards).toEqual([
      { name: 'Pool, Lyndale', count: 3, place: pool },
      { name: 'Pool', count: 1 },
    ]);
    const days = { from: '2000-01-01', to: '2099-01-01' };
    for (const location of locations) {
      const { query } = createLocationList(location, { days, park, type: undefined, today: '' }) as { query: object };
      expect(await admin(api.listReports, { query: { ...query, limit: 50 } })).toHaveLength(location.count);
    }
    const manager = await server.as('Health & Safety Manager', 'Mounds');
    const seen = await manager(api.getOverview, { query: { from: '2026-01-01', to: getToday(clock()) } });
    expect(seen.hazards).toEqual([]);
  });

  test('exports name the place of each record, for users who see its park', async () => {
    const shop = await addPlace('Shop');
    await report('Shop', shop);
    await addHazard('Shop', shop);
    const sections = [{ title: 'Park', type: 'site' as const, required: true }];
    const { id: checklistId } = await admin(api.createChecklist, { body: { title: 'Round', sections } });
    await admin(api.submitChecklist, { body: { checklistId, data: { 0: park }, placeId: shop } });
    const readPlaces = async (client: TestClient) => {
      const files = [
        await client(api.exportReports, { query: { format: 'csv', place: shop } }),
        await client(api.exportSubmissions, { query: { format: 'csv', place: shop } }),
        await client(api.exportSubmissions, { query: { format: 'csv', place: shop, title: 'Round' } }),
        await client(api.exportAudits, { query: { format: 'csv', place: shop, open: 'yes' } }),
      ];
      return files.map((file) =>
        (parse(Buffer.from(file), { bom: true, columns: true }) as { Place: string }[]).map(({ Place }) => Place),
      );
    };
    expect(await readPlaces(admin)).toEqual([['Shop'], ['Shop'], ['Shop'], ['Shop']]);
    const manager = await server.as('Health & Safety Manager', 'Mounds');
    expect(await readPlaces(manager)).toEqual([[''], [''], [''], []]);
  });

  test('an audit loses its place when its folder moves to another park', async () => {
    const [hut, folder] = [await addPlace('Hut'), await newFolder(admin, { park })];
    const { id } = await admin(api.createAudit, { body: { ...newAudit(folder, { location: 'Hut' }), placeId: hut } });
    const move = (park: 'Lyndale' | 'Mounds', name: string) =>
      admin(api.updateFolder, { params: { id: folder }, body: { name, description: '', park } });
    const getPlace = async () => (await admin(api.getAudit, { params: { id } })).place?.name;
    await move(park, 'Renamed');
    expect(await getPlace()).toBe('Hut');
    await move('Mounds', 'Moved');
    expect(await getPlace()).toBeUndefined();
    const { typed } = await admin(api.listLocations, { query: { park: 'Mounds' } });
    expect(typed).toMatchObject([{ key: 'hut', count: 1 }]);
  });

  test('a deleted record keeps its place until it is purged', async () => {
    const gate = await addPlace('Gate');
    const [restored, purged] = [await report('Gate', gate), await report('Gate', gate)];
    const hazard = await addHazard('Gate', gate);
    const listHere = async () => [
      ...(await admin(api.listReports, { query: { place: gate, limit: 9 } })),
      ...(await admin(api.listOpenAudits, { query: { place: gate } })),
    ];
    for (const id of [restored, purged]) await admin(api.deleteReport, { params: { id } });
    await admin(api.deleteAudit, { params: { id: hazard } });
    expect(await listHere()).toEqual([]);
    expect((await readOverview()).locations.some(({ place }) => place === gate)).toBe(false);
    const findDeletion = async (thing_id: string) => {
      const found = server.db.selectFrom('deletions').select('id').where('thing_id', '=', thing_id);
      return { params: await found.executeTakeFirstOrThrow() };
    };
    await admin(api.restoreDeleted, await findDeletion(restored));
    await admin(api.releaseDeleted, { ...(await findDeletion(purged)), body: { reason: 'A test' } });
    expect((await listHere()).map(({ id }) => id)).toEqual([restored]);
    now += 31 * 24 * 60 * 60_000;
    const files = await openDiskStore(join(server.folder, 'uploads'), { isInUse: true });
    await purgeDeleted({ db: server.db, config: server.config, clock, files });
    const links = await server.db.selectFrom('place_links').select('thing_id').where('place_id', '=', gate).execute();
    expect(links).toEqual([{ thing_id: restored }]);
  });
});

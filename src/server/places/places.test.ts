// Places: who manages them, which records they have, and that links change no record.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import type { Place } from '#shared/places/places.ts';
import { newAudit, newFolder } from '../testing/factories.ts';
import { newReportWithoutFiles } from '../testing/seed-reports.ts';
import { engines, type TestClient } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';
import { findPlaceNamed, insertPlace, linkToPlace } from './links/place-links.ts';
import { joinPlaces, linkLocation, listLocations, listPlaces, unlinkLocation, updatePlace } from './store.ts';

describe.each(engines)('places on %s', (engine) => {
  /** The server's time, for PDFs that say when they were made. */
  let frozenAt: Date | undefined;
  const { server, admin } = createTestServer(engine, {}, () => frozenAt ?? new Date());

  const find = async (park: string, name: string) =>
    (await admin(api.listPlaces)).find((place) => place.park === park && place.name === name) as Place;
  async function add(park: string, name: string): Promise<Place> {
    await admin(api.addPlaces, { body: { park, names: [name] } });
    return find(park, name);
  }
  const update = (client: TestClient, { id }: Place, body: object) => client(api.updatePlace, { params: { id }, body });
  async function report(park: string, location: string, placeId?: unknown): Promise<string> {
    const body = await newReportWithoutFiles(server.db, admin.id, { selectedPlace: park, location, placeId });
    return (await admin(api.submitAccident, { body: body as never })).id;
  }
  const readLinks = async () =>
    new Map(
      (await server.db.selectFrom('place_links').selectAll().execute()).map((link) => [link.thing_id, link.place_id]),
    );
  const getLink = async (id: string) => (await readLinks()).get(id);
  const list = (park: string) => admin(api.listLocations, { query: { park } });
  const link = (park: string, key: string, name: string) => admin(api.linkLocation, { body: { park, key, name } });

  test('reviewers add, rename, retire and join places of their own parks, and each is logged', async () => {
    const manager = await server.as('Health & Safety Manager', 'Mounds');
    const added = await manager(api.addPlaces, {
      body: { park: 'Mounds', names: ['Plot 1', ' Pwll\nnofio', 'PLOT  1'] },
    });
    expect(added).toEqual({ success: true, added: 2 });
    const [plot, pool] = [await find('Mounds', 'Plot 1'), await find('Mounds', 'Pwll nofio')];
    const taken = { status: 409, fields: { name: 'Mounds already has a place with this name' } };
    await expect(manager(api.addPlaces, { body: { park: 'Mounds', names: ['plot 1'] } })).rejects.toMatchObject(taken);
    await expect(update(manager, pool, { name: 'PLOT 1' })).rejects.toMatchObject(taken);
    await update(manager, pool, { name: '\nPool ', isRetired: true });
    expect(await find('Mounds', 'Pool')).toEqual({ ...pool, name: 'Pool', isRetired: true });
    await update(manager, pool, { isRetired: false });
    const id = await report('Mounds', 'Pool', pool.id);
    await manager(api.joinPlaces, { params: { id: pool.id }, body: { into: plot.id } });
    expect(await find('Mounds', 'Pool')).toBeUndefined();
    expect(await getLink(id)).toBe(plot.id);
    // The joined place leads to the other, also for a phone that has not heard of it, and its name is free.
    const late = await report('Mounds', 'Pool', pool.id);
    expect(await getLink(late)).toBe(plot.id);
    expect(await manager(api.getPlace, { params: { id: pool.id } })).toMatchObject(plot);
    expect(await manager(api.addPlaces, { body: { park: 'Mounds', names: ['Pool'] } })).toMatchObject({ added: 1 });
    await manager(api.joinPlaces, {
      params: { id: plot.id },
      body: { into: (await find('Mounds', 'Pool'))?.id ?? '' },
    });
    expect(await manager(api.getPlace, { params: { id: pool.id } })).toMatchObject({ name: 'Pool' });
    const entries = await manager(api.listActivity, { query: { thing: 'place' } });
    expect(entries.map(({ action, label }) => `${action} ${label}`)).toEqual([
      ...['joined Plot 1', 'added Pool', 'joined Pool', 'changed Pool', 'changed Pool'],
      ...['added Pwll nofio', 'added Plot 1'],
    ]);
    const elsewhere = await add('Kingsley', 'Shop');
    for (const into of [plot.id, elsewhere.id])
      await expect(admin(api.joinPlaces, { params: { id: plot.id }, body: { into } })).rejects.toMatchObject({
        status: 400,
        message: 'Choose another place of Mounds',
      });
    await expect(update(manager, elsewhere, { name: 'Mine' })).rejects.toMatchObject({ status: 404 });
    await expect(manager(api.addPlaces, { body: { park: 'Kingsley', names: ['Mine'] } })).rejects.toMatchObject({
      status: 403,
    });
    const into = { params: { id: elsewhere.id }, body: { into: plot.id } };
    await expect(admin(api.joinPlaces, into)).rejects.toMatchObject({ status: 400 });
  });

  test('staff see the places of their own parks', async () => {
    await add('Oakfield', 'Gate');
    const staff = await server.as('None', 'Oakfield');
    expect((await staff(api.listPlaces)).map(({ name }) => name)).toEqual(['Gate']);
  });

  test('a chosen place is linked to a report, an audit, a hazard and a submission, and follows the location of an audit', async () => {
    const park = 'Kingsley';
    const [shop, bar] = [await add(park, 'Village shop'), await add(park, 'Bar')];
    const placeId = shop.id;
    const folder = await newFolder(admin, { park });
    const { id: audit } = await admin(api.createAudit, {
      body: { ...newAudit(folder, { location: shop.name }), placeId },
    });
    const { id: hazard } = await admin(api.createAudit, {
      body: { hazard: { park, kind: 'Fire' }, location: shop.name, placeId },
    });
    const sections = [{ title: 'Park', type: 'site' as const, required: true }];
    const { id: checklistId } = await admin(api.createChecklist, { body: { title: 'Round', sections } });
    const { id: submission } = await admin(api.submitChecklist, { body: { checklistId, data: { 0: park }, placeId } });
    const ids = [audit, hazard, submission, await report(park, shop.name, placeId)];
    const links = await readLinks();
    expect(ids.map((id) => links.get(id))).toEqual(ids.map(() => placeId));
    const change = (body: object) => admin(api.updateAudit, { params: { id: audit }, body });
    await change({ title: 'Renamed' });
    expect(await getLink(audit)).toBe(placeId);
    await change({ data: { location: bar.name }, placeId: bar.id });
    expect(await getLink(audit)).toBe(bar.id);
    await change({ data: { location: 'Behind the bar' } });
    expect(await getLink(audit)).toBeUndefined();
  });

  test('a report whose place is unknown, retired, in another park or not text is accepted without the place', async () => {
    const [retired, elsewhere] = [await add('Winkups', 'Old gate'), await add('Lyndale', 'Gate')];
    await update(admin, retired, { isRetired: true });
    for (const placeId of ['nowhere', retired.id, elsewhere.id, 7, null, ['x'], 'x'.repeat(5000)]) {
      const id = await report('Winkups', 'At the gate', placeId);
      expect(await getLink(id)).toBeUndefined();
      expect((await admin(api.getReport, { params: { id } })).location).toBe('At the gate');
    }
  });

  test('typed locations are listed with similar spellings together, linked by a reviewer, and unlinked again', async () => {
    const park = 'Snowdon View';
    const first = await report(park, 'Plot 12');
    for (const location of ['Plot 12', 'plot12', ' 12, PLOT']) await report(park, location);
    const folder = await newFolder(admin, { park });
    await admin(api.createAudit, { body: newAudit(folder, { location: 'Plot 12' }) });
    await report(park, 'Laundry');
    await report('Sunny Sands', 'Plot 12');
    const { typed } = await list(park);
    expect(typed).toEqual([
      { key: '12 plot', spellings: ['Plot 12', '12, PLOT', 'plot12'], count: 5 },
      { key: 'laundry', spellings: ['Laundry'], count: 1 },
    ]);
    expect(await link(park, '12 plot', 'Plot 12')).toEqual({ success: true, linked: 5 });
    const place = await find(park, 'Plot 12');
    expect(await getLink(first)).toBe(place.id);
    const after = await list(park);
    expect(after.typed.map(({ key }) => key)).toEqual(['laundry']);
    expect(after.linked).toMatchObject([{ placeId: place.id, by: admin.username, count: 5 }]);
    // A place that was chosen in a form stays linked.
    const chosen = await report(park, 'Plot 12', place.id);
    await link(park, 'laundry', 'PLOT 12');
    expect((await list(park)).linked).toHaveLength(2);
    for (const { placeId, at } of (await list(park)).linked) await admin(api.unlinkLocation, { body: { placeId, at } });
    expect((await list(park)).typed).toHaveLength(2);
    expect([await getLink(first), await getLink(chosen)]).toEqual([undefined, place.id]);
    const actions = (await admin(api.listActivity, { query: { thing: 'place' } })).map(({ action }) => action);
    expect(actions.slice(0, 4)).toEqual(['unlinked', 'unlinked', 'linked', 'linked']);
  });

  test('linking, joining, renaming and retiring change no record, fingerprint, PDF or earlier entry of the log', async () => {
    const park = 'Marian Resort';
    const [id] = [await report(park, 'Arcade'), await report(park, 'arcade')];
    const before = await readAll(id);
    await link(park, 'arcade', 'Arcade');
    const other = await add(park, 'Amusements');
    const place = await find(park, 'Arcade');
    await update(admin, place, { name: 'The Arcade' });
    await admin(api.joinPlaces, { params: { id: place.id }, body: { into: other.id } });
    await update(admin, other, { isRetired: true });
    const after = await readAll(id);
    expect(after.rows).toEqual(before.rows);
    expect(Buffer.compare(after.pdf, before.pdf)).toBe(0);
    expect(after.log.slice(0, before.log.length)).toEqual(before.log);
  });

  const printedAt = new Date();
  async function readAll(id: string) {
    const { db } = server;
    frozenAt = printedAt;
    const pdf = await admin(api.getReportPdf, { params: { id } });
    frozenAt = undefined;
    const rows = [
      ...(await db.selectFrom('reports').selectAll().orderBy('id').execute()),
      ...(await db.selectFrom('audits').selectAll().orderBy('id').execute()),
      ...(await db.selectFrom('submissions').selectAll().orderBy('id').execute()),
    ].map((row) => ({ ...row, first_opened_at: null }));
    const log = await db.selectFrom('activity').selectAll().orderBy('seq').execute();
    return { rows, log, pdf };
  }

  test('each record has at most one place after any random steps of reviewers', async () => {
    const park = 'Tyddyn Goronwy';
    const names = ['Alpha', 'Beta', 'Gamma'];
    const { db } = server;
    const now = new Date();
    let moment = 0;
    const ids = await Promise.all(names.map((name) => report(park, name)));
    const step = fc.tuple(fc.constantFrom('link', 'choose', 'join', 'undo', 'retire'), fc.nat(2), fc.nat(2));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        for (const [action, one, other] of steps) {
          const [name = '', otherName = ''] = [names[one], names[other]];
          const [place, into] = [await findPlaceNamed(db, park, name), await findPlaceNamed(db, park, otherName)];
          const by = { by: admin, now: new Date(now.getTime() + moment++) };
          const placeId = into?.id ?? (await insertPlace(db, park, otherName)) ?? '';
          const record = { thing: 'report', thing_id: ids[one] ?? '', park } as const;
          if (action === 'link') await linkLocation(db, { park, key: name.toLowerCase(), placeId, ...by });
          if (action === 'choose') await linkToPlace(db, placeId, { ...record, ...by });
          if (action === 'join' && place && place.id !== placeId)
            await joinPlaces(db, { id: place.id, park }, { id: placeId, park }, now);
          if (action === 'retire' && place) {
            const change = { name, isRetired: one > other };
            await updatePlace(db, { id: place.id, park }, change, { by: '', now });
          }
          const last = (await listLocations(db, park)).linked[0];
          if (action === 'undo' && last) await unlinkLocation(db, last.placeId, last.at);
        }
        const places = (await listPlaces(db, { parks: null }, park)).map(({ id }) => id);
        const links = (await db.selectFrom('place_links').selectAll().where('thing_id', 'in', ids).execute()).map(
          ({ thing_id, place_id }) => [thing_id, places.includes(place_id)],
        );
        expect(new Set(links.map(([id]) => id)).size).toBe(links.length);
        expect(links.every(([, hasPlace]) => hasPlace)).toBe(true);
        const typed = (await listLocations(db, park)).typed.reduce((sum, { count }) => sum + count, 0);
        expect(links.length + typed).toBe(ids.length);
      }),
      { numRuns: 40 },
    );
  });

  test('the page of a place shows staff its readiness, checks and open audits, and nothing about reports', async () => {
    const park = 'Point of Ayr' as const;
    const pool = await add(park, 'Indoor pool');
    const placeId = pool.id;
    await report(park, 'Indoor pool', placeId);
    const created = await admin(api.createAudit, {
      body: { hazard: { park, kind: 'Fire' }, location: 'Indoor pool', placeId },
    });
    const section = { title: 'Is the gate locked?', type: 'checkbox' as const, required: false };
    const sections = [{ ...section, onFail: { when: 'notTicked' as const } }];
    const { id: checklist_id } = await admin(api.createChecklist, { body: { title: 'Pool check', sections } });
    const window = { opens_at: '00:00', closes_at: '00:00', starts_on: '2026-01-01', repeat: 'daily' as const };
    const schedule = { checklist_id, parks: [park], ...window, gate: 'INDOOR  pool' };
    const { id: scheduleId } = await admin(api.createSchedule, { body: schedule });
    const staff = await server.as('None', park);
    const page = await staff(api.getPlace, { params: { id: placeId } });
    expect(page).toEqual({
      ...pool,
      ready: [
        expect.objectContaining({ place_id: placeId, place: 'Indoor pool', gate: 'Indoor pool', is_ready: false }),
      ],
      checks: expect.arrayContaining([expect.objectContaining({ checklist_title: 'Pool check', state: 'due' })]),
      audits: [expect.objectContaining({ id: created.id, park })],
    });
    // A new name changes nothing, and the checks follow when the place is joined into another.
    await update(admin, pool, { name: 'Pool' });
    const lido = await add(park, 'Lido');
    await admin(api.joinPlaces, { params: { id: placeId }, body: { into: lido.id } });
    const joined = await staff(api.getPlace, { params: { id: placeId } });
    expect(joined).toMatchObject({ id: lido.id, name: 'Lido', ready: [{ place_id: lido.id, place: 'Lido' }] });
    expect(joined.checks.map(({ place }) => place)).toEqual(['Lido', 'Pool', 'Lido']);
    await admin(api.endSchedule, { params: { id: scheduleId } });
    expect(await staff(api.getPlace, { params: { id: placeId } })).toMatchObject({
      ready: [{ place: 'Lido', is_ready: false, not_in_use: 'ended' }],
      checks: [{ place: 'Lido' }, { place: 'Pool' }],
    });
  });

  test('lists, month counts and exports show the records of a place, and its name is shown only to users who see its park', async () => {
    const park = 'Manor House' as const;
    const gate = await add(park, 'Gate');
    const placeId = gate.id;
    const id = await report(park, 'Gate', placeId);
    await report(park, 'Gate');
    const hazard = { park: park, kind: 'Fire' as const };
    const { id: audit } = await admin(api.createAudit, { body: { hazard, location: 'Gate', placeId } });
    await admin(api.createAudit, { body: { hazard, location: 'Elsewhere' } });
    const sections = [{ title: 'Park', type: 'site' as const, required: true }];
    const { id: checklistId } = await admin(api.createChecklist, { body: { title: 'Round', sections } });
    const { id: submission } = await admin(api.submitChecklist, { body: { checklistId, data: { 0: park }, placeId } });
    await admin(api.submitChecklist, { body: { checklistId, data: { 0: park } } });
    const query = { place: placeId };
    const listed = [
      ...(await admin(api.listReports, { query })),
      ...(await admin(api.listReports, { query: { ...query, limit: 5 } })),
      ...(await admin(api.listOpenAudits, { query })),
      ...(await admin(api.listSubmissions, { query })),
    ];
    expect(listed.map((one) => one.id)).toEqual([id, id, audit, submission]);
    const months = await admin(api.listReportMonths, { query: { reportType: 'accident', ...query } });
    expect(months.map(({ count }) => count)).toEqual([1]);
    const csv = async (endpoint: typeof api.exportReports | typeof api.exportSubmissions | typeof api.exportAudits) =>
      Buffer.from(await admin(endpoint, { query: { format: 'csv', open: 'yes', ...query } as never })).toString();
    for (const endpoint of [api.exportReports, api.exportSubmissions, api.exportAudits])
      expect((await csv(endpoint)).trim().split('\r\n')).toHaveLength(2);
    const place = { id: placeId, name: 'Gate' };
    expect(await admin(api.getReport, { params: { id } })).toMatchObject({ place });
    expect(await admin(api.getAudit, { params: { id: audit } })).toMatchObject({ place });
    const manager = await server.as('Health & Safety Manager', 'Mounds');
    expect(await manager(api.getReport, { params: { id } })).not.toHaveProperty('place');
  });

  test('places are exported with their park', async () => {
    await add('Caerelwan', '=Pool');
    const csv = Buffer.from(await admin(api.exportPlaces, { query: { format: 'csv', park: 'Caerelwan' } })).toString();
    expect(csv).toContain("Caerelwan,'=Pool,");
  });
});

import { afterAll, describe, expect, test } from 'vitest';
import { api, contract } from '#shared/api.ts';
import { addDays } from '#shared/calendar.ts';
import { endpointUrl } from '#shared/client.ts';
import type { Endpoint } from '#shared/contract.ts';
import { getToday } from '#shared/dates.ts';
import { readPdfText } from '../testing/documents.ts';
import { newFolder, newReport } from '../testing/factories.ts';
import { listFieldPaths } from '../testing/fields.ts';
import { writeParkList } from '../testing/park-list.ts';
import { jsonPost } from '../testing/requests.ts';
import { changeRows } from '../testing/rows.ts';
import { engines } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

const [bay, mill, sea] = [`Môn's & <Bay> 🏖️`, 'Old Mill', 'Zion "Sea"/2'] as const;

describe.each(engines)('a list of parks on %s', (engine) => {
  const list = writeParkList([bay, mill, sea]);
  const { server, admin } = createTestServer(engine, { PARKS_FILE: list.path });
  afterAll(async () => {
    list.remove();
  });

  /** Starts the server again with another list. */
  const relist = (...lines: string[]) => {
    list.write(lines);
    return server.restart();
  };
  const listParks = async () => (await admin(api.getSession)).parks;
  const open = (name: string) => ({ name, isClosed: false });
  const closed = (name: string) => ({ name, isClosed: true });
  const submit = async (selectedPlace: string) =>
    admin(api.submitAccident, { body: await newReport(admin, { selectedPlace }) });
  const addSchedule = async (parks: string[]) => {
    const { id } = await admin(api.createChecklist, {
      body: { title: 'Gate', sections: [{ title: 'Locked?', type: 'na', required: true }] },
    });
    const window = { repeat: 'daily', opens_at: '06:00', closes_at: '10:00', starts_on: '2026-01-01', places: [] };
    await admin(api.createSchedule, { body: { checklist_id: id, parks, opens: false, ...window } as never });
    return id;
  };

  test('the parks are those of the list, in its order; others are refused', async () => {
    expect(await listParks()).toEqual([open(bay), open(mill), open(sea)]);
    await submit(bay);
    await expect(submit('Mounds')).rejects.toMatchObject({ status: 400, fields: { selectedPlace: 'Choose a park' } });
    await admin(api.createUser, {
      body: { username: 'sea.staff', password: 'by the sea in spring', role: 'None', park: sea },
    });
    const report = (await admin(api.listReports, { query: { park: bay } as never })) as unknown as { items: unknown[] };
    expect(JSON.stringify(report)).toContain(JSON.stringify(bay).slice(1, -1));
  });

  test('a park that is closed, or missing in the list, keeps its records and users; no checks are due there', async () => {
    await relist(bay, mill, sea);
    await newFolder(admin, { park: mill, name: 'Pools' });
    const early = await submit(mill);
    const staff = await server.as('None', mill);
    const checklist = await addSchedule([bay, mill, sea]);
    const countDue = async () => {
      const rows = await server.db
        .selectFrom('due_checks')
        .select(['park', (eb) => eb.fn.countAll().as('count')])
        .where('checklist_id', '=', checklist)
        .where('opens_at', '>', new Date().toISOString())
        .groupBy('park')
        .execute();
      return Object.fromEntries(rows.map(({ park, count }) => [park, Number(count)]));
    };
    const before = await countDue();
    expect(Object.keys(before).sort()).toEqual([bay, mill, sea].sort());

    await relist(bay, `closed: ${mill}`);
    expect(await listParks()).toEqual([open(bay), closed(mill), closed(sea)]);
    expect(await countDue()).toEqual({ [bay]: before[bay] });
    expect((await admin(api.getSystem)).find(({ title }) => title === 'Parks')?.text).toContain(
      `There is 1 open park: ${bay}. Closed: ${mill}, ${sea}. To change them,`,
    );
    expect((await staff(api.getSession)).user.parks).toEqual([mill]);
    expect(await staff(api.listFolders)).toMatchObject([{ name: 'Pools' }]);
    const { id } = await submit(mill);
    const read = () => admin(api.getReport, { params: { id } });
    expect(await read()).toMatchObject({ selectedPlace: mill, parkWasClosed: true });
    expect(readPdfText(await admin(api.getReportPdf, { params: { id } }))).toContain('The park was closed');
    for (const { id } of [early, await submit(bay)])
      expect(await admin(api.getReport, { params: { id } })).not.toHaveProperty('parkWasClosed');

    // Other closed days stay when a park opens again, on the day on which it closed or later.
    const today = getToday();
    const holiday = { park: bay, starts_on: addDays(today, 3000), ends_on: addDays(today, 3001) };
    const { id: holidayId } = await admin(api.createClosure, { body: holiday });
    await relist(bay, `closed: ${mill}`, sea);
    expect(await admin(api.listClosures)).toEqual([{ id: holidayId, ...holiday }]);
    expect(Object.keys(await countDue()).sort()).toEqual([bay, sea].sort());
    const starts_on = addDays(today, -1);
    await server.db.updateTable('park_closures').set({ starts_on }).where('park', '=', mill).execute();
    await relist(sea, bay, mill);
    expect(await admin(api.listClosures)).toEqual([{ id: holidayId, ...holiday }]);
    await admin(api.deleteClosure, { params: { id: holidayId } });

    expect(await listParks()).toEqual([open(sea), open(bay), open(mill)]);
    expect(await countDue()).toEqual(before);
    expect(await admin(api.listClosures)).toEqual([]);
  });

  test('no list of parks becomes empty or all of them, unless an Admin chooses All parks', async () => {
    await relist(bay, mill, sea);
    const one = await server.as('None', mill);
    const two = await server.as('None', [bay, mill]);
    const readParks = async () => [
      (await one(api.getSession)).user.parks,
      (await two(api.getSession)).user.parks?.toSorted(),
    ];
    const before = [[mill], [bay, mill].toSorted()];
    const assign = (username: string, park: string, parks?: string[]) =>
      admin(api.assignRole, { body: { username, role: 'None', park, ...(parks && { parks }) } as never });
    const refused = { status: 400 };
    // Closed, then gone from the list by a typing error.
    for (const lines of [
      [bay, `closed: ${mill}`, sea],
      [bay, sea],
    ]) {
      await relist(...lines);
      expect(await readParks()).toEqual(before);
      await assign(one.username, mill, [mill]);
      await assign(two.username, bay, [bay, mill]);
      expect(await readParks()).toEqual(before);
      await expect(assign(one.username, '', [])).rejects.toMatchObject(refused);
      await expect(assign(two.username, bay, [])).rejects.toMatchObject(refused);
      await expect(admin(api.importUsers, { body: { csv: 'new.one,None,' } })).rejects.toMatchObject(refused);
      const csv = `imported.${lines.length},None,${mill}`;
      expect(await admin(api.importUsers, { body: { csv } })).toMatchObject({ users: [{ parks: [mill] }] });
      expect(await readParks()).toEqual(before);
    }
    await assign(one.username, '');
    expect((await one(api.getSession)).user.parks).toBeNull();
  });

  test('a park that only one record or setting has is a closed one if the list lacks it', async () => {
    await relist(bay, mill, sea, 'Of a report', 'Of a deleted one', 'Of two parks');
    await submit('Of a report');
    const { id } = await submit('Of a deleted one');
    await admin(api.deleteReport, { params: { id }, body: {} });
    await server.as('None', [bay, 'Of two parks']);
    await changeRows(server.db, 'users', { username: 'sea.staff' }, { parks: JSON.stringify([bay, 'Of a user']) });
    await relist(bay, mill, sea);
    const closedNames = (await listParks()).filter(({ isClosed }) => isClosed).map(({ name }) => name);
    expect(closedNames).toEqual(['Of a deleted one', 'Of a report', 'Of a user', 'Of two parks']);
    const { number } = await admin(api.submitAccident, {
      body: await newReport(admin, { selectedPlace: 'Of a report' }),
    });
    expect(number).toMatch(/^ACC-/);
  });

  test('each list of several parks takes a parameter for each park, and commas as in old links', async () => {
    await relist(bay, mill, sea);
    for (const park of [bay, mill, sea]) await submit(park);
    const paths = Object.values<Endpoint>(contract).flatMap(({ method, path, query }) =>
      method === 'GET' && query && listFieldPaths(query).includes('park') ? [path.replace('{id}', 'none')] : [],
    );
    /** What is wrong with the parks; other parameters that are missing do not matter. */
    const findError = async (path: string, ...parks: string[]) => {
      const query = parks.map((park) => `park=${encodeURIComponent(park)}`).join('&');
      const response = await admin.fetch(`${path}?${query}`);
      const body = response.status === 400 ? ((await response.json()) as { fields: { park?: string } }) : undefined;
      return body?.fields.park;
    };
    const ofSeveral = [];
    for (const path of paths) {
      const error = await findError(path, `${bay},${sea}`);
      expect([path, await findError(path, bay, sea)]).toEqual([path, error]);
      expect([path, await findError(path, bay, 'Nowhere')]).toEqual([path, 'Choose a park']);
      if (!error) ofSeveral.push(path);
    }
    expect(ofSeveral.length).toBeGreaterThan(8);
    const query = { park: `${bay},${sea}` };
    expect(endpointUrl(api.listReports, { query }).match(/park=/g)).toHaveLength(2);
    const reports = await admin(api.listReports, { query });
    expect(new Set(reports.map(({ selectedPlace }) => selectedPlace))).toEqual(new Set([bay, sea]));
  });

  test('a page that does not know the list removes no park that it cannot show', async () => {
    const { username } = await server.as('None', [bay, sea]);
    const assign = (headers: Record<string, string>) =>
      admin.fetch(
        '/api/admin/assign-role',
        jsonPost({ username, role: 'None', park: bay, parks: [bay] }, { ...headers }),
      );
    const refused = await assign({});
    expect([refused.status, await refused.json()]).toEqual([
      409,
      expect.objectContaining({ message: 'This page is out of date. Reload it and try again.' }),
    ]);
    expect((await assign({ 'x-parks': '1' })).status).toBe(200);
  });
});

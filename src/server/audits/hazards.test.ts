// Hazards: audits that anyone at a park reports, in the park's folder 'Hazards'.
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { getToday } from '#shared/dates.ts';
import { hazardKinds } from '#shared/places/hazards.ts';
import { newAudit, newFolder, uploadPhoto } from '../testing/factories.ts';
import { engines, type TestClient } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

describe.each(engines)('hazards on %s', (engine) => {
  const { server, admin } = createTestServer(engine);

  const park = 'Lido Beach' as const;
  const newHazard = (changes: object = {}, hazard: object = {}) => ({
    hazard: { park, kind: 'Broken or loose' as const, ...hazard },
    location: 'Plot 12',
    ...changes,
  });
  const report = async (client: TestClient, changes?: object, hazard?: object) =>
    (await client(api.createAudit, { body: newHazard(changes, hazard) })).id;
  const get = (client: TestClient, id: string) => client(api.getAudit, { params: { id } });
  const texts = async (client: TestClient) => (await client(api.listNotifications)).map(({ text }) => text);

  test('a hazard of staff is an unassigned audit with its kind, place and sender, in a folder that is created once', async () => {
    const staff = await server.as('None', park);
    const path = await uploadPhoto(staff);
    const id = await report(
      staff,
      { description: 'The handrail', media_files: [{ path, name: 'rail.jpg' }] },
      { wasNearlyHurt: true },
    );
    const audit = await get(await server.as('None', park), id);
    expect(audit).toMatchObject({ folder_name: 'Hazards', park, title: 'Broken or loose: Plot 12', date: null });
    expect(audit.data).toMatchObject({
      ...{ location: 'Plot 12', assignee: '', is_urgent: false, completed: false },
      description: 'Someone was nearly hurt.\nThe handrail',
      source: { thing: 'hazard', label: staff.username },
      media_files: [{ path, name: 'rail.jpg' }],
    });
    expect((await get(admin, await report(staff))).folder_id).toBe(audit.folder_id);
    const other = await get(admin, await report(admin, { description: 'A hole' }, { park: 'Mounds', kind: undefined }));
    expect(other).toMatchObject({ folder_name: 'Hazards', park: 'Mounds', title: 'Hazard: Plot 12' });
    await admin(api.deleteFolder, { params: { id: audit.folder_id } });
    expect((await get(admin, await report(staff))).folder_id).not.toBe(audit.folder_id);
  });

  test('gas, electricity, fire and water are urgent and due today, and the reviewers of the park are notified', async () => {
    const manager = await server.as('Health & Safety Manager', park);
    const staff = await server.as('None', park);
    const urgentKinds: string[] = [];
    for (const kind of hazardKinds) {
      const { date, data } = await get(staff, await report(staff, {}, { kind }));
      expect(date).toBe(data.is_urgent ? getToday() : null);
      if (data.is_urgent) urgentKinds.push(kind);
    }
    expect(urgentKinds).toEqual(['Electrical', 'Gas or smell', 'Water or pool', 'Fire']);
    expect(await texts(manager)).toContain('Urgent audit at Lido Beach: Fire: Plot 12');
    expect((await texts(manager)).filter((text) => text.startsWith('Urgent'))).toHaveLength(4);
  });

  test('reviewers of the park are notified of each hazard that no one is assigned to', async () => {
    const [manager, stranger] = [
      await server.as('Health & Safety Manager', 'Winkups'),
      await server.as('Health & Safety Manager', 'Mounds'),
    ];
    const staff = await server.as('None', 'Winkups');
    await report(staff, {}, { park: 'Winkups' });
    expect(await texts(manager)).toEqual(['Hazard at Winkups has no assignee: Broken or loose: Plot 12']);
    expect([await texts(stranger), await texts(staff)]).toEqual([[], []]);
    const body = { park: 'Winkups' as const, hazardAssignee: staff.username };
    await admin(api.saveParkSettings, { body });
    await report(manager, {}, { park: 'Winkups' });
    expect(await texts(manager)).toHaveLength(1);
  });

  test('a hazard is assigned to the user chosen for the park, and reviewers are notified if that user may not see the park any more', async () => {
    const [chosen, other] = [await server.as('None', park), await server.as('None', park)];
    const save = (body: object) => admin(api.saveParkSettings, { body: { park, ...body } });
    await save({ hazardAssignee: chosen.username, assignee: other.username });
    expect((await get(admin, await report(chosen))).data).toMatchObject({ assignee_id: chosen.id });
    expect(await texts(chosen)).toEqual(['Audit assigned to you: Broken or loose: Plot 12']);
    await admin(api.assignRole, { body: { username: chosen.username, role: 'None', park: 'Mounds' } });
    expect((await get(admin, await report(other))).data).toMatchObject({ assignee: '' });
    expect((await texts(admin))[0]).toBe(
      `Audit at Lido Beach has no assignee, because ${chosen.username} may not see that park: Broken or loose: Plot 12`,
    );
    await save({ hazardAssignee: '' });
    expect((await get(admin, await report(other))).data).toMatchObject({ assignee: '' });
  });

  test('the reply says who was told: the reviewers, the assignee, or both if it is urgent, and of any audit only those', async () => {
    const [chosen, staff] = [await server.as('None', 'Eryl Hall'), await server.as('None', 'Eryl Hall')];
    await server.as('Health & Safety Manager', 'Eryl Hall');
    const tell = async (hazard: object) =>
      (await staff(api.createAudit, { body: newHazard({}, { park: 'Eryl Hall', ...hazard }) })).told;
    expect(await tell({})).toEqual(['reviewers']);
    await admin(api.saveParkSettings, { body: { park: 'Eryl Hall', hazardAssignee: chosen.username } });
    expect(await tell({})).toEqual(['assignee']);
    expect(await tell({ kind: 'Fire' })).toEqual(['assignee', 'reviewers']);

    const folder = await newFolder(admin, { park: 'Eryl Hall' });
    const create = async (changes: object) =>
      (await staff(api.createAudit, { body: newAudit(folder, { assignee: '', is_urgent: false, ...changes }) })).told;
    expect(await create({})).toEqual([]);
    expect(await create({ assignee: chosen.username })).toEqual(['assignee']);
    expect(await create({ assignee: staff.username })).toEqual([]);
    expect(await create({ completed: true, verification: { days: 3, verifier: chosen.username } })).toEqual([]);
  });

  test('a hazard needs a location, and a kind, a text or a photo', async () => {
    const staff = await server.as('None', park);
    const missing = { fields: { description: 'Choose what it is, describe it or add a photo' } };
    await expect(report(staff, { location: ' ' })).rejects.toMatchObject({
      status: 400,
      fields: { location: 'Enter where it is' },
    });
    await expect(report(staff, { description: ' \n' }, { kind: undefined })).rejects.toMatchObject(missing);
    await expect(report(staff, {}, { kind: 'Earthquake' })).rejects.toMatchObject({ status: 400 });
    const media_files = [{ path: await uploadPhoto(staff) }];
    for (const changes of [{ description: 'A hole' }, { media_files }])
      expect(await report(staff, changes, { kind: undefined })).not.toBe('');
  });

  test('users report hazards at their own parks only, and other audits still need a folder and a title', async () => {
    const stranger = await server.as('None', 'Mounds');
    await expect(report(stranger)).rejects.toMatchObject({
      status: 403,
      fields: { park: 'You can only use your own parks' },
    });
    const folder_id = await newFolder(admin, { park });
    const { title: _, ...withoutTitle } = newAudit(folder_id);
    await expect(stranger(api.createAudit, { body: newAudit(folder_id) })).rejects.toMatchObject({ status: 404 });
    await expect(admin(api.createAudit, { body: withoutTitle })).rejects.toMatchObject({
      status: 400,
      fields: { title: 'Title is required' },
    });
    await expect(admin(api.createAudit, { body: { title: 'Gate' } })).rejects.toMatchObject({
      status: 400,
      fields: { folder_id: 'Choose a folder' },
    });
  });

  test('a hazard that is sent twice with the same key is one audit', async () => {
    const staff = await server.as('None', park);
    const key = crypto.randomUUID();
    const send = () => staff(api.createAudit, { body: newHazard({ location: 'Plot 77' }), key });
    expect(await send()).toEqual(await send());
    const audits = await staff(api.listOpenAudits, { query: { title: 'Plot 77' } });
    expect(audits).toHaveLength(1);
  });

  test('reviewers can list only the hazards, and are notified of a deleted one', async () => {
    const manager = await server.as('Health & Safety Manager', 'Kingsley');
    const staff = await server.as('None', 'Kingsley');
    const id = await report(staff, {}, { park: 'Kingsley' });
    await manager(api.createAudit, { body: newAudit(await newFolder(manager, { park: 'Kingsley' })) });
    const found = await manager(api.listOpenAudits, { query: { source: 'hazard' } });
    expect(found.map((audit) => audit.id)).toEqual([id]);
    await staff(api.deleteAudit, { params: { id } });
    expect(await texts(manager)).toContain('Hazard at Kingsley deleted: Broken or loose: Plot 12');
  });

  test('users see the telephone numbers of their own parks only', async () => {
    for (const one of [park, 'Mounds'] as const)
      await admin(api.saveParkSettings, { body: { park: one, telephone: `01745 ${one.length}` } });
    await expect(admin(api.saveParkSettings, { body: { park, telephone: 'Huw, 07700 900123' } })).rejects.toMatchObject(
      { fields: { telephone: 'Enter a telephone number, such as 01745 123456' } },
    );
    const staff = await server.as('None', park);
    expect(await staff(api.listParkNumbers)).toEqual([{ park, telephone: '01745 10' }]);
  });
});

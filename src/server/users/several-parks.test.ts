// Users of several parks: who may assign the parks, and what these users see.
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { insertPack, listPacks } from '../packs/store.ts';
import { newAudit, newFolder, newReport } from '../testing/factories.ts';
import { engines, type TestClient } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

const several = { park: 'Lido Beach', parks: ['Lido Beach', 'Robin Hood'] } as const;
const password = 'a walk along the shore';

describe.each(engines)('users of several parks on %s', (engine) => {
  let count = 0;
  const { server, admin } = createTestServer(engine);

  const newUser = (parks: object) => {
    count += 1;
    return { username: `new.user.${count}`, password, role: 'None', ...parks } as never;
  };
  const findUser = async (username: string) => (await admin(api.listUsers)).find((user) => user.username === username);
  const assign = (client: TestClient, username: string, parks: object) =>
    client(api.assignRole, { body: { username, role: 'None', ...parks } as never });

  test('"park" sets one park or all parks of a user, "parks" several, and replies name the first of these as "park"', async () => {
    const person = await server.as('None', 'Mounds');
    expect(await findUser(person.username)).toMatchObject({ park: 'Mounds', parks: ['Mounds'] });
    await assign(admin, person.username, { park: 'Robin Hood', parks: ['Robin Hood', 'Lido Beach', 'Robin Hood'] });
    expect(await findUser(person.username)).toMatchObject(several);
    expect((await person(api.getSession)).user).toMatchObject(several);
    expect((await person(api.listNames)).find(({ username }) => username === person.username)).toMatchObject(several);
    const csv = await (await admin.fetch(`${api.exportUsers.path}?format=csv`)).text();
    expect(csv).toMatch(new RegExp(`${person.username}.*Lido Beach, Robin Hood`));
    await assign(admin, person.username, { park: 'Mounds' });
    expect((await person(api.getSession)).user).toMatchObject({ park: 'Mounds', parks: ['Mounds'] });
    await assign(admin, person.username, { park: '' });
    expect((await person(api.getSession)).user).toMatchObject({ park: '', parks: null });
  });

  test('an empty list, an unknown park and a park that is not in the list are rejected', async () => {
    const { username } = await server.as('None', 'Mounds');
    for (const parks of [
      { park: '', parks: [] },
      { park: '', parks: ['Mounds'] },
      { park: 'Winkups', parks: ['Mounds'] },
      { park: 'Mounds', parks: ['Mounds', 'Atlantis'] },
      { park: 'Mounds', parks: null },
    ]) {
      await expect(admin(api.createUser, { body: newUser(parks) })).rejects.toMatchObject({ status: 400 });
      await expect(assign(admin, username, parks)).rejects.toMatchObject({ status: 400 });
    }
  });

  test('managers add and remove only parks of their own; other parks of the user stay', async () => {
    const manager = await server.as('Health & Safety Manager', ['Lido Beach', 'Robin Hood']);
    const person = await server.as('None', ['Mounds', 'Robin Hood']);
    const rejection = { status: 403, message: 'You can only add and remove parks of your own' };
    for (const parks of [{ park: 'Lido Beach' }, { park: '' }, { park: 'Mounds', parks: ['Mounds', 'Winkups'] }])
      await expect(assign(manager, person.username, parks)).rejects.toMatchObject(rejection);
    await assign(manager, person.username, { park: 'Lido Beach', parks: ['Lido Beach', 'Mounds'] });
    expect(await findUser(person.username)).toMatchObject({ parks: ['Lido Beach', 'Mounds'] });
    const ofAllParks = await server.as('None');
    await expect(assign(manager, ofAllParks.username, { park: 'Lido Beach' })).rejects.toMatchObject(rejection);
    await expect(manager(api.createUser, { body: newUser({ park: 'Mounds' }) })).rejects.toMatchObject(rejection);
    await manager(api.createUser, { body: newUser(several) });
    await expect(
      manager(api.importUsers, { body: { csv: 'b.one,None,Lido Beach\nb.two,None,Lido Beach;Mounds' } }),
    ).rejects.toMatchObject({ body: { lines: [{ line: 2, message: rejection.message }] } });
  });

  test('an import creates users of several parks', async () => {
    const csv = 'imported.one,None,Lido Beach; Robin Hood\nimported.two,None,All parks';
    const { users } = await admin(api.importUsers, { body: { csv } });
    expect(users).toMatchObject([several, { park: '', parks: null }]);
    expect(await findUser('imported.one')).toMatchObject(several);
  });

  test('a change of parks is logged and ends push messages to the devices of the user', async () => {
    const person = await server.as('None', 'Lido Beach');
    const body = { endpoint: `https://fcm.googleapis.com/fcm/send/${person.id}`, keys: { p256dh: 'BA', auth: 'AA' } };
    await person(api.addPushSubscription, { body });
    const listDevices = () =>
      server.db.selectFrom('push_subscriptions').select('id').where('user_id', '=', person.id).execute();
    await assign(admin, person.username, { park: 'Lido Beach', parks: ['Lido Beach'] });
    expect(await listDevices()).toHaveLength(1);
    await assign(admin, person.username, several);
    expect(await listDevices()).toHaveLength(0);
    const [entry] = await admin(api.listActivity, { query: { q: person.username } });
    expect(entry?.changes).toEqual({ park: { from: 'Lido Beach', to: 'Lido Beach, Robin Hood' } });
  });

  test('users see folders and audits of each of their parks, and of no other', async () => {
    const person = await server.as('None', [...several.parks]);
    const folders = await Promise.all(
      (['Lido Beach', 'Robin Hood', 'Mounds'] as const).map((park) => newFolder(admin, { park })),
    );
    const audits: string[] = [];
    for (const folder of folders) audits.push((await admin(api.createAudit, { body: newAudit(folder) })).id);
    expect((await person(api.listFolders)).map(({ id }) => id).toSorted()).toEqual(folders.slice(0, 2).toSorted());
    for (const id of audits.slice(0, 2)) await person(api.getAudit, { params: { id } });
    await expect(person(api.getAudit, { params: { id: audits[2] ?? '' } })).rejects.toMatchObject({ status: 404 });
    const body = { name: 'New', description: '', park: 'Robin Hood' as const };
    await person(api.createFolder, { body });
    await expect(person(api.createFolder, { body: { ...body, park: 'Mounds' } })).rejects.toMatchObject({
      status: 403,
    });
  });

  test('staff see the due checks of their parks, and a submission belongs to the park they choose, otherwise to their first', async () => {
    const person = await server.as('None', [...several.parks]);
    const sections = [{ title: 'Is the gate locked?', type: 'checkbox' as const, required: false }];
    const { id: checklistId } = await admin(api.createChecklist, { body: { title: 'Gates', sections } });
    const times = { repeat: 'daily' as const, opens_at: '00:00', closes_at: '00:00', starts_on: '2026-01-01' };
    const parks = ['Lido Beach', 'Robin Hood', 'Mounds'] as const;
    await admin(api.createSchedule, { body: { ...times, checklist_id: checklistId, parks: [...parks] } });
    const listParks = async (client: TestClient, park?: string) =>
      new Set((await client(api.listDueChecks, { query: { park } })).checks.map(({ park }) => park));
    expect(await listParks(person)).toEqual(new Set(several.parks));
    expect(await listParks(person, 'Robin Hood')).toEqual(new Set(['Robin Hood']));
    expect(await listParks(person, 'Mounds')).toEqual(new Set(several.parks));
    expect(await listParks(person, 'Robin Hood,Mounds')).toEqual(new Set(['Robin Hood']));
    const manager = await server.as('Health & Safety Manager', [...several.parks]);
    expect(await listParks(manager)).toEqual(new Set(parks));
    expect(await listParks(manager, several.parks.join())).toEqual(new Set(several.parks));
    for (const [park, expected] of [
      ['Robin Hood', 'Robin Hood'],
      [undefined, 'Lido Beach'],
      ['Mounds', 'Lido Beach'],
    ] as const) {
      const { id } = await person(api.submitChecklist, { body: { checklistId, data: { '0': true }, park } });
      expect(await admin(api.getSubmission, { params: { id } })).toMatchObject({ park: expected });
    }
  });

  test('reviewers of several parks are notified of reports at each of them', async () => {
    const manager = await server.as('Health & Safety Manager', [...several.parks]);
    for (const selectedPlace of ['Robin Hood', 'Mounds', 'Lido Beach'] as const)
      await admin(api.submitAccident, { body: await newReport(admin, { selectedPlace }) });
    const notifications = await manager(api.listNotifications);
    expect(notifications.map(({ park }) => park)).toEqual(['Lido Beach', 'Robin Hood']);
    await admin(api.assignRole, {
      body: { username: manager.username, role: 'Health & Safety Manager', park: 'Robin Hood' },
    });
    expect((await manager(api.listNotifications)).map(({ park }) => park)).toEqual(['Robin Hood']);
    expect(await manager(api.countNotifications)).toMatchObject({ unread: 1 });
  });

  test('a pack made for several parks is hidden once its creator has lost one of them', async () => {
    const manager = await server.as('Health & Safety Manager', [...several.parks]);
    const body = { recipient: 'HSE', purpose: 'Visit', withoutNames: true, reports: [] };
    await server.db.transaction().execute(async (db) => {
      const id = await insertPack(db, body, manager, new Date());
      const ready = { state: 'ready' as const, parks: JSON.stringify(several.parks) };
      await db.updateTable('packs').set(ready).where('id', '=', id).execute();
    });
    const getState = async (parks: string[]) =>
      (await listPacks(server.db, { id: manager.id, role: 'Health & Safety Manager', parks }))[0]?.state;
    expect(await getState([...several.parks, 'Winkups'])).toBe('ready');
    expect(await getState(['Lido Beach'])).toBe('expired');
  });
});

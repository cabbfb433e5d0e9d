// Settings of parks: who does the audits of failing answers, and who may see and change them.
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { defaultParks as parks } from '#shared/choices.ts';
import { newId } from '../ids.ts';
import { engines, password, type TestClient } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

describe.each(engines)('settings of parks on %s', (engine) => {
  const { server, admin } = createTestServer(engine);
  const lidoAdmin = server.user('Admin', 'Lido Beach');
  const lidoStaff = server.user('None', 'Lido Beach');

  const park = 'Lido Beach';
  /** Submits a failing answer at Lido Beach; returns the assignee of the audit that it creates. */
  async function getAssigneeOfNewAudit(assignees: Record<string, string> = {}) {
    const title = `Gate ${newId()}`;
    const onFail = { when: 'No', photo: 'optional', audit: { urgent: false, days: 1, assignees } } as const;
    const sections = [{ title, type: 'na' as const, required: true, onFail }];
    const { id: checklistId } = await admin(api.createChecklist, { body: { title, sections } });
    await lidoStaff(api.submitChecklist, {
      body: { checklistId, data: { 0: 'No' }, failures: { 0: { note: 'Open', mediaFiles: [] } } },
    });
    return (await admin(api.listOpenAudits)).find((audit) => audit.title === title)?.assignee;
  }
  const save = (client: TestClient, body: object) => client(api.saveParkSettings, { body: { park, ...body } });
  const find = async (client: TestClient) => (await client(api.listParkSettings)).find((one) => one.park === park);

  test('audits of failing answers are assigned to the user chosen for the park, unless the question names another', async () => {
    const [chosen, other] = [await server.as('None', park), await server.as('None', park)];
    expect(await getAssigneeOfNewAudit()).toBe('');
    await save(lidoAdmin, { assignee: chosen.username });
    expect(await getAssigneeOfNewAudit()).toBe(chosen.username);
    expect(await getAssigneeOfNewAudit({ 'Robin Hood': other.username })).toBe(chosen.username);
    expect(await getAssigneeOfNewAudit({ [park]: other.username })).toBe(other.username);
    await save(lidoAdmin, { assignee: '' });
    expect(await getAssigneeOfNewAudit()).toBe('');
    const [entry] = await admin(api.listActivity, { query: { thing: 'park' } });
    expect(entry).toMatchObject({ label: park, changes: { assignee: { from: chosen.username, to: '' } } });
  });

  test('after the chosen user is deleted, audits are unassigned, even if someone else gets the username', async () => {
    const chosen = await server.as('None', park);
    await save(admin, { assignee: chosen.username });
    await admin(api.deleteUser, { params: { id: chosen.id } });
    await admin(api.createUser, { body: { username: chosen.username, password, role: 'None', park } });
    expect(await getAssigneeOfNewAudit()).toBe('');
    expect((await lidoAdmin(api.listNotifications)).map(({ text }) => text)).toContainEqual(
      expect.stringContaining(`Audit at ${park} has no assignee, because ${chosen.username} may not see that park`),
    );
    expect(await find(admin)).toMatchObject({ assignee: '' });
  });

  test('an Admin of one park sees and changes only that park, and not its authority', async () => {
    expect((await lidoAdmin(api.listParkSettings)).map((one) => one.park)).toEqual([park]);
    expect((await admin(api.listParkSettings)).map((one) => one.park)).toEqual([...parks]);
    await expect(save(lidoAdmin, { park: 'Mounds', assignee: '' })).rejects.toMatchObject({ status: 404 });
    await expect(save(lidoAdmin, { authority: 'HSE' })).rejects.toMatchObject({ status: 403 });
    expect(await find(admin)).toMatchObject({ authority: 'council' });
  });

  test('only a user who may see the park can be chosen for its audits', async () => {
    const stranger = await server.as('None', 'Mounds');
    for (const assignee of [stranger.username, 'Nobody Here'])
      await expect(save(admin, { assignee })).rejects.toMatchObject({
        status: 400,
        fields: { assignee: 'Choose a user who sees Lido Beach' },
      });
  });

  test('a telephone number has digits and signs only', async () => {
    await expect(save(admin, { telephone: 'Ask at reception' })).rejects.toMatchObject({
      status: 400,
      fields: { telephone: 'Enter a telephone number, such as 01745 123456' },
    });
    await save(admin, { telephone: '+44 (0)1745 123-456' });
    expect((await find(admin))?.telephone).toBe('+44 (0)1745 123-456');
    await save(admin, { telephone: '\u202dtel:01745/123456\u202c' });
    expect((await find(admin))?.telephone).toBe('01745/123456');
    await save(admin, { telephone: '' });
  });

  test('the settings of several parks are saved together or not at all, with every field that is wrong', async () => {
    const worker = await server.as('None', 'Mounds');
    const people = { assignee: worker.username, hazardAssignee: worker.username };
    const saveAll = (client: TestClient, ...all: object[]) =>
      client(api.saveAllParkSettings, { body: { parks: all } as never });
    const mounds = { park: 'Mounds', telephone: '01745 100200', authority: 'HSE', ...people };
    const listAll = async () => {
      const settings = await admin(api.listParkSettings);
      return ['Mounds', 'Robin Hood'].map((name) => settings.find((one) => one.park === name)?.telephone);
    };
    const stranger = { park: 'Robin Hood', telephone: '01745 300400', ...people };
    await expect(saveAll(admin, mounds, stranger)).rejects.toMatchObject({
      status: 400,
      fields: {
        'parks.1.assignee': 'Choose a user who sees Robin Hood',
        'parks.1.hazardAssignee': 'Choose a user who sees Robin Hood',
      },
    });
    await expect(saveAll(admin, mounds, { park: 'Robin Hood', telephone: 'Ask' })).rejects.toMatchObject({
      status: 400,
      fields: { 'parks.1.telephone': 'Enter a telephone number, such as 01745 123456' },
    });
    expect(await listAll()).toEqual(['', '']);
    await expect(saveAll(lidoAdmin, { park, telephone: '01745 1' }, { park: 'Mounds' })).rejects.toMatchObject({
      status: 404,
    });
    await expect(saveAll(lidoAdmin, { park, authority: 'HSE' })).rejects.toMatchObject({ status: 403 });
    await saveAll(admin, mounds, { park: 'Robin Hood', telephone: '01745 300400' }, { park: 'Kingsley' });
    expect(await listAll()).toEqual(['01745 100200', '01745 300400']);
    const entries = await admin(api.listActivity, { query: { thing: 'park' } });
    expect(entries.slice(0, 2).map(({ label }) => label)).toEqual(['Robin Hood', 'Mounds']);
  });

  test('saving one setting of a park keeps its other settings', async () => {
    const chosen = await server.as('None', park);
    await save(lidoAdmin, { assignee: chosen.username });
    await save(admin, { authority: 'HSE' });
    expect(await find(admin)).toEqual({
      ...{ park, authority: 'HSE', assignee: chosen.username, hazardAssignee: '', telephone: '' },
      ...{ guestTelephone: '', gasTelephone: '', takesMessages: true },
    });
  });
});

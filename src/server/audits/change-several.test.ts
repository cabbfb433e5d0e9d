// Several audits are assigned, given a due date, or their assignees reminded, with one request.
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { newAudit, newFolder } from '../testing/factories.ts';
import { engines } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

describe.each(engines)('changing several audits on %s', (engine) => {
  let folder: string;
  const { server, admin, staff } = createTestServer(engine);
  beforeAll(async () => {
    folder = await newFolder(admin);
  });

  const create = async (title: string, changes = {}, folderId = folder) => {
    const { id } = await admin(api.createAudit, { body: newAudit(folderId, { title, assignee: '', ...changes }) });
    return admin(api.getAudit, { params: { id } });
  };
  const get = (id: string) => admin(api.getAudit, { params: { id } });
  const listTexts = async () => (await staff(api.listNotifications)).map(({ text }) => text);

  test('each of several changed audits keeps its other fields, and gets a new version, a notification and a log entry', async () => {
    const audits = [await create('Gate', { location: 'Pool' }), await create('Ladder', { is_urgent: true })];
    const body = { audits: [...audits, ...audits], change: { action: 'assign' as const, assignee: staff.username } };
    // The second request is the first one, repeated after a lost response.
    for (const _ of [1, 2]) expect(await admin(api.changeAudits, { body })).toEqual({ changed: 2, unchanged: [] });
    const [gate, ladder] = await Promise.all(audits.map(({ id }) => get(id)));
    expect(gate).toMatchObject({ version: 2, data: { assignee_id: staff.id, location: 'Pool' } });
    expect(ladder).toMatchObject({ version: 2, data: { assignee_id: staff.id, is_urgent: true } });
    expect(await listTexts()).toEqual(['Urgent audit assigned to you: Ladder', 'Audit assigned to you: Gate']);
    const log = await admin(api.listActivity, { query: { thing_id: ladder?.id ?? '' } });
    expect(log).toMatchObject([{ action: 'changed', label: 'Ladder' }, { action: 'created' }]);

    const changed = await staff(api.changeAudits, {
      body: { audits: [{ id: audits[0]?.id ?? '', version: 2 }], change: { action: 'setDate', date: '2099-05-01' } },
    });
    expect(changed.changed).toBe(1);
    expect(await get(audits[0]?.id ?? '')).toMatchObject({ date: '2099-05-01', data: { assignee_id: staff.id } });
  });

  test('audits that were changed, completed or cannot be seen are named and stay as they are', async () => {
    const [open, changed, completed] = [await create('Open'), await create('Changed'), await create('Completed')];
    const otherFolder = await newFolder(admin, { park: 'Robin Hood' });
    const elsewhere = await create('Elsewhere', {}, otherFolder);
    await admin(api.updateAudit, { params: { id: changed.id }, body: { title: 'Changed since' } });
    await admin(api.updateAudit, { params: { id: completed.id }, body: { data: { completed: true } } });
    const audits = [open, changed, completed, elsewhere];
    const change = { action: 'setDate', date: '2099-06-01' } as const;
    expect(await staff(api.changeAudits, { body: { audits, change } })).toEqual({
      changed: 1,
      unchanged: [
        { id: changed.id, reason: 'changed' },
        { id: completed.id, reason: 'completed' },
        { id: elsewhere.id, reason: 'notFound' },
      ],
    });
    const dates = await Promise.all(audits.map(async ({ id }) => (await get(id)).date));
    expect(dates).toEqual(['2099-06-01', ...audits.slice(1).map(({ date }) => date)]);
  });

  test('a reminder notifies the assignee once a day, and names audits without one', async () => {
    const assigned = await create('Handrail', { assignee: staff.username });
    const typed = await create('Drain', { assignee: 'Bob the plumber' });
    const done = await create('Lamp', { assignee: staff.username, completed: true });
    const body = { audits: [assigned, typed, done], change: { action: 'remind' } as const };
    const unchanged = [
      { id: typed.id, reason: 'noAssignee' },
      { id: done.id, reason: 'completed' },
    ];
    expect(await admin(api.changeAudits, { body })).toEqual({ changed: 1, unchanged });
    const again = [{ id: assigned.id, reason: 'reminded' }, ...unchanged];
    expect(await admin(api.changeAudits, { body })).toEqual({ changed: 0, unchanged: again });
    const log = await admin(api.listActivity, { query: { thing_id: assigned.id } });
    expect(log.filter(({ action }) => action === 'sent a reminder of')).toHaveLength(1);
    expect((await listTexts()).filter((text) => text.startsWith('Reminder'))).toEqual(['Reminder: Handrail']);
    expect((await get(assigned.id)).version).toBe(1);
  });

  test('after an error in the middle the reply says what was changed before it, and what was not', async () => {
    const [first, broken, last] = [await create('First'), await create('Broken'), await create('Last')];
    const statements =
      engine === 'postgres'
        ? [
            "create function fail() returns trigger as $$ begin raise exception 'broken'; end $$ language plpgsql",
            "create trigger broken before update on audits for each row when (old.title = 'Broken') execute function fail()",
          ]
        : [
            "create trigger broken before update on audits when old.title = 'Broken' begin select raise(abort, 'broken'); end",
          ];
    for (const statement of statements) await sql.raw(statement).execute(server.db);
    const change = { action: 'setDate', date: '2099-07-01' } as const;
    expect(await staff(api.changeAudits, { body: { audits: [first, broken, last], change } })).toEqual({
      changed: 1,
      unchanged: [
        { id: broken.id, reason: 'failed' },
        { id: last.id, reason: 'failed' },
      ],
    });
    expect([(await get(first.id)).date, (await get(last.id)).date]).toEqual(['2099-07-01', last.date]);
    await expect(staff(api.changeAudits, { body: { audits: [broken, last], change } })).rejects.toMatchObject({
      status: 500,
    });
  });
});

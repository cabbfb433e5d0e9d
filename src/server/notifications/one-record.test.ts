// Many changes of one record, and what one change causes, reach each user as few messages.
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import type { HazardKind } from '#shared/places/hazards.ts';
import { createClock } from '../clock.ts';
import { newAudit, newFolder } from '../testing/factories.ts';
import { startMailServer } from '../testing/mail-server.ts';
import { sendMessage } from '../testing/messages.ts';
import { engines, type TestClient } from '../testing/server.ts';
import { longSessions } from '../testing/settings.ts';
import { createTestServer, setUp } from '../testing/test-server.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { type Notice, notify } from './notify.ts';

const minute = 60_000;
const park = 'Lido Beach';
describe.each(engines)('messages about one record on %s', (engine) => {
  let now = Date.parse('2026-12-01T22:00:00Z');
  const clock = createClock(() => now);
  const mail = setUp(startMailServer);
  const { server, admin } = createTestServer(
    engine,
    () => ({ ...mail.settings, ...longSessions, PUBLIC_URL: 'http://localhost' }),
    clock,
  );

  const createUser = async (role: 'None' | 'Health & Safety Manager') => {
    const client = await server.as(role, park);
    const email = `${client.username}@example.com`;
    await server.db.updateTable('users').set({ email }).where('id', '=', client.id).execute();
    return client;
  };
  const listEmailsTo = ({ username }: TestClient) =>
    mail.received.filter(({ to }) => to.includes(`${username}@example.com`));
  const listDueTimes = async ({ id }: TestClient) =>
    (
      await server.db.selectFrom('deliveries').select('due_at').where('user_id', '=', id).orderBy('position').execute()
    ).map(({ due_at }) => due_at.slice(5, 16));
  const createNotice = ({ id }: TestClient, thing_id: string, line: string, changes: Partial<Notice> = {}): Notice => ({
    ...{ kind: 'auditAssigned', to: { users: [id] }, thing: 'audit', thing_id, park: '' },
    ...{ text: line, line, link: `/audit/${thing_id}`, ...changes },
  });
  const notifyUser = (...notice: Parameters<typeof createNotice>) =>
    server.db.transaction().execute((db) => notify(db, clock(), createNotice(...notice)));
  const untilAllSent = () =>
    waitUntil(async () => {
      const waiting = server.db.selectFrom('deliveries').select('id').where('state', '=', 'waiting');
      return (await waiting.execute()).length === 0;
    });

  test('an audit whose urgency changes again and again at night sends one email at once, and one in the morning', async () => {
    const manager = await createUser('Health & Safety Manager');
    const body = newAudit(await newFolder(admin, { park }), { title: 'Gate', is_urgent: true });
    const { id } = await admin(api.createAudit, { body });
    await waitUntil(() => listEmailsTo(manager).length === 1);
    for (let count = 0; count < 3; count++) {
      now += 20 * minute;
      for (const is_urgent of [false, true])
        await admin(api.updateAudit, { params: { id }, body: { data: { is_urgent } } });
    }
    expect(await listDueTimes(manager)).toEqual(['12-01T22:00', ...Array(3).fill('12-02T07:00')]);
    now = Date.parse('2026-12-02T07:00:00Z');
    await waitUntil(() => listEmailsTo(manager).length === 2);
    expect(listEmailsTo(manager)[1]?.subject).toBe('Holiday Parks: Urgent audit at Lido Beach');
  });

  test('messages about one record are ten minutes apart by day', async () => {
    const user = await createUser('None');
    now = Date.parse('2026-12-02T12:00:00Z');
    await notifyUser(user, 'a', 'first', { isUrgent: true });
    await waitUntil(() => listEmailsTo(user).length === 1);
    now += minute;
    await notifyUser(user, 'a', 'second', { isUrgent: true });
    await notifyUser(user, 'a', 'third', { kind: 'auditDue' });
    await notifyUser(user, 'b', 'other', { isUrgent: true });
    expect(await listDueTimes(user)).toEqual(['12-02T12:00', '12-02T12:10', '12-02T12:10', '12-02T12:01']);
    await waitUntil(() => listEmailsTo(user).length === 2);
    now += 10 * minute;
    await waitUntil(() => listEmailsTo(user).length === 3);
    expect(listEmailsTo(user)[2]?.subject).toBe('Holiday Parks: second and 1 more');
    await untilAllSent();
    await notifyUser(user, 'a', 'fourth', { isUrgent: true });
    expect((await listDueTimes(user)).at(-1)).toBe('12-02T12:20');
  });

  test('a failing urgent answer sends each user one email', async () => {
    now = Date.parse('2026-12-03T12:00:00Z');
    const manager = await createUser('Health & Safety Manager');
    const staff = await createUser('None');
    const audit = { urgent: true, days: 1, assignees: { [park]: manager.username } };
    const onFail = { when: 'No' as const, photo: 'optional' as const, audit };
    const { id: checklistId } = await admin(api.createChecklist, {
      body: { title: 'Slide', sections: [{ title: 'Gate locked?', type: 'na', required: true, onFail }] },
    });
    await staff(api.submitChecklist, {
      body: { checklistId, data: { '0': 'No' }, failures: { '0': { note: 'Broken' } } },
    });
    await untilAllSent();
    expect(listEmailsTo(manager)).toHaveLength(1);
    expect(listEmailsTo(manager)[0]?.text).toMatch(/assigned to you[\s\S]*Urgent audit[\s\S]*1 failing answer/);
    expect(await manager(api.listNotifications)).toHaveLength(3);
  });

  test('a failing urgent answer at night sends its assignee one email at once', async () => {
    now = Date.parse('2026-12-03T23:00:00Z');
    const manager = await createUser('Health & Safety Manager');
    const staff = await createUser('None');
    const onFail = {
      ...{ when: 'No' as const, photo: 'optional' as const },
      audit: { urgent: true, days: 1, assignees: { [park]: manager.username } },
    };
    const { id: checklistId } = await admin(api.createChecklist, {
      body: { title: 'Swing', sections: [{ title: 'Chains whole?', type: 'na', required: true, onFail }] },
    });
    await staff(api.submitChecklist, {
      body: { checklistId, data: { '0': 'No' }, failures: { '0': { note: 'Broken' } } },
    });
    await waitUntil(() => listEmailsTo(manager).length > 0);
    expect(listEmailsTo(manager)[0]?.text).toMatch(/assigned to you[\s\S]*Urgent audit/);
    now = Date.parse('2026-12-04T08:00:00Z');
    await untilAllSent();
    expect(listEmailsTo(manager).filter(({ text }) => text.includes('Urgent audit'))).toHaveLength(1);
  });

  test('a message sent while the clock was a day ahead does not delay the next one', async () => {
    const user = await createUser('Health & Safety Manager');
    now = Date.parse('2026-12-04T11:00:00Z');
    await notifyUser(user, 'ahead', 'first');
    await untilAllSent();
    now = Date.parse('2026-12-03T12:00:00Z');
    // In one transaction, so that the second is not sent before the third is planned.
    await server.db.transaction().execute(async (db) => {
      await notify(db, clock(), createNotice(user, 'ahead', 'second'));
      await notify(db, clock(), createNotice(user, 'other', 'third'));
    });
    expect((await listDueTimes(user)).slice(1)).toEqual(['12-03T12:00', '12-03T12:00']);
    await untilAllSent();
  });

  test('an email has one line for the missed checks of a park, and at most 30 lines', async () => {
    now = Date.parse('2026-12-04T12:00:00Z');
    const manager = await createUser('Health & Safety Manager');
    const missed = { kind: 'checkMissed', thing: 'check', park, link: '/checks?state=missed&park=Lido+Beach' } as const;
    await server.db.transaction().execute(async (db) => {
      for (let count = 0; count < 3; count++)
        await notify(db, clock(), createNotice(manager, `check ${count}`, `Scheduled check missed ${count}`, missed));
      for (let count = 0; count < 33; count++)
        await notify(db, clock(), createNotice(manager, `audit ${count}`, `Audit ${count}`));
    });
    await untilAllSent();
    const [email] = listEmailsTo(manager);
    expect(listEmailsTo(manager)).toHaveLength(1);
    expect(email?.subject).toBe('Holiday Parks: 3 scheduled checks missed at Lido Beach and 33 more');
    const paragraphs = email?.text.split(/\r?\n\r?\n/) ?? [];
    expect(paragraphs[0]).toBe(
      '3 scheduled checks missed at Lido Beach\r\nhttp://localhost/checks?state=missed&park=Lido+Beach',
    );
    expect(paragraphs[29]).toBe('and 5 more\r\nhttp://localhost/notifications');
    // 30 lines and the note on settings.
    expect(paragraphs).toHaveLength(31);
  });

  test('an urgent message does not wait for the retry of a message about another record', async () => {
    now = Date.parse('2026-12-05T12:00:00Z');
    const user = await createUser('None');
    mail.state.fullMailbox = `${user.username}@example.com`;
    await notifyUser(user, 'a', 'first');
    await waitUntil(async () => (await user(api.listNotifications))[0]?.deliveries[0]?.attempts === 1);
    mail.state.fullMailbox = '';
    await notifyUser(user, 'b', 'urgent', { isUrgent: true });
    await waitUntil(() => listEmailsTo(user).length === 1);
    expect(listEmailsTo(user)[0]?.subject).toBe('Holiday Parks: urgent');
  });

  test('staff see that a message failed, and reviewers also what the mail server answered', async () => {
    now = Date.parse('2026-12-07T12:00:00Z');
    for (const [role, answer] of [
      ['None', ''],
      ['Health & Safety Manager', expect.stringContaining('(address) is full')],
    ] as const) {
      const client = await createUser(role);
      mail.state.fullMailbox = `${client.username}@example.com`;
      await notifyUser(client, 'x', 'x');
      await waitUntil(async () => (await client(api.listNotifications))[0]?.deliveries[0]?.attempts === 1);
      expect((await client(api.listNotifications))[0]?.deliveries[0]).toMatchObject({ state: 'waiting', answer });
    }
  });

  test('an urgent message of a guest comes at once at night, although others came before', async () => {
    const manager = await createUser('Health & Safety Manager');
    now = Date.parse('2027-01-10T22:00:00Z');
    const send = (kind: HazardKind) => sendMessage(server, { kind }, { now: new Date(now), park });
    await send('Other');
    now += 5 * minute;
    await send('Fire');
    now += 60 * minute;
    await send('Fire');
    expect(await listDueTimes(manager)).toEqual(['01-11T07:00', '01-10T22:05', '01-10T23:05']);
  });
});

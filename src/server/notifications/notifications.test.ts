import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { createClock } from '../clock.ts';
import { newReport } from '../testing/factories.ts';
import { startMailServer } from '../testing/mail-server.ts';
import { startPushService } from '../testing/push-service.ts';
import { readRow, readRows } from '../testing/rows.ts';
import { engines, password, pollMs, startTestServer, type TestClient } from '../testing/server.ts';
import { longSessions } from '../testing/settings.ts';
import { createTestServer, setUp } from '../testing/test-server.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { deleteUser } from '../users/store.ts';
import { notify } from './notify.ts';
import { deleteOldNotifications } from './store.ts';

const minute = 60_000;
describe.each(engines)('notifications on %s', (engine) => {
  // Noon in winter, so that the quiet hours are far away.
  let now = Date.parse('2026-12-01T12:00:00Z');
  const clock = createClock(() => now);
  const mail = setUp(startMailServer);
  const push = setUp(startPushService);
  const { server, staff } = createTestServer(
    engine,
    () => ({ ...mail.settings, ...push.settings, ...longSessions }),
    clock,
  );

  const setEmail = (client: TestClient, email = `${client.username}@example.com`) =>
    server.db.updateTable('users').set({ email }).where('id', '=', client.id).execute();
  const submit = async (changes = {}) => staff(api.submitAccident, { body: await newReport(staff, changes) });
  const listEmailsTo = (client: TestClient) =>
    mail.received.filter(({ to }) => to.includes(`${client.username}@example.com`));
  const unread = async (client: TestClient) => (await client(api.countNotifications)).unread;
  const notifyUser = (client: TestClient, line: string, changes = {}) =>
    server.db.transaction().execute((db) =>
      notify(db, clock(), {
        kind: 'auditAssigned',
        to: { users: [client.id] },
        thing: 'audit',
        thing_id: `audit-of-${client.id}`,
        park: '',
        text: line,
        line,
        link: '/audits',
        ...changes,
      }),
    );

  /**
   * The time of the retry depends on when the failure was recorded, so tests move the clock only
   * afterwards.
   */
  const waitUntilFailureIsRecorded = (client: TestClient) =>
    waitUntil(async () =>
      (await server.db.selectFrom('deliveries').select('attempts').where('user_id', '=', client.id).execute()).some(
        ({ attempts }) => attempts > 0,
      ),
    );

  /** A message arrives before the sender has recorded its success. */
  const waitUntilRecorded = () =>
    waitUntil(async () => {
      const claimedDelivery = server.db.selectFrom('deliveries').select('id').where('leased_until', '<>', '');
      return (await claimedDelivery.execute()).length === 0;
    });

  test('reviewers who see the park are notified of a report in the app and by email, without names', async () => {
    const [manager, headOfficeManager, otherParkManager] = [
      await server.as('Health & Safety Manager', 'Lido Beach'),
      await server.as('Admin'),
      await server.as('Health & Safety Manager', 'Robin Hood'),
    ];
    for (const client of [manager, headOfficeManager, otherParkManager, staff]) await setEmail(client);
    const { id: deletedUser } = await server.as('Admin');
    await deleteUser(server.db, deletedUser, clock());
    const { id, number } = await submit();
    expect(await readRows(server.db, 'notifications', { user_id: deletedUser })).toEqual([]);
    for (const client of [manager, headOfficeManager]) {
      expect(await unread(client)).toBe(1);
      const [first] = await client(api.listNotifications);
      expect(first).toMatchObject({
        kind: 'reportFiled',
        text: `Accident report ${number} at Lido Beach`,
        link: `/get-reports?report=${id}`,
        read_at: null,
      });
    }
    for (const client of [otherParkManager, staff]) expect(await client(api.listNotifications)).toEqual([]);
    await waitUntil(() => listEmailsTo(manager).length === 1 && listEmailsTo(headOfficeManager).length === 1);
    const [email] = listEmailsTo(manager);
    expect(email?.subject).toBe(`Holiday Parks: Accident report ${number} at Lido Beach`);
    for (const secret of ['Siân', 'Jones', 'Huw', 'Slip', 'Plot 12', '07700900123'])
      expect(JSON.stringify(mail.received)).not.toContain(secret);
    expect([listEmailsTo(otherParkManager), listEmailsTo(staff)]).toEqual([[], []]);
    await waitUntil(async () =>
      (await headOfficeManager(api.listReportDeliveries, { params: { id } })).every(({ state }) => state === 'sent'),
    );
    const reportDeliveries = await headOfficeManager(api.listReportDeliveries, { params: { id } });
    expect(reportDeliveries.map(({ to, channel, attempts }) => [to, channel, attempts]).sort()).toEqual(
      [
        [manager.username, 'email', 1],
        [headOfficeManager.username, 'email', 1],
      ].sort(),
    );
    expect(reportDeliveries[0]).toMatchObject({ at: clock().toISOString(), answer: '250 OK: queued for (address)' });
    // One notification is read by opening it, then all are marked as read.
    const [first] = await headOfficeManager(api.listNotifications);
    await headOfficeManager(api.readNotification, { params: { id: first?.id ?? '' } });
    expect(await unread(headOfficeManager)).toBe(0);
    await expect(manager(api.readNotification, { params: { id: first?.id ?? '' } })).rejects.toMatchObject({
      status: 404,
    });
    // Opening a report reads one's own notification of it.
    const second = await submit();
    expect(await unread(manager)).toBe(2);
    await manager(api.getReport, { params: { id: second.id } });
    expect([await unread(manager), await unread(headOfficeManager)]).toEqual([1, 1]);
    await headOfficeManager(api.getReport, { params: { id: second.id } });
    expect(await unread(headOfficeManager)).toBe(0);
    await manager(api.readAllNotifications);
    expect(await unread(manager)).toBe(0);
  });

  test('a change that is rolled back notifies nobody', async () => {
    const person = await server.as('None');
    await server.db
      .transaction()
      .execute(async (db) => {
        await notify(db, clock(), {
          ...{ kind: 'auditAssigned', to: { users: [person.id] }, thing: 'audit', thing_id: 'x' },
          ...{ park: '', text: 'x', line: 'x', link: '/' },
        });
        throw new Error('undone');
      })
      .catch(() => undefined);
    expect(await person(api.listNotifications)).toEqual([]);
  });

  test('users are notified of an event once, and messages of one kind within 5 minutes become one email unless urgent', async () => {
    const person = await server.as('None');
    await setEmail(person);
    await notifyUser(person, 'first', { event: 'same' });
    await notifyUser(person, 'first', { event: 'same' });
    await waitUntil(() => listEmailsTo(person).length === 1);
    expect(await unread(person)).toBe(1);
    for (const thing_id of ['second', 'third']) await notifyUser(person, thing_id, { thing_id });
    await wait(3 * pollMs);
    expect(listEmailsTo(person)).toHaveLength(1);
    now += 5 * minute;
    await waitUntil(() => listEmailsTo(person).length === 2);
    expect(listEmailsTo(person)[1]).toMatchObject({ subject: 'Holiday Parks: second and 1 more' });
    expect(listEmailsTo(person)[1]?.text).toMatch(/second[\s\S]*third/);
    expect(await unread(person)).toBe(3);
    for (const count of [3, 4]) {
      await notifyUser(person, `urgent ${count}`, { isUrgent: true, thing_id: `urgent ${count}` });
      await waitUntil(() => listEmailsTo(person).length === count);
    }
  });

  test('a kind of notification switched off for a channel is not sent, and a required kind cannot be switched off', async () => {
    const person = await server.as('Health & Safety Manager');
    await setEmail(person);
    await person(api.saveNotificationSettings, {
      body: {
        off: [
          { kind: 'auditAssigned', channel: 'email' },
          { kind: 'legalDeadline', channel: 'email' },
        ],
      },
    });
    expect((await person(api.getNotificationSettings)).off).toEqual([{ kind: 'auditAssigned', channel: 'email' }]);
    // Switch off a required kind in the database, as if the user had done so before it was required.
    const before = { user_id: person.id, kind: 'legalDeadline', channel: 'email' } as const;
    await server.db.insertInto('notifications_off').values(before).execute();
    await notifyUser(person, 'assigned');
    await notifyUser(person, 'the law', { kind: 'legalDeadline' });
    await waitUntil(() => listEmailsTo(person).length === 1);
    expect(listEmailsTo(person)[0]?.subject).toContain('the law');
    expect((await person(api.listNotifications)).map(({ text }) => text)).toEqual(['the law', 'assigned']);
  });

  test('emails wait in order while the mail server rejects them, and Admins see since when it does', async () => {
    const [person, admin] = [await server.as('None'), await server.as('Admin')];
    await setEmail(person);
    await waitUntilRecorded();
    now += minute;
    mail.state.isRejecting = true;
    const since = clock().toISOString();
    await notifyUser(person, 'one', { thing_id: 'down' });
    await waitUntil(async () => (await admin(api.getDeliveryHealth)).emailFailingSince === since);
    await notifyUser(person, 'urgent', { kind: 'urgentAudit', isUrgent: true, to: { users: [person.id, admin.id] } });
    await notifyUser(person, 'two');
    now += 30 * minute;
    // The first message is tried again, and the others wait for it.
    const getDelivery = async () =>
      (await person(api.listNotifications)).find(({ text }) => text === 'one')?.deliveries[0];
    await waitUntil(async () => (await getDelivery())?.attempts === 2);
    expect(listEmailsTo(person)).toEqual([]);
    const [failed] = await admin(api.listNotifications, { query: { limit: 1 } });
    expect(failed?.text).toBe('urgent');
    expect(await getDelivery()).toMatchObject({ state: 'waiting', answer: '' });
    mail.state.isRejecting = false;
    now += 40 * minute;
    await waitUntil(() => listEmailsTo(person).length > 0);
    expect(listEmailsTo(person)[0]?.text).toMatch(/one[\s\S]*two/);
    // The email arrives before the sender has recorded its success.
    await waitUntil(async () => (await admin(api.getDeliveryHealth)).emailFailingSince === null);
  });

  test('a message is shown as failed after 8 attempts in 24 hours', async () => {
    const person = await server.as('None');
    await setEmail(person);
    mail.state.isRejecting = true;
    await notifyUser(person, 'never');
    const get = async () => (await person(api.listNotifications))[0]?.deliveries[0];
    const startTime = now;
    for (let attempts = 1; attempts <= 8; attempts++) {
      await waitUntil(async () => (await get())?.attempts === attempts);
      const row = await readRow(server.db, 'deliveries', { user_id: person.id });
      if (row.state === 'waiting') now = Math.max(now, Date.parse(row.due_at));
    }
    expect(await get()).toMatchObject({ state: 'failed', attempts: 8 });
    expect(now - startTime).toBe(24 * 60 * minute);
    mail.state.isRejecting = false;
    now += 2 * 60 * minute;
  });

  test('a reviewer who becomes one of the staff sees no notifications of reviewers any more', async () => {
    const [manager, admin] = [await server.as('Health & Safety Manager', 'Lido Beach'), await server.as('Admin')];
    await notifyUser(manager, 'A report at Lido Beach', { kind: 'reportFiled', park: 'Lido Beach' });
    expect(await manager(api.listNotifications)).toMatchObject([{ kind: 'reportFiled' }]);
    await admin(api.assignRole, { body: { username: manager.username, role: 'None', park: 'Lido Beach' } });
    expect([await manager(api.listNotifications), await unread(manager)]).toEqual([[], 0]);
  });

  test('a device gets encrypted messages until it unsubscribes or its user signs out or changes park', async () => {
    const [person, admin] = [await server.as('None', 'Lido Beach'), await server.as('Admin')];
    const countDevices = async () => (await person(api.getNotificationSettings)).endpoints.length;
    await expect(
      person(api.addPushSubscription, { body: { ...push.subscribe('evil'), endpoint: 'https://169.254.169.254/x' } }),
    ).rejects.toMatchObject({ status: 400, message: 'The push service of this browser is not supported' });
    await person(api.addPushSubscription, { body: push.subscribe('phone') });
    expect(await countDevices()).toBe(1);
    await notifyUser(person, 'An audit at Lido Beach is assigned to you', { link: '/audit/abc', park: 'Lido Beach' });
    await waitUntil(() => push.received.length === 1);
    expect(push.received[0]).toMatchObject({
      device: 'phone',
      urgency: 'normal',
      message: { title: 'Holiday Parks', body: 'An audit at Lido Beach is assigned to you', link: '/audit/abc' },
    });
    expect(push.problems).toEqual([]);
    push.gone.add('phone');
    now += 10 * minute;
    await notifyUser(person, 'later');
    await waitUntil(async () => (await countDevices()) === 0);
    await waitUntilRecorded();
    expect((await person(api.listNotifications))[0]?.deliveries[0]).toMatchObject({ state: 'dropped' });

    await person(api.addPushSubscription, { body: push.subscribe('tablet') });
    // The next user on the same device.
    const other = await server.as('None', 'Lido Beach');
    await other(api.addPushSubscription, { body: push.subscribe('tablet') });
    await person(api.removePushSubscription, { body: { endpoint: push.subscribe('tablet').endpoint } });
    expect(await countDevices()).toBe(0);
    await person(api.addPushSubscription, { body: push.subscribe('watch') });
    await admin(api.assignRole, { body: { username: person.username, role: 'None', park: 'Robin Hood' } });
    expect(await countDevices()).toBe(0);
    expect(await person(api.listNotifications)).toHaveLength(1); // the other notification is about a report of Lido Beach, which the user may no longer see
    // A new password ends the other sessions and unsubscribes their devices.
    const otherDevice = await server.createSession(person.id, person.username);
    await person(api.addPushSubscription, { body: push.subscribe('phone of old') });
    await otherDevice(api.addPushSubscription, { body: push.subscribe('laptop') });
    const body = { currentPassword: password, newPassword: 'another horse battery' };
    await otherDevice(api.changePassword, { body });
    const { endpoints } = await otherDevice(api.getNotificationSettings);
    expect(endpoints).toEqual([expect.stringMatching(/laptop$/)]);
    expect((await other(api.getNotificationSettings)).endpoints).toHaveLength(1);
    await otherDevice(api.logout);

    await other(api.logout);
    const rows = await server.db.selectFrom('push_subscriptions').selectAll().execute();
    expect(rows).toEqual([]);
  });

  test('a notification about a record that the user may no longer see is not sent', async () => {
    const person = await server.as('None', 'Lido Beach');
    await setEmail(person);
    mail.state.isRejecting = true;
    await notifyUser(person, 'Lido only', { park: 'Lido Beach' });
    await waitUntilFailureIsRecorded(person);
    await server.db.updateTable('users').set({ parks: '["Robin Hood"]' }).where('id', '=', person.id).execute();
    mail.state.isRejecting = false;
    now += 2 * minute;
    const state = async () =>
      (await server.db.selectFrom('deliveries').select('state').where('user_id', '=', person.id).executeTakeFirst())
        ?.state;
    await waitUntil(async () => (await state()) === 'dropped');
    expect(listEmailsTo(person)).toEqual([]);
  });

  test('an email of two notifications leaves out the one that the user may no longer see, and records it as dropped', async () => {
    const manager = await server.as('Health & Safety Manager');
    await setEmail(manager);
    mail.state.isRejecting = true;
    for (const park of ['Robin Hood', 'Lido Beach']) await notifyUser(manager, `At ${park}`, { park });
    await waitUntilFailureIsRecorded(manager);
    await server.db.updateTable('users').set({ parks: '["Lido Beach"]' }).where('id', '=', manager.id).execute();
    mail.state.isRejecting = false;
    now += 10 * minute;
    const states = async () =>
      (await readRows(server.db, 'deliveries', { user_id: manager.id }, 'position')).map(
        ({ line, state }) => `${line}: ${state}`,
      );
    await waitUntil(async () => (await states()).every((state) => !state.endsWith('waiting')));
    expect(await states()).toEqual(['At Robin Hood: dropped', 'At Lido Beach: sent']);
    expect(JSON.stringify(listEmailsTo(manager))).not.toContain('Robin Hood');
  });

  test('a test notification is sent by every channel at once', async () => {
    const person = await server.as('None');
    await setEmail(person);
    await person(api.addPushSubscription, { body: push.subscribe('mine') });
    expect(await person(api.sendTestNotification)).toEqual({
      success: true,
      channels: ['app', expect.any(String), expect.any(String)],
    });
    await waitUntil(() => listEmailsTo(person).length === 1 && push.received.some(({ device }) => device === 'mine'));
    await person(api.sendTestNotification);
    await waitUntil(() => listEmailsTo(person).length === 2);
  });

  test('notifications are deleted after 90 days, and their deliveries stay', async () => {
    const person = await server.as('None');
    await setEmail(person);
    await notifyUser(person, 'old', { thing_id: 'kept' });
    await waitUntil(() => listEmailsTo(person).length === 1);
    await waitUntilRecorded();
    await deleteOldNotifications(server.db, new Date(now + 89 * 24 * 60 * minute));
    expect(await person(api.listNotifications)).toHaveLength(1);
    await deleteOldNotifications(server.db, new Date(now + 91 * 24 * 60 * minute));
    expect(await person(api.listNotifications)).toEqual([]);
    const keptDeliveries = server.db.selectFrom('deliveries').select('state').where('thing_id', '=', 'kept');
    expect(await keptDeliveries.execute()).toEqual([{ state: 'sent' }]);
    const attempts = server.db.selectFrom('delivery_attempts').select('is_accepted');
    const keptDelivery = server.db.selectFrom('deliveries').select('id').where('thing_id', '=', 'kept');
    expect(await attempts.where('delivery_id', 'in', keptDelivery).execute()).toEqual([{ is_accepted: 1 }]);
  });
});

test.each(engines)('an unusable SMTP_URL is reported and affects nothing else, on %s', async (engine) => {
  await using server = await startTestServer(engine, { SMTP_URL: 'mail.example.com', MAIL_FROM: 'parks@example.com' });
  const admin = await server.as('Admin');
  expect((await admin(api.getDeliveryHealth)).problem).toMatch(/^SMTP_URL cannot be used/);
  expect((await admin(api.getNotificationSettings)).isEmailSetUp).toBe(false);
  await admin(api.submitAccident, { body: await newReport(admin) });
  expect(await admin(api.listNotifications)).toHaveLength(1);
});

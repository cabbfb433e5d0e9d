import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { engines, type TestClient } from '../testing/server.ts';
import { longSessions } from '../testing/settings.ts';
import { createTestServer } from '../testing/test-server.ts';
import { notifyOfMissedChecks } from './missed.ts';

describe.each(engines)('missed checks on %s', (engine) => {
  let now = Date.parse('2026-03-28T04:00:00Z');
  const { server, admin, staff } = createTestServer(engine, longSessions, () => now);
  const manager = server.user('Health & Safety Manager', 'Lido Beach');
  const otherParkManager = server.user('Health & Safety Manager', 'Mounds');

  const at = async (instant: string) => {
    now = Date.parse(instant);
    await Promise.all([notifyOfMissedChecks(server.db, new Date(now)), notifyOfMissedChecks(server.db, new Date(now))]);
  };
  const listNotificationTexts = async (client: TestClient) =>
    (await client(api.listNotifications)).filter(({ kind }) => kind === 'checkMissed').map(({ text }) => text);
  const schedule = async (title: string, closes_at: string) => {
    const sections = [{ title: 'Is it clean?', type: 'checkbox' as const, required: false }];
    const { id: checklist_id } = await admin(api.createChecklist, { body: { title, sections } });
    const day = new Date(now).toISOString().slice(0, 10);
    await admin(api.createSchedule, {
      body: { checklist_id, parks: ['Lido Beach'], repeat: 'daily', opens_at: '06:00', closes_at, starts_on: day },
    });
    return checklist_id;
  };

  test('reviewers of the park are notified once when the window closes, across both clock changes', async () => {
    await at('2026-03-28T04:00:00Z');
    const checklistId = await schedule('Pool check', '10:00');
    await at('2026-03-28T09:59:59Z');
    expect(await listNotificationTexts(manager)).toEqual([]);
    await at('2026-03-28T10:00:00Z');
    await at('2026-03-28T10:01:00Z');
    const line = 'Check missed at Lido Beach: Pool check, due until 10:00';
    expect(await listNotificationTexts(manager)).toEqual([line]);
    expect(await listNotificationTexts(admin)).toEqual([line]);
    expect([await listNotificationTexts(staff), await listNotificationTexts(otherParkManager)]).toEqual([[], []]);
    // Summer time: 10:00 is 09:00 in UTC.
    await at('2026-03-29T08:59:00Z');
    expect(await listNotificationTexts(manager)).toHaveLength(1);
    await at('2026-03-29T09:00:00Z');
    expect(await listNotificationTexts(manager)).toHaveLength(2);
    // The check of this day was submitted, so nobody is notified.
    now = Date.parse('2026-03-30T08:00:00Z');
    await staff(api.submitChecklist, { body: { checklistId, data: { '0': true } } });
    await at('2026-03-30T09:00:00Z');
    expect(await listNotificationTexts(manager)).toHaveLength(2);
    // The server was stopped at 10:00, when the check's time ended, and notifies when it runs again.
    await at('2026-03-31T20:00:00Z');
    expect(await listNotificationTexts(manager)).toHaveLength(3);
    await at('2026-03-31T20:01:00Z');
    expect(await listNotificationTexts(manager)).toHaveLength(3);
    await admin(api.deleteChecklist, { params: { id: checklistId } });
    await at('2026-04-01T20:00:00Z');
    expect(await listNotificationTexts(manager)).toHaveLength(3);

    await at('2026-10-24T22:00:00Z');
    await schedule('Beach check', '10:00');
    // Winter time: 10:00 is 10:00 in UTC.
    await at('2026-10-25T09:59:00Z');
    expect(await listNotificationTexts(manager)).toHaveLength(3);
    await at('2026-10-25T10:00:00Z');
    expect((await listNotificationTexts(manager))[0]).toBe('Check missed at Lido Beach: Beach check, due until 10:00');
    // A server that has never looked for missed checks reports none from before its first look.
    await server.db.deleteFrom('counters').where('name', '=', 'missed checks until').execute();
    await at('2026-10-26T20:00:00Z');
    expect(await listNotificationTexts(manager)).toHaveLength(4);
  });
});

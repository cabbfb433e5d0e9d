// A clock that was ahead for a minute suppresses no notification or check once it is right again.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import type { NotificationKind } from '#shared/notifications.ts';
import { sendAuditReminders } from './audits/reminders.ts';
import { createClock } from './clock.ts';
import { setCounter } from './db/counters.ts';
import { remindOfDeadlines } from './law/reminders.ts';
import { sendWeeklyDigest } from './overview/digest.ts';
import { notifyOfMissedChecks } from './schedules/missed.ts';
import { newAudit, newFolder, newReport } from './testing/factories.ts';
import { runMaintenance } from './testing/maintenance.ts';
import { engines, startTestServer, type TestClient, type TestServer } from './testing/server.ts';
import { longSessions } from './testing/settings.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const park = 'Lido Beach';

describe.each(engines)('a clock that was ahead on %s', (engine) => {
  // A Wednesday.
  const start = Date.parse('2026-05-13T09:00:00Z');
  let now = start;
  let server: TestServer;
  let admin: TestClient;
  const clock = createClock(() => now);
  beforeEach(async () => {
    now = start;
    server = await startTestServer(engine, longSessions, clock);
    admin = await server.as('Admin');
  });
  afterEach(() => server.stop());

  const remindAt = async (instant: number) => {
    now = instant;
    await sendAuditReminders(server.db, clock());
    await sendWeeklyDigest(server.db, clock());
    await remindOfDeadlines(server.db, clock());
    await notifyOfMissedChecks(server.db, clock());
  };
  const at = (time: string) => remindAt(Date.parse(`2026-05-${time}:00Z`));
  const listNotifications = () =>
    server.db.selectFrom('notifications').selectAll().where('user_id', '=', admin.id).orderBy('position').execute();
  /** Notifications made while the clock was ahead. */
  let premature: string[] = [];
  const listTexts = async (kind: NotificationKind) =>
    (await listNotifications())
      .filter((row) => row.kind === kind && !premature.includes(row.id))
      .map(({ words }) => words);
  const schedule = async (starts_on: string) => {
    const sections = [{ title: 'Clear?', type: 'checkbox' as const, required: false }];
    const { id: checklist_id } = await admin(api.createChecklist, { body: { title: 'Pool', sections } });
    const times = { opens_at: '06:00', closes_at: '10:00', starts_on };
    return admin(api.createSchedule, { body: { checklist_id, parks: [park], repeat: 'daily', ...times } });
  };
  const listDays = async () =>
    (await server.db.selectFrom('due_checks').select('day').orderBy('day').execute()).map(({ day }) => day);

  test.each([
    ['a day', day],
    ['a year', 365 * day],
  ])('a clock that was ahead by %s for a minute suppresses no reminder', async (_, ahead) => {
    const { id } = await admin(api.submitAccident, { body: await newReport(admin) });
    await server.db.updateTable('reports').set({ date: '2026-05-08' }).where('id', '=', id).execute();
    const body = newAudit(await newFolder(admin), { title: 'Gate', assignee: admin.username, date: '2026-05-15' });
    await admin(api.createAudit, { body });
    await schedule('2026-05-14');
    await at('13T09:00');
    await remindAt(start + 5 * minute + ahead);
    premature = (await listNotifications())
      .filter(({ created_at }) => created_at > new Date(start).toISOString())
      .map(({ id }) => id);
    await at('13T09:07');
    await at('14T07:30');
    await at('14T09:00');
    expect(await listTexts('auditDue')).toEqual(['Audit due tomorrow: Gate']);
    expect(await listTexts('checkMissed')).toEqual(['Check missed at Lido Beach: Pool, due until 10:00']);
    await at('15T09:00');
    expect((await listTexts('legalDeadline')).at(-1)).toContain('if reportable, due 18/05/2026');
    expect(await listTexts('checkMissed')).toHaveLength(2);
    const digestCount = (await listTexts('weeklyDigest')).length;
    await at('18T07:00');
    expect(await listTexts('weeklyDigest')).toHaveLength(digestCount + 1);
    // What was sent is not sent again, not even by an instance whose clock is still ahead.
    const remindOnBoth = async () => {
      for (const distance of [0, ahead]) await remindAt(Date.parse('2026-05-18T07:00:00Z') + distance);
      return (await listNotifications()).length;
    };
    const count = await remindOnBoth();
    expect(await remindOnBoth()).toBe(count);
  });

  /** Runs the maintenance as if the clock had not jumped for three days. */
  const maintainWithTrustedClock = async () => {
    await setCounter(server.db, 'last cleaning', now - 60 * minute);
    await setCounter(server.db, 'removals wait for', 0);
    await runMaintenance(server, clock);
  };

  test('a clock that was ahead by 40 days inserts no missed checks, and schedules continue', async () => {
    await schedule('2026-05-14');
    await maintainWithTrustedClock();
    now += 40 * day;
    await runMaintenance(server, clock);
    const changed = await schedule('2026-05-14');
    now = start + minute;
    await runMaintenance(server, clock);
    const listDaysUntil = async (until: string) => (await listDays()).filter((day) => day < until);
    expect((await listDaysUntil('2026-06-22')).at(-1)).toBe('2026-06-03');
    now += day;
    await maintainWithTrustedClock();
    expect((await listDaysUntil('2026-06-22')).at(-1)).toBe('2026-06-04');
    const rows = server.db.selectFrom('due_checks').select('day').where('schedule_id', '=', changed.id);
    const [first] = await rows.orderBy('day').execute();
    expect(first?.day).toBe('2026-05-15');
  });

  test('checks are due at once when the server starts again after a month', async () => {
    const { id } = await schedule('2026-05-14');
    now = Date.parse('2026-06-22T07:00:00Z');
    await server.restart();
    const { checks } = await admin(api.listDueChecks);
    expect(checks.map(({ schedule_id, day, state }) => [schedule_id, day, state])).toEqual([[id, '2026-06-22', 'due']]);
    const listDaysOfStop = async () => (await listDays()).filter((day) => '2026-06-03' < day && day < '2026-06-22');
    expect(await listDaysOfStop()).toEqual([]);
    now += 60 * minute;
    await runMaintenance(server, clock);
    expect(await listDaysOfStop()).toEqual([]);
    await maintainWithTrustedClock();
    expect(await listDaysOfStop()).toHaveLength(18);
  });
});

import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { sendAuditReminders } from '../audits/reminders.ts';
import { createClock } from '../clock.ts';
import { newAudit, newFolder } from '../testing/factories.ts';
import { engines, type TestClient } from '../testing/server.ts';
import { longSessions } from '../testing/settings.ts';
import { createTestServer } from '../testing/test-server.ts';

describe.each(engines)('reminders of audits on %s', (engine) => {
  let now = Date.parse('2026-03-26T12:00:00Z');
  const clock = createClock(() => now);
  const { server, admin } = createTestServer(engine, longSessions, clock);
  const assignee = server.user('None', 'Lido Beach');
  const manager = server.user('Health & Safety Manager', 'Lido Beach');
  const otherParkManager = server.user('Health & Safety Manager', 'Robin Hood');

  const at = async (instant: string) => {
    now = Date.parse(instant);
    // Runs the reminders twice at once, as two server instances do.
    await Promise.all([sendAuditReminders(server.db, new Date(now)), sendAuditReminders(server.db, new Date(now))]);
  };
  const texts = async (client: TestClient, kind: string) =>
    (await client(api.listNotifications)).filter((notification) => notification.kind === kind).map(({ text }) => text);

  test('reminders of an audit are sent at 08:00 in the parks, one day before and 1, 3 and 7 days after, across a clock change', async () => {
    const folder = await newFolder(admin);
    await admin(api.createAudit, {
      body: newAudit(folder, { title: 'Gate', assignee: assignee.username, date: '2026-03-29' }),
    });
    await admin(api.createAudit, {
      body: newAudit(folder, { title: 'Done', assignee: assignee.username, date: '2026-03-29', completed: true }),
    });
    await at('2026-03-28T07:59:00Z');
    expect(await texts(assignee, 'auditDue')).toEqual([]);
    await at('2026-03-28T08:00:00Z');
    await at('2026-03-28T08:01:00Z');
    expect(await texts(assignee, 'auditDue')).toEqual(['Audit due tomorrow: Gate']);
    // Summer time has begun: 08:00 is 07:00 in UTC.
    await at('2026-03-30T06:59:00Z');
    expect(await texts(assignee, 'auditDue')).toHaveLength(1);
    await at('2026-03-30T07:00:00Z');
    expect((await texts(assignee, 'auditDue'))[0]).toBe('Audit overdue by 1 day: Gate');
    await at('2026-04-01T07:00:00Z');
    expect(await texts(manager, 'auditOverdue')).toEqual(['Audit overdue by 3 days: Gate']);
    expect(await texts(admin, 'auditOverdue')).toHaveLength(1);
    // The server was stopped on the seventh day and starts again on the eighth.
    await at('2026-04-06T09:00:00Z');
    expect(await texts(admin, 'auditOverdue')).toEqual([
      'Audit overdue by 8 days: Gate',
      'Audit overdue by 3 days: Gate',
    ]);
    expect(await texts(manager, 'auditOverdue')).toHaveLength(1);
    expect(await texts(assignee, 'auditDue')).toHaveLength(2);
    expect(await otherParkManager(api.listNotifications)).toEqual([]);
    await at('2026-10-24T07:30:00Z');
    await admin(api.createAudit, {
      body: newAudit(folder, { title: 'Autumn', assignee: assignee.username, date: '2026-10-26' }),
    });
    // The clocks went back: 08:00 is 08:00 in UTC again.
    await at('2026-10-25T07:59:00Z');
    expect((await texts(assignee, 'auditDue'))[0]).not.toContain('Autumn');
    await at('2026-10-25T08:00:00Z');
    expect((await texts(assignee, 'auditDue'))[0]).toBe('Audit due tomorrow: Autumn');
  });
});

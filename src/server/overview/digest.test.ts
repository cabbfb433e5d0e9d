import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { createClock } from '../clock.ts';
import { newAudit, newFolder, newReport } from '../testing/factories.ts';
import { engines, type TestClient } from '../testing/server.ts';
import { longSessions } from '../testing/settings.ts';
import { createTestServer } from '../testing/test-server.ts';
import { sendWeeklyDigest } from './digest.ts';

describe.each(engines)('the weekly summary on %s', (engine) => {
  let now = Date.parse('2026-10-29T12:00:00Z');
  const clock = createClock(() => now);
  const { server, admin } = createTestServer(engine, longSessions, clock);
  const assignee = server.user('None', 'Lido Beach');
  const manager = server.user('Health & Safety Manager', 'Lido Beach');
  const otherParkManager = server.user('Health & Safety Manager', 'Robin Hood');

  const at = async (instant: string) => {
    now = Date.parse(instant);
    // Writes the summary twice at once, as two server instances do.
    await Promise.all([sendWeeklyDigest(server.db, new Date(now)), sendWeeklyDigest(server.db, new Date(now))]);
  };
  const list = async (client: TestClient) =>
    (await client(api.listNotifications)).filter(({ kind }) => kind === 'weeklyDigest');
  const texts = async (client: TestClient) => (await list(client)).map(({ text }) => text);

  test('reviewers get a weekly summary once, on Monday at 07:00', async () => {
    const folder = await newFolder(admin);
    /** Files a report and completes an audit. */
    const work = async () => {
      const { id } = await admin(api.createAudit, { body: newAudit(folder) });
      await admin(api.updateAudit, { params: { id }, body: { data: { completed: true } } });
      return assignee(api.submitAccident, { body: await newReport(assignee) });
    };
    await at('2026-11-01T23:59:59Z');
    await work();
    await at('2026-11-02T06:59:00Z');
    for (const title of ['Gate', 'Fence'])
      await admin(api.createAudit, { body: newAudit(folder, { title, date: '2026-11-01' }) });
    const sections = [
      { title: 'Clear?', type: 'checkbox' as const, required: false, onFail: { when: 'notTicked' as const } },
    ];
    const { id: checklist_id } = await admin(api.createChecklist, { body: { title: 'Pool', sections } });
    const times = { opens_at: '06:00', closes_at: '10:00', starts_on: '2026-11-06' };
    await admin(api.createSchedule, {
      body: { checklist_id, parks: ['Lido Beach'], repeat: 'daily', gate: 'Pool', ...times },
    });
    await at('2026-11-04T12:00:00Z');
    await work();
    const deleted = await assignee(api.submitAccident, { body: await newReport(assignee) });
    await admin(api.deleteReport, { params: { id: deleted.id }, body: {} });
    const before = (await texts(manager)).length;
    await at('2026-11-09T06:59:00Z');
    await work();
    expect(await texts(manager)).toHaveLength(before);
    await at('2026-11-09T07:00:00Z');
    await at('2026-11-10T07:00:00Z');
    expect(await texts(manager)).toHaveLength(before + 1);
    expect((await texts(manager))[0]).toBe(
      'Last week at Lido Beach: 1 report, 1 audit completed, 2 overdue, 3 checks missed, 1 place not ready',
    );
    expect((await texts(otherParkManager))[0]).toBe(
      'Last week at Robin Hood: 0 reports, 0 audits completed, 0 overdue, 0 checks missed, 0 places not ready',
    );
    expect((await list(manager))[0]?.link).toBe('/overview?period=custom&from=2026-11-02&to=2026-11-08');
    expect(await texts(assignee)).toEqual([]);
  });

  test('a reviewer of all parks who is limited to one no longer sees the weekly summary of all parks', async () => {
    const headOfficeManager = await server.as('Health & Safety Manager');
    await at('2026-11-16T07:00:00Z');
    expect(await texts(headOfficeManager)).toEqual([expect.stringMatching(/^Last week: 1 report,/)]);
    const assignment = {
      username: headOfficeManager.username,
      role: 'Health & Safety Manager',
      park: 'Robin Hood',
    } as const;
    await admin(api.assignRole, { body: assignment });
    expect(await texts(headOfficeManager)).toEqual([]);
    await at('2026-11-23T07:00:00Z');
    expect(await texts(headOfficeManager)).toEqual([expect.stringMatching(/^Last week at Robin Hood: 0 reports,/)]);
  });
});

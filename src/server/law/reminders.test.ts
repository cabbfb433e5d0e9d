import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { newReport } from '../testing/factories.ts';
import { engines, type TestClient } from '../testing/server.ts';
import { longSessions } from '../testing/settings.ts';
import { createTestServer } from '../testing/test-server.ts';
import { remindOfDeadlines } from './reminders.ts';

describe.each(engines)('reminders of legal deadlines on %s', (engine) => {
  let now = Date.parse('2026-03-20T12:00:00Z');
  const { server, staff } = createTestServer(engine, longSessions, () => now);
  const manager = server.user('Health & Safety Manager', 'Lido Beach');
  const headOfficeManager = server.user('Admin');
  const otherParkManager = server.user('Health & Safety Manager', 'Robin Hood');

  const at = async (instant: string) => {
    now = Date.parse(instant);
    // Runs the reminders at this time on two instances, twice each.
    for (let minute = 0; minute < 2; minute++)
      await Promise.all([remindOfDeadlines(server.db, new Date(now)), remindOfDeadlines(server.db, new Date(now))]);
  };
  const listNotificationTexts = async (client: TestClient) =>
    (await client(api.listNotifications)).filter(({ kind }) => kind === 'legalDeadline').map(({ text }) => text);
  const submit = async (date: string) => {
    const { id, number } = await staff(api.submitAccident, { body: await newReport(staff) });
    await server.db.updateTable('reports').set({ date }).where('id', '=', id).execute();
    return { id, number };
  };

  const decideReportable = async (id: string) => {
    await headOfficeManager(api.saveAssessment, { params: { id }, body: { version: 0, answers: {}, people: [{}] } });
    const reason = 'The doctor wrote to us';
    const body = { version: 1, decision: 'reportable' as const, reason };
    await headOfficeManager(api.decideAssessment, { params: { id }, body });
  };

  test('reviewers are reminded of a legal deadline 7, 3, 1 and 0 days before and then daily, across a clock change', async () => {
    // Reportable: due 10 days after the accident, on 30 March.
    const { id, number } = await submit('2026-03-20');
    await decideReportable(id);
    const reportText = `: report ${number} at Lido Beach`;
    await at('2026-03-22T08:00:00Z');
    await at('2026-03-23T07:59:00Z');
    expect(await listNotificationTexts(manager)).toEqual([]);
    await at('2026-03-23T08:00:00Z');
    for (let day = 24; day <= 28; day++) await at(`2026-03-${day}T09:00:00Z`);
    expect(await listNotificationTexts(manager)).toEqual([
      `Legal deadline in 3 days${reportText}`,
      `Legal deadline in 7 days${reportText}`,
    ]);
    // Summer time has begun: 08:00 is 07:00 in UTC.
    await at('2026-03-29T06:59:00Z');
    expect(await listNotificationTexts(manager)).toHaveLength(2);
    await at('2026-03-29T07:00:00Z');
    await at('2026-03-30T07:00:00Z');
    await at('2026-03-31T07:00:00Z');
    await at('2026-04-01T07:00:00Z');
    const all = [
      `Legal deadline passed 2 days ago${reportText}`,
      `Legal deadline passed 1 day ago${reportText}`,
      `Legal deadline today${reportText}`,
      `Legal deadline in 1 day${reportText}`,
      `Legal deadline in 3 days${reportText}`,
      `Legal deadline in 7 days${reportText}`,
    ];
    expect(await listNotificationTexts(manager)).toEqual(all);
    expect(await listNotificationTexts(headOfficeManager)).toEqual(all);
    expect([await listNotificationTexts(otherParkManager), await listNotificationTexts(staff)]).toEqual([[], []]);
    // Completed: no more reminders.
    const body = { version: 2, decision: 'notReportable' as const, reason: 'Nobody was hurt at all' };
    await manager(api.decideAssessment, { params: { id }, body });
    await at('2026-04-02T07:00:00Z');
    expect(await listNotificationTexts(manager)).toEqual(all);
  });

  test('reminders of a report that is assessed and not decided name no legal deadline', async () => {
    now = Date.parse('2026-09-01T12:00:00Z');
    const { id, number } = await submit('2026-09-01');
    await headOfficeManager(api.saveAssessment, { params: { id }, body: { version: 0, answers: {}, people: [{}] } });
    await at('2026-09-12T07:00:00Z');
    expect((await listNotificationTexts(manager))[0]).toBe(
      `Not decided; if reportable, due 11/09/2026: report ${number} at Lido Beach`,
    );
    const body = { version: 1, decision: 'notReportable' as const, reason: 'Nobody was hurt at all' };
    await manager(api.decideAssessment, { params: { id }, body });
  });

  test('a server sends missed reminders of legal deadlines after a downtime, and old ones as one message per park', async () => {
    now = Date.parse('2026-10-12T12:00:00Z');
    const { id, number } = await submit('2026-10-12');
    await decideReportable(id);
    await at('2026-10-13T07:00:00Z');
    // The server was stopped from the 14th, when 8 days were left, to the 20th, when 2 are left.
    await at('2026-10-20T07:00:00Z');
    expect((await listNotificationTexts(manager))[0]).toBe(`Legal deadline in 2 days: report ${number} at Lido Beach`);
    await at('2026-11-20T08:00:00Z');
    expect((await listNotificationTexts(manager))[0]).toContain('passed 29 days ago');
    const second = await submit('2026-10-12');
    await decideReportable(second.id);
    await at('2026-11-22T08:00:00Z');
    expect((await listNotificationTexts(manager))[0]).toBe(
      '2 reports are more than 30 days past the legal deadline at Lido Beach',
    );
    await at('2026-11-23T08:00:00Z');
    expect((await listNotificationTexts(manager)).slice(0, 2)).toEqual([
      '2 reports are more than 30 days past the legal deadline at Lido Beach',
      '2 reports are more than 30 days past the legal deadline at Lido Beach',
    ]);
    for (const report of [id, second.id]) await headOfficeManager(api.deleteReport, { params: { id: report } });
    await at('2026-11-24T08:00:00Z');
    expect((await listNotificationTexts(manager)).filter((text) => text.includes('more than 30'))).toHaveLength(2);
  });

  test('reports that nobody assessed are one reminder for each park, which does not call a deadline legal', async () => {
    now = Date.parse('2027-03-01T12:00:00Z');
    const first = await submit('2027-03-01');
    await at('2027-03-04T08:00:00Z');
    expect((await listNotificationTexts(manager))[0]).toBe(
      `Not assessed; if reportable, due 11/03/2027: report ${first.number} at Lido Beach`,
    );
    const before = (await listNotificationTexts(manager)).length;
    await submit('2027-03-03');
    await at('2027-03-05T08:00:00Z');
    expect(await listNotificationTexts(manager)).toHaveLength(before);
    for (const day of ['2027-03-08', '2027-05-20', '2027-05-21']) await at(`${day}T08:00:00Z`);
    const [last] = (await manager(api.listNotifications)).filter(({ kind }) => kind === 'legalDeadline');
    expect(last).toMatchObject({
      text: 'Not assessed; if reportable, due from 11/03/2027: 2 reports at Lido Beach',
      link: '/get-reports?view=list&park=Lido+Beach&riddor=toAssess',
    });
    expect(await listNotificationTexts(manager)).toHaveLength(before + 3);
  });
});

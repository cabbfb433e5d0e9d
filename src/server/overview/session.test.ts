// What the user should do now, in the reply of the session.
import { expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { startCheckServer } from '../testing/checks.ts';
import { newAudit, newFolder, newReport } from '../testing/factories.ts';
import { sendMessage } from '../testing/messages.ts';
import { engines, startTestServer, type TestClient } from '../testing/server.ts';

const park = 'Mounds';
const readDoNow = async (client: TestClient) => (await client(api.getSession)).doNow;

test.each(engines)('the session counts what is due for staff, as their lists do, on %s', async (engine) => {
  const { server, admin, staff, at } = await startCheckServer(engine, park, '2026-06-02T08:00:00.000Z');
  try {
    const other = await server.as('None', 'Winkups');
    expect(await readDoNow(staff)).toEqual({ checks: 0, audits: 0 });
    const { username } = (await staff(api.getSession)).user;
    const folder = await newFolder(admin, { park });
    const create = async (date: string, changes: object = {}) =>
      (await admin(api.createAudit, { body: newAudit(folder, { assignee: username, date, ...changes }) })).id;
    await create('2026-06-01');
    const today = await create('2026-06-02', { time: '23:59' });
    await create('2026-06-03');
    await create('', { time: '' });
    await create('2026-06-01', { assignee: 'Someone else' });
    expect(await readDoNow(staff)).toEqual({ checks: 0, audits: 2 });
    expect((await staff(api.listOpenAudits, { query: { mine: 'yes' } }))[1]?.id).toBe(today);
    await admin(api.deleteAudit, { params: { id: today } });

    const { id: checklist_id } = await admin(api.createChecklist, {
      body: { title: 'Walk', sections: [{ title: 'Fine?', type: 'text', required: true }] },
    });
    const times = { opens_at: '06:00', closes_at: '10:00', starts_on: '2026-06-02' };
    const parks = [park, 'Winkups'];
    await admin(api.createSchedule, { body: { checklist_id, parks, repeat: 'daily', gate: '', ...times } });
    const listDue = async (client: TestClient) => (await client(api.listDueChecks)).counts.due;
    expect([await listDue(staff), await readDoNow(staff)]).toEqual([1, { checks: 1, audits: 1 }]);
    await staff(api.submitChecklist, { body: { checklistId: checklist_id, data: { 0: 'Yes' } } });
    expect([await listDue(staff), await readDoNow(staff)]).toEqual([0, { checks: 0, audits: 1 }]);
    expect(await readDoNow(other)).toEqual({ checks: 1, audits: 0 });
    at('09:30');
    expect([await listDue(other), await readDoNow(other)]).toEqual([0, { checks: 0, audits: 0 }]);
  } finally {
    await server.stop();
  }
});

test.each(engines)(
  'the session counts new reports and people hurt at the parks of a reviewer, on %s',
  async (engine) => {
    await using server = await startTestServer(engine);
    const admin = await server.as('Admin');
    const manager = await server.as('Health & Safety Manager', park);
    const staff = await server.as('None', park);
    expect(await readDoNow(manager)).toEqual({ reports: 0, hurt: 0 });
    for (const selectedPlace of [park, park, 'Winkups'])
      await staff(api.submitAccident, { body: await newReport(staff, { selectedPlace }) });
    for (let at = 0; at < 5; at += 1) await sendMessage(server, { hurt: 'hurt', network: 'one', words: `Cut ${at}` });
    const { id } = await sendMessage(server, { hurt: 'hurt', words: 'Fell' });
    await sendMessage(server, { hurt: 'nearly', words: 'Nearly' });
    await sendMessage(server, { hurt: 'hurt' }, { park: 'Winkups' });
    // Messages of one label, network and hour are one row.
    expect(await readDoNow(manager)).toEqual({ reports: 2, hurt: 2 });
    expect(await readDoNow(admin)).toEqual({ reports: 3, hurt: 3 });
    expect(await manager(api.listReports, { query: { unopened: '1', park, limit: 50 } })).toHaveLength(2);
    const hurt = await manager(api.listMessages, { query: { hurt: '1', page: '1' } as never });
    expect(hurt.map(({ hurt }) => hurt)).toEqual(['hurt', 'hurt']);
    await manager(api.closeMessage, { params: { id }, body: { reason: 'Seen by the nurse' } });
    expect(await readDoNow(manager)).toEqual({ reports: 2, hurt: 1 });
  },
);

// Schedules with several windows a day.
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { engines } from '../testing/server.ts';
import { longSessions } from '../testing/settings.ts';
import { createTestServer } from '../testing/test-server.ts';
import { insertComingChecks } from './due-checks.ts';
import { notifyOfMissedChecks } from './missed.ts';

const sections = [
  { title: 'Clear?', type: 'checkbox' as const, required: false, onFail: { when: 'notTicked' as const } },
];
const park = 'Lido Beach' as const;
const pool = [
  { opens_at: '12:00', closes_at: '13:00' },
  { opens_at: '08:00', closes_at: '09:00' },
  { opens_at: '17:00', closes_at: '18:00' },
];

describe.each(engines)('schedules with several windows on %s', (engine) => {
  let now = '2026-01-05T06:00:00.000Z';
  const { server, admin, staff } = createTestServer(engine, longSessions, () => now);

  const at = (time: string, day: string) => {
    now = `${day}T${time}:00.000Z`;
  };
  async function schedule(rest: object = {}, [first = pool[0], ...more_windows] = pool) {
    const { id: checklist_id } = await admin(api.createChecklist, { body: { title: 'Pool check', sections } });
    const fields = {
      ...{ parks: [park], repeat: 'daily' as const, starts_on: now.slice(0, 10), more_windows },
      ...{ opens_at: first?.opens_at ?? '', closes_at: first?.closes_at ?? '', ...rest },
    };
    return { ...(await admin(api.createSchedule, { body: { checklist_id, ...fields } })), checklist_id, fields };
  }
  const fillIn = (checklistId: string) => staff(api.submitChecklist, { body: { checklistId, data: { '0': true } } });
  const listStates = async (id: string) =>
    (await staff(api.listDueChecks)).checks.filter(({ schedule_id }) => schedule_id === id).map(({ state }) => state);
  const listRows = async (id: string, to: string) =>
    (
      await server.db
        .selectFrom('due_checks')
        .selectAll()
        .where('schedule_id', '=', id)
        .where('day', '<=', to)
        .orderBy('opens_at')
        .execute()
    ).map(({ opens_at, closes_at }) => `${opens_at.slice(8, 16)} ${closes_at.slice(11, 16)}`);

  test('each window has a check, and a submission answers that of its window or the last one before it', async () => {
    at('07:00', '2026-01-05');
    const { id, checklist_id } = await schedule();
    const [saved] = (await admin(api.listSchedules)).filter((one) => one.id === id);
    expect([saved?.opens_at, saved?.more_windows]).toEqual(['08:00', [pool[0], pool[2]]]);
    expect(await listStates(id)).toEqual([]);
    at('08:30', '2026-01-05');
    await fillIn(checklist_id);
    await fillIn(checklist_id);
    expect(await listStates(id)).toEqual(['done']);
    at('12:30', '2026-01-05');
    expect(await listStates(id)).toEqual(['done', 'due']);
    at('16:00', '2026-01-05');
    expect(await listStates(id)).toEqual(['done', 'missed']);
    await fillIn(checklist_id);
    await fillIn(checklist_id);
    expect(await listStates(id)).toEqual(['done', 'late']);
    at('17:00', '2026-01-05');
    await fillIn(checklist_id);
    expect(await listStates(id)).toEqual(['done', 'late', 'done']);
  });

  test('the overview, the list, the export and the notifications have each check of a day', async () => {
    const day = '2026-01-12';
    at('07:00', day);
    const { id, checklist_id } = await schedule({ ends_on: day });
    await notifyOfMissedChecks(server.db, new Date(now));
    at('08:30', day);
    await fillIn(checklist_id);
    at('18:01', day);
    await notifyOfMissedChecks(server.db, new Date(now));
    const query = { from: day, to: day, park, checklist: checklist_id };
    const listed = await admin(api.listChecks, { query });
    expect(listed.map(({ state }) => state)).toEqual(['missed', 'missed', 'done']);
    const rows = parse(Buffer.from(await admin(api.exportChecks, { query: { ...query, format: 'csv' } })), {
      ...{ bom: true, columns: true },
    }) as Record<string, string>[];
    expect(rows.map((row) => row['Due from']?.slice(11, 16)).sort()).toEqual(['08:00', '12:00', '17:00']);
    const { parks } = await admin(api.getOverview, { query: { from: day, to: day, park } });
    const counts = await admin(api.countChecks, { query: { from: day, to: day, park } });
    expect(parks[0]?.now.checks).toBe(counts.reduce((sum, { checks }) => sum + checks, 0));
    expect(counts.find((count) => count.checklist_id === checklist_id)?.checks).toBe(3);
    const ids = listed.filter(({ state }) => state === 'missed').map((check) => check.id);
    const notified = await server.db
      .selectFrom('notifications')
      .select('words')
      .where('thing_id', 'in', ids)
      .where('user_id', '=', admin.id)
      .execute();
    expect(notified.map(({ words }) => words).sort()).toEqual(
      ['13:00', '18:00'].map((until) => `Check missed at ${park}: Pool check, due until ${until}`),
    );
    await admin(api.endSchedule, { params: { id } });
  });

  test('a facility is ready until its next window of the day opens', async () => {
    at('07:00', '2026-01-19');
    const { checklist_id } = await schedule({ gate: 'Spa' });
    const getReadiness = async () => (await staff(api.listDueChecks)).ready.find(({ gate }) => gate === 'Spa');
    at('08:30', '2026-01-19');
    await fillIn(checklist_id);
    expect(await getReadiness()).toMatchObject({ is_ready: true, valid_until: '2026-01-19T12:00:00.000Z' });
    at('12:30', '2026-01-19');
    expect(await getReadiness()).toMatchObject({ is_ready: false, due_since: '2026-01-19T12:00:00.000Z' });
    await fillIn(checklist_id);
    expect(await getReadiness()).toMatchObject({ is_ready: true, valid_until: '2026-01-19T17:00:00.000Z' });
  });

  test('a window added during the day is due once, and those that were due stay as they were', async () => {
    const day = '2026-02-02';
    at('07:00', day);
    const { id, fields } = await schedule();
    at('12:30', day);
    const change = (more_windows: object[], rest: object = {}) =>
      admin(api.updateSchedule, { params: { id }, body: { ...fields, ...rest, more_windows } as never });
    await change([
      ...(fields.more_windows ?? []),
      { opens_at: '10:00', closes_at: '11:00' },
      { opens_at: '14:00', closes_at: '15:00' },
    ]);
    expect(await listRows(id, day)).toEqual(['02T08:00 09:00', '02T12:00 13:00', '02T14:00 15:00', '02T17:00 18:00']);
    // The window of noon moves while it is open: no second check is due for it.
    await change([{ opens_at: '17:00', closes_at: '18:00' }], { opens_at: '12:15', closes_at: '13:30' });
    expect(await listRows(id, '2026-02-03')).toEqual([
      ...['02T08:00 09:00', '02T12:00 13:00', '02T17:00 18:00'],
      ...['03T12:15 13:30', '03T17:00 18:00'],
    ]);
  });

  test('closed days have no checks, and several instances insert each check of missed days once', async () => {
    at('07:00', '2026-03-02');
    const closure = { park, starts_on: '2026-03-25', ends_on: '2026-03-28' };
    const { id: closureId } = await admin(api.createClosure, { body: closure });
    const { id } = await schedule();
    at('07:00', '2026-03-29');
    await insertComingChecks(server.db, new Date(now), { isClockTrusted: false });
    await insertComingChecks(server.db, new Date(now));
    await insertComingChecks(server.db, new Date(now));
    const rows = await listRows(id, '2026-03-30');
    expect(rows).toHaveLength(25 * 3);
    // Summer time begins on 29 March.
    expect(rows.slice(-7)).toEqual([
      '24T17:00 18:00',
      ...['29T07:00 08:00', '29T11:00 12:00', '29T16:00 17:00'],
      ...['30T07:00 08:00', '30T11:00 12:00', '30T16:00 17:00'],
    ]);
    await admin(api.deleteClosure, { params: { id: closureId } });
  });
});

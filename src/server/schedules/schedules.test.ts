import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import type { ApiError } from '#shared/client.ts';
import { connect } from '../db/connect.ts';
import { setCounter } from '../db/counters.ts';
import type { Database } from '../db/schema.ts';
import { runMaintenance } from '../testing/maintenance.ts';
import { engines, type TestClient } from '../testing/server.ts';
import { longSessions } from '../testing/settings.ts';
import { createTestServer } from '../testing/test-server.ts';
import { insertComingChecks } from './due-checks.ts';

const sections = [
  { title: 'Clear?', type: 'checkbox' as const, required: false, onFail: { when: 'notTicked' as const } },
];
const park = 'Lido Beach' as const;

describe.each(engines)('schedules on %s', (engine) => {
  let now = '2026-06-01T04:00:00.000Z'; // 05:00 in the parks, a Monday
  const { server, admin, staff } = createTestServer(engine, longSessions, () => now);

  const at = (time: string, day = '2026-06-01') => {
    now = `${day}T${time}:00.000Z`;
    return now;
  };
  async function schedule(changes: Record<string, unknown> = {}) {
    const { id: checklist_id } = await admin(api.createChecklist, { body: { title: 'Pool check', sections } });
    const fields = {
      parks: [park],
      repeat: 'daily' as const,
      opens_at: '06:00',
      closes_at: '10:00',
      starts_on: '2026-06-01',
      ...changes,
    };
    const { id } = await admin(api.createSchedule, { body: { checklist_id, ...fields } });
    return { id, checklist_id, fields };
  }
  const fillIn = (checklistId: string, capturedAt?: string, client = staff) =>
    client(api.submitChecklist, { body: { checklistId, data: { '0': true }, capturedAt } });
  const listDue = async (scheduleId: string) =>
    (await staff(api.listDueChecks)).checks.filter(({ schedule_id }) => schedule_id === scheduleId);
  const readRows = (scheduleId: string) =>
    server.db.selectFrom('due_checks').selectAll().where('schedule_id', '=', scheduleId).orderBy('day').execute();
  const removeIds = (rows: { id: string }[]) => rows.map(({ id: _, ...row }) => row);

  test('a check is due in its window, done when filled in within it, and late after it', async () => {
    at('04:00');
    const { id, checklist_id } = await schedule();
    expect(await listDue(id)).toEqual([]);
    at('05:00');
    expect(await listDue(id)).toMatchObject([
      { state: 'due', closes_at: '2026-06-01T09:00:00.000Z', park, checklist_title: 'Pool check', filled_in_by: null },
    ]);
    at('07:05');
    await fillIn(checklist_id);
    expect(await listDue(id)).toMatchObject([
      { state: 'done', filled_in_at: now, filled_in_by: staff.username, is_time_from_device: false },
    ]);
    at('09:30', '2026-06-02');
    expect(await listDue(id)).toMatchObject([{ day: '2026-06-02', state: 'missed' }]);
    await fillIn(checklist_id);
    expect(await listDue(id)).toMatchObject([{ day: '2026-06-02', state: 'late' }]);
  });

  test('a check filled in offline within its window counts as on time if it arrives within a day', async () => {
    at('04:00', '2026-06-03');
    const { id, checklist_id } = await schedule();
    at('20:00', '2026-06-03');
    await fillIn(checklist_id, '2026-06-03T08:00:00.000Z');
    expect(await listDue(id)).toMatchObject([{ state: 'done', is_time_from_device: true }]);
  });

  test('a submission of another park does not fulfil a check, nor does a deleted one', async () => {
    at('06:00', '2026-06-04');
    const { id, checklist_id } = await schedule();
    const otherParkStaff = await server.as('None', 'Mounds');
    await fillIn(checklist_id, undefined, otherParkStaff);
    expect(await listDue(id)).toMatchObject([{ state: 'due' }]);
    const { id: submission } = await fillIn(checklist_id);
    expect(await listDue(id)).toMatchObject([{ state: 'done' }]);
    await admin(api.deleteSubmission, { params: { id: submission } });
    expect(await listDue(id)).toMatchObject([{ state: 'due' }]);
    const deletion = (await admin(api.listDeleted))[0]?.id ?? '';
    await admin(api.restoreDeleted, { params: { id: deletion } });
    expect(await listDue(id)).toMatchObject([{ state: 'done' }]);
  });

  test('a missed check stays on record with the reason that a reviewer enters', async () => {
    at('04:00', '2026-06-05');
    const { id } = await schedule();
    at('12:00', '2026-06-05');
    const manager = await server.as('Health & Safety Manager');
    const [missed] = (await manager(api.listChecks, { query: { state: 'missed', park, from: '2026-06-05' } })).filter(
      ({ schedule_id }) => schedule_id === id,
    );
    await manager(api.explainMissedCheck, {
      params: { id: missed?.id ?? '' },
      body: { reason: 'Park closed, storm' },
    });
    const query = { format: 'csv', state: 'missed', park, from: '2026-06-05', to: '2026-06-05' } as const;
    const exportedRows = parse(Buffer.from(await manager(api.exportChecks, { query })), { bom: true, columns: true });
    expect(exportedRows).toContainEqual(
      expect.objectContaining({ Day: '2026-06-05', Park: park, State: 'Missed', Reason: 'Park closed, storm' }),
    );
    await admin(api.endSchedule, { params: { id } });
    expect((await readRows(id)).map(({ day, reason, reason_by_name }) => [day, reason, reason_by_name])).toEqual([
      ['2026-06-05', 'Park closed, storm', manager.username],
    ]);
    expect(await listDue(id)).toMatchObject([{ state: 'missed', reason: 'Park closed, storm' }]);
  });

  test('a reason for missing a check is accepted only if the check was missed', async () => {
    at('06:00', '2026-06-06');
    const { id } = await schedule();
    const [due] = await listDue(id);
    const answer = admin(api.explainMissedCheck, { params: { id: due?.id ?? '' }, body: { reason: 'Storm' } });
    await expect(answer).rejects.toEqual(expect.objectContaining({ status: 409 }) as ApiError);
  });

  test('a changed schedule keeps checks whose window has opened and replaces later ones', async () => {
    at('06:00', '2026-06-08');
    const { id, fields } = await schedule();
    const before = await readRows(id);
    expect(before).toHaveLength(22);
    const changed = { ...fields, opens_at: '12:00', closes_at: '14:00', repeat: 'weekly' as const, weekday: 3 };
    await admin(api.updateSchedule, { params: { id }, body: changed });
    const after = await readRows(id);
    expect(after.map(({ day, opens_at }) => [day, opens_at.slice(11, 16)])).toEqual([
      ['2026-06-08', '05:00'],
      ['2026-06-10', '11:00'],
      ['2026-06-17', '11:00'],
      ['2026-06-24', '11:00'],
    ]);
    expect(after[0]).toEqual(before[0]);
    const staleUpdate = admin(api.updateSchedule, { params: { id }, body: { ...changed, version: 1 } });
    const error = (await staleUpdate.catch((error: unknown) => error)) as ApiError;
    const [current] = (await admin(api.listSchedules)).filter((schedule) => schedule.id === id);
    expect(error).toMatchObject({ status: 409, code: 'STALE', body: { current } });
    expect(Object.keys(error.body.current as object)).toEqual(Object.keys(current ?? {}));
  });

  test('no check is due while the park is closed, and checks are due again afterwards', async () => {
    at('04:00', '2026-06-10');
    const { id } = await schedule();
    const days = async () =>
      (await readRows(id))
        .map(({ day }) => day.slice(8))
        .join(' ')
        .slice(0, 26);
    expect(await days()).toBe('10 11 12 13 14 15 16 17 18');
    const closedPeriod = { park, starts_on: '2026-06-12', ends_on: '2026-06-14' };
    const { id: closure } = await admin(api.createClosure, { body: closedPeriod });
    expect(await days()).toBe('10 11 15 16 17 18 19 20 21');
    expect(await admin(api.listClosures)).toEqual([{ id: closure, ...closedPeriod }]);
    await admin(api.deleteClosure, { params: { id: closure } });
    expect(await days()).toBe('10 11 12 13 14 15 16 17 18');
  });

  test('a deleted checklist has no due checks, and a restored one has them from then on', async () => {
    at('06:00', '2026-06-12');
    const { id, checklist_id } = await schedule();
    await admin(api.deleteChecklist, { params: { id: checklist_id } });
    expect((await readRows(id)).map(({ day }) => day)).toEqual(['2026-06-12']);
    expect(await listDue(id)).toEqual([]);
    at('12:00', '2026-06-14');
    const deletion = (await admin(api.listDeleted)).find(({ thing }) => thing === 'checklist')?.id ?? '';
    await admin(api.restoreDeleted, { params: { id: deletion } });
    expect((await readRows(id)).map(({ day }) => day).slice(0, 3)).toEqual(['2026-06-12', '2026-06-15', '2026-06-16']);
  });

  test('the hourly maintenance of several instances inserts each check once, also for missed days', async () => {
    at('04:00', '2026-06-20');
    const { id } = await schedule();
    at('12:00', '2026-07-10');
    const second = await connect(server.config);
    const write = (db: Database) => insertComingChecks(db, new Date(now));
    // On SQLite a second connection plays the second instance.
    if (engine === 'postgres') await Promise.all([write(server.db), write(second)]);
    else for (const db of [server.db, second]) await write(db);
    await second.destroy();
    const rows = await readRows(id);
    expect(rows.map(({ day }) => day)).toEqual([...new Set(rows.map(({ day }) => day))]);
    expect([rows[0]?.day, rows.at(-1)?.day, rows.length]).toEqual(['2026-06-20', '2026-07-31', 42]);
    await insertComingChecks(server.db, new Date(now));
    expect(removeIds(await readRows(id))).toEqual(removeIds(rows));
  });

  test('the hourly maintenance inserts the checks of the coming days', async () => {
    at('04:00', '2026-07-20');
    const { id } = await schedule();
    await server.db.updateTable('schedules').set({ written_until: '2026-07-25' }).where('id', '=', id).execute();
    await server.db.deleteFrom('due_checks').where('schedule_id', '=', id).where('day', '>', '2026-07-25').execute();
    // Another schedule, whose checks are inserted now.
    await schedule();
    await setCounter(server.db, 'last cleaning', Date.parse(now) - 3_600_000);
    await setCounter(server.db, 'removals wait for', 0);
    await runMaintenance(server, () => new Date(now));
    expect((await readRows(id)).at(-1)?.day).toBe('2026-08-10');
  });

  test('a facility is ready from a passed check until the next is due', async () => {
    at('04:00', '2026-08-03');
    const morning = await schedule({ gate: 'Pool' });
    const noonSchedule = {
      ...morning.fields,
      checklist_id: morning.checklist_id,
      opens_at: '12:00',
      closes_at: '14:00',
    };
    await admin(api.createSchedule, { body: noonSchedule });
    const listReadiness = async () => (await staff(api.listDueChecks)).ready.filter(({ park: of }) => of === park);
    expect(await listReadiness()).toMatchObject([
      { gate: 'Pool', is_ready: false, due_since: null, valid_until: '2026-08-03T05:00:00.000Z' },
    ]);
    at('07:05', '2026-08-03');
    expect(await listReadiness()).toMatchObject([{ is_ready: false, due_since: '2026-08-03T05:00:00.000Z' }]);
    at('12:05', '2026-08-03');
    await fillIn(morning.checklist_id);
    expect(await listReadiness()).toMatchObject([
      { is_ready: true, checked_at: now, valid_until: '2026-08-04T05:00:00.000Z' },
    ]);
    at('05:30', '2026-08-04');
    expect(await listReadiness()).toMatchObject([
      {
        is_ready: false,
        due_since: '2026-08-04T05:00:00.000Z',
        checklists: [{ id: morning.checklist_id, title: 'Pool check' }],
      },
    ]);
    at('07:05', '2026-08-04');
    await fillIn(morning.checklist_id);
    expect(await listReadiness()).toMatchObject([
      { is_ready: true, checked_at: now, valid_until: '2026-08-04T11:00:00.000Z' },
    ]);
  });

  test('a check with a failing answer counts as done, but the facility is not ready until a submission passes', async () => {
    at('05:30', '2026-08-20');
    const onFail = { when: 'No' as const, photo: 'optional' as const, audit: { urgent: true, days: 1, assignees: {} } };
    const { id: checklistId } = await admin(api.createChecklist, {
      body: { title: 'Slide', sections: [{ title: 'Gate locked?', type: 'na', required: true, onFail }] },
    });
    const times = { opens_at: '06:00', closes_at: '10:00', starts_on: '2026-08-20' };
    const { id } = await admin(api.createSchedule, {
      body: { checklist_id: checklistId, parks: [park], repeat: 'daily', gate: 'Slide', ...times },
    });
    const submit = (answer: 'Yes' | 'No') =>
      staff(api.submitChecklist, {
        body: { checklistId, data: { '0': answer }, ...(answer === 'No' && { failures: { '0': { note: 'Broken' } } }) },
      });
    const listReadiness = async () => (await staff(api.listDueChecks)).ready.filter(({ gate }) => gate === 'Slide');
    await submit('No');
    expect(await listDue(id)).toMatchObject([{ state: 'doneWithFailures', failures: 1 }]);
    expect(await listReadiness()).toMatchObject([{ is_ready: false, failures: 1, audits: [expect.any(String)] }]);
    // Staff no longer see the titles of audits whose folder has moved to another park.
    const moveFolders = (from: string, to: string) =>
      server.db.updateTable('folders').set({ park: to }).where('park', '=', from).execute();
    await moveFolders(park, 'Mounds');
    expect(await listReadiness()).toMatchObject([{ is_ready: false, failures: 1, audits: [] }]);
    await moveFolders('Mounds', park);
    at('07:30', '2026-08-20');
    await submit('Yes');
    expect(await listDue(id)).toMatchObject([{ state: 'doneWithFailures' }]);
    expect(await listReadiness()).toMatchObject([{ is_ready: true, checked_at: now, failures: 0, audits: [] }]);
  });

  test('staff see the checks of their own park only', async () => {
    at('06:00', '2026-09-01');
    const { id } = await schedule({ parks: [park, 'Mounds'], gate: 'Gate house' });
    const listForUser = async (client: TestClient, park?: 'Mounds') => {
      const { checks, ready: listReadiness } = await client(api.listDueChecks, { query: { park } });
      const parks = checks.filter(({ schedule_id }) => schedule_id === id).map(({ park }) => park);
      return [parks.sort(), listReadiness.filter(({ gate }) => gate === 'Gate house').map(({ park }) => park)];
    };
    expect(await listForUser(staff, 'Mounds')).toEqual([[park], [park]]);
    expect(await listForUser(admin, 'Mounds')).toEqual([['Mounds'], ['Mounds']]);
    expect(await listForUser(admin)).toEqual([
      [park, 'Mounds'],
      [park, 'Mounds'],
    ]);
  });

  test('an invalid schedule is rejected with a message at the field', async () => {
    const { id: checklist_id } = await admin(api.createChecklist, { body: { title: 'Gas', sections } });
    const wrong = { checklist_id, parks: [], repeat: 'weekly', opens_at: '25:00', closes_at: '10:00', starts_on: '' };
    await expect(admin(api.createSchedule, { body: wrong as never })).rejects.toMatchObject({
      status: 400,
      fields: { parks: 'Choose at least one park', opens_at: 'Enter the time as hours:minutes' },
    });
  });
});

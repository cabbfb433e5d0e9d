// Which submission answers which scheduled check.
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { assignSubmissions } from '#shared/schedules/check-state.ts';
import { checkStates } from '#shared/schedules/schedules.ts';
import { engines, type TestClient } from '../testing/server.ts';
import { longSessions } from '../testing/settings.ts';
import { createTestServer } from '../testing/test-server.ts';
import { insertComingChecks } from './due-checks.ts';
import { getCheckState, isInState } from './store.ts';

const sections = [{ title: 'Clear?', type: 'checkbox' as const, required: false }];
const park = 'Lido Beach' as const;

describe.each(engines)('answered checks on %s', (engine) => {
  let now = '2026-06-01T04:00:00.000Z'; // 05:00 in the parks, a Monday
  let admin: TestClient;
  let staff: TestClient;
  const { server } = createTestServer(engine, longSessions, () => now);
  beforeAll(async () => {
    admin = await server.as('Admin');
    staff = await server.as('None', park);
  });

  const at = (time: string, day: string) => {
    now = `${day}T${time}:00.000Z`;
  };
  const addSchedule = async (checklist_id: string, [opens_at, closes_at]: [string, string], rest = {}) => {
    const times = { opens_at, closes_at, starts_on: now.slice(0, 10), ...rest };
    const body = { checklist_id, parks: [park], repeat: 'daily' as const, ...times };
    return { ...(await admin(api.createSchedule, { body })), body };
  };
  const addChecklist = async () => (await admin(api.createChecklist, { body: { title: 'Pool check', sections } })).id;
  const fillIn = (checklistId: string, capturedAt?: string) =>
    staff(api.submitChecklist, { body: { checklistId, data: { '0': true }, capturedAt } });
  const listStates = async (checklistId: string) =>
    (await staff(api.listDueChecks)).checks
      .filter(({ checklist_id }) => checklist_id === checklistId)
      .map(({ state }) => state);
  const readRows = (checklistId: string) =>
    server.db.selectFrom('due_checks').selectAll().where('checklist_id', '=', checklistId).orderBy('opens_at');

  test('a submission answers the check of its window, and not the missed one of the morning', async () => {
    at('04:00', '2026-06-01');
    const checklist = await addChecklist();
    await addSchedule(checklist, ['06:00', '10:00']);
    await addSchedule(checklist, ['12:00', '14:00']);
    at('11:30', '2026-06-01');
    await fillIn(checklist);
    expect(await listStates(checklist)).toEqual(['missed', 'done']);
    for (const state of checkStates) {
      const found = await admin(api.listChecks, { query: { state, checklist } });
      expect(found.map((check) => check.state)).toEqual(['missed', 'done'].filter((one) => one === state));
    }
    at('14:00', '2026-06-01');
    const { id } = await fillIn(checklist);
    expect(await listStates(checklist)).toEqual(['late', 'done']);
    await admin(api.deleteSubmission, { params: { id } });
    expect(await listStates(checklist)).toEqual(['missed', 'done']);
  });

  test('a check of yesterday stays missed when the checklist is filled in today', async () => {
    at('04:00', '2026-06-03');
    const checklist = await addChecklist();
    await addSchedule(checklist, ['06:00', '10:00'], { ends_on: '2026-06-03' });
    at('08:00', '2026-06-04');
    await fillIn(checklist);
    expect((await readRows(checklist).execute()).map((row) => getCheckState(row, now))).toEqual(['missed']);
  });

  test('a check filled in while the park was still marked as closed is done when the closure is removed', async () => {
    at('04:00', '2026-06-10');
    const checklist = await addChecklist();
    const { id } = await admin(api.createClosure, { body: { park, starts_on: '2026-06-10', ends_on: '2026-06-10' } });
    await addSchedule(checklist, ['06:00', '12:00']);
    at('07:00', '2026-06-10');
    await fillIn(checklist);
    at('09:00', '2026-06-10');
    await admin(api.deleteClosure, { params: { id } });
    expect(await listStates(checklist)).toEqual(['done']);
  });

  test('a check filled in before its window was moved is done when the window includes that time', async () => {
    at('04:00', '2026-06-12');
    const checklist = await addChecklist();
    const { id, body } = await addSchedule(checklist, ['10:00', '12:00']);
    at('06:00', '2026-06-12');
    await fillIn(checklist);
    at('07:00', '2026-06-12');
    await admin(api.updateSchedule, { params: { id }, body: { ...body, opens_at: '06:00' } });
    expect(await listStates(checklist)).toEqual(['done']);
  });

  test('a check filled in before the server inserted it is done', async () => {
    at('04:00', '2026-06-15');
    const checklist = await addChecklist();
    const { id } = await addSchedule(checklist, ['06:00', '10:00']);
    await readRows(checklist).execute();
    await server.db.deleteFrom('due_checks').where('schedule_id', '=', id).execute();
    await server.db.updateTable('schedules').set({ written_until: '2026-06-14' }).where('id', '=', id).execute();
    at('07:00', '2026-06-15');
    await fillIn(checklist);
    await insertComingChecks(server.db, new Date(now), { isClockTrusted: false });
    expect(await listStates(checklist)).toEqual(['done']);
  });

  test('after random submissions each check has the state that they imply, and the counts add up', async () => {
    const minute = fc.integer({ min: 0, max: 4 * 24 * 60 });
    const instant = (minutes: number) => new Date(Date.parse('2030-06-03T00:00:00Z') + minutes * 60_000).toISOString();
    const windows: [string, string][] = [
      ['06:00', '10:00'],
      ['09:00', '14:00'],
      ['22:00', '02:00'],
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(minute, fc.option(fc.nat(2000))), { maxLength: 8 }),
        minute,
        fc.nat(10),
        async (sent, end, deleted) => {
          now = instant(0);
          // Sessions end when the clock goes back.
          admin = await server.createSession(admin.id, admin.username);
          staff = await server.createSession(staff.id, staff.username);
          const checklist = await addChecklist();
          for (const window of windows) await addSchedule(checklist, window, { ends_on: '2030-06-06' });
          const ids: string[] = [];
          for (const [minutes, delay] of sent.toSorted((a, b) => a[0] - b[0])) {
            now = instant(minutes);
            const { id } = await fillIn(checklist, delay === null ? undefined : instant(Math.max(0, minutes - delay)));
            ids.push(id);
          }
          const deletedId = ids[deleted];
          if (deletedId) await admin(api.deleteSubmission, { params: { id: deletedId } });
          const rows = await readRows(checklist).execute();
          const submissions = await server.db
            .selectFrom('submissions')
            .select(['id', 'submitted_at as receivedAt', 'captured_at as capturedAt'])
            .where('checklist_id', '=', checklist)
            .where('deletion_id', 'is', null)
            .execute();
          const answers = assignSubmissions(
            rows.map(({ id, opens_at, closes_at }) => ({ id, opensAt: opens_at, closesAt: closes_at })),
            submissions,
          );
          for (const { id, submission_id } of rows) expect(submission_id).toBe(answers.get(id)?.id ?? null);
          now = instant(end);
          let total = 0;
          for (const state of checkStates) {
            const found = await readRows(checklist).where(isInState(state, now)).execute();
            expect(rows.filter((row) => getCheckState(row, now) === state)).toHaveLength(found.length);
            total += found.length;
          }
          expect(total).toBe(rows.length);
        },
      ),
      { numRuns: 12 },
    );
  });
});

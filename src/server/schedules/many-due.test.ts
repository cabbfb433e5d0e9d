// Due now with more checks than are shown of several parks.
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { maxDueRows } from '#shared/schedules/schedules.ts';
import { isId } from '../ids.ts';
import { startCheckServer } from '../testing/checks.ts';
import { engines } from '../testing/server.ts';
import { setUp } from '../testing/test-server.ts';

const park = 'Lido Beach';

describe.each(engines)('%s', (engine) => {
  const checks = setUp(() => startCheckServer(engine, park, '2040-05-01T05:00:00.000Z'));

  test('of several parks Due now counts all checks and shows what is due before what was missed and done', async () => {
    const { admin, staff, at } = checks;
    const names = (word: string, count: number) => Array.from({ length: count }, (_, index) => `${word} ${index + 10}`);
    const [missed, due] = [names('Chalet', 45), names('Lodge', 20)];
    const early = await checks.createChecklist('Early check');
    await checks.schedule(early, await checks.addPlaces(missed), { opens_at: '06:00', closes_at: '08:00' });
    const late = await checks.createChecklist('Late check');
    const lodges = await checks.addPlaces(due);
    await checks.schedule(late, lodges, { opens_at: '06:00', closes_at: '20:00' });
    at('06:30');
    await checks.submit(late, 'Yes', { placeId: lodges[0], park });
    at('09:00');
    const all = await admin(api.listDueChecks);
    const counts = { checks: 65, due: 19, missed: 45 };
    expect(all.counts).toMatchObject(counts);
    expect(all.checks).toHaveLength(maxDueRows);
    const count = (state: string) => all.checks.filter((check) => check.state === state).length;
    expect([count('missed'), count('due'), count('done')]).toEqual([31, 19, 0]);
    // Among themselves they stay in the order of their ends.
    expect(all.checks.map(({ closes_at }) => closes_at)).toEqual(all.checks.map(({ closes_at }) => closes_at).sort());
    const ofPark = await staff(api.listDueChecks, { query: { park } });
    expect(ofPark.counts).toMatchObject(counts);
    expect(ofPark.checks).toHaveLength(65);
  });

  test('checks that are written together have ids that begin alike, so that they are next to each other in the file', async () => {
    const checklist = await checks.createChecklist('Weekly check');
    const schedule = await checks.schedule(checklist, await checks.addPlaces(['Cabin 1', 'Cabin 2']));
    const { db } = checks.server;
    const rows = await db.selectFrom('due_checks').select('id').where('schedule_id', '=', schedule).execute();
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.every(({ id }) => isId(id))).toBe(true);
    expect(new Set(rows.map(({ id }) => id.slice(0, 10))).size).toBe(1);
  });
});

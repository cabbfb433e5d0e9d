// Four play areas that are inspected every Monday, one of which is left out for three weeks.
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { startCheckServer } from '../testing/checks.ts';
import { engines } from '../testing/server.ts';
import { setUp } from '../testing/test-server.ts';
import { insertComingChecks } from './due-checks.ts';
import { notifyOfMissedChecks } from './missed.ts';

const dayMs = 24 * 60 * 60_000;

describe.each(engines)('a place that is left out on %s', (engine) => {
  const server = setUp(() => startCheckServer(engine, 'Lido Beach', '2026-06-01T04:00:00.000Z'));

  test('is named each week, and the others are ready until the next inspection', async () => {
    const { admin, park } = server;
    const { db } = server.server;
    const names = ['Play area 1', 'Play area 2', 'Play area 3', 'Play area 4'];
    const places = await server.addPlaces(names);
    const [left = ''] = places.slice(2);
    const checklist = await server.createChecklist('Play area: weekly inspection');
    const times = { repeat: 'weekly', weekday: 1, opens_at: '08:00', closes_at: '18:00' };
    const schedule = await server.schedule(checklist, places, times);
    const run = async () => {
      await insertComingChecks(db, new Date(server.now()));
      await notifyOfMissedChecks(db, new Date(server.now()));
    };
    const listMissed = async () =>
      (await admin(api.listNotifications)).filter(({ kind }) => kind === 'checkMissed').map(({ text }) => text);
    for (let day = 0; day < 28; day += 1) {
      const date = new Date(Date.parse('2026-06-01T00:00:00Z') + day * dayMs).toISOString().slice(0, 10);
      const week = Math.floor(day / 7);
      server.at('06:30', date);
      await run();
      if (day % 7 === 0) {
        // Until the window opens, the inspection of last week holds.
        expect(await server.readiness(...places)).toEqual(places.map((place) => week > 0 && place !== left));
        server.at('09:00', date);
        expect(await server.readiness(...places)).toEqual(places.map(() => false));
        for (const placeId of places)
          if (placeId !== left || week === 3) await server.submit(checklist, 'Yes', { placeId });
        server.at('17:00', date);
        await run();
        expect(await listMissed()).toHaveLength(Math.min(week + 1, 3));
      }
      expect(await server.readiness(...places)).toEqual(places.map((place) => place !== left || week === 3));
    }
    const missed = await listMissed();
    expect(new Set(missed)).toEqual(
      new Set([
        expect.stringMatching(
          /^Check missed at Lido Beach: Play area: weekly inspection, .*1 of 4 places: Play area 3$/,
        ),
      ]),
    );
    const query = { park, from: '2026-06-01', to: '2026-06-28' };
    const rows = await admin(api.listChecks, { query: { ...query, state: 'missed' } });
    expect(rows.map(({ place, day }) => [place, day])).toEqual(
      ['2026-06-15', '2026-06-08', '2026-06-01'].map((day) => ['Play area 3', day]),
    );
    expect(await admin(api.countChecks, { query: { ...query, state: 'missed' } })).toMatchObject([
      { parks: [{ checks: 3, places: { count: 1, of: 4 } }] },
    ]);
    await admin(api.endSchedule, { params: { id: schedule } });
  });
});

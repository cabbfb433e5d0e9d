// Months and years of checks, on the days on which something changes.
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { addDays } from '#shared/calendar.ts';
import { startCheckServer } from '../testing/checks.ts';
import { readRows } from '../testing/rows.ts';
import { engines } from '../testing/server.ts';
import { setUp } from '../testing/test-server.ts';
import { insertComingChecks } from './due-checks.ts';
import { notifyOfMissedChecks } from './missed.ts';

const times = { opens_at: '08:00', closes_at: '18:00' };

describe.each(engines)('checks on %s', (engine) => {
  const server = setUp(() => startCheckServer(engine, 'Lido Beach', '2026-08-01T04:00:00.000Z'));

  /** Does what the hourly job does. */
  async function run(time: string, day: string) {
    server.at(time, day);
    const { db } = server.server;
    await insertComingChecks(db, new Date(server.now()));
    await notifyOfMissedChecks(db, new Date(server.now()));
  }
  const listMissed = async (title: string) =>
    (await server.admin(api.listNotifications))
      .filter(({ kind, text }) => kind === 'checkMissed' && text.includes(title))
      .map(({ text }) => text);
  const listChecks = (scheduleId: string) =>
    readRows(server.server.db, 'due_checks', { schedule_id: scheduleId }, 'opens_at');
  const listDays = async (scheduleId: string) => [...new Set((await listChecks(scheduleId)).map(({ day }) => day))];
  const end = (id: string) => server.admin(api.endSchedule, { params: { id } });

  test('of 35 outlets every quarter are due at each, and name the one that was left out', async () => {
    const outlets = await server.addPlaces(Array.from({ length: 35 }, (_, index) => `Outlet ${index + 1}`));
    const checklist = await server.createChecklist('Shower heads');
    const rule = { ...times, repeat: 'monthly', every: 3, month_day: 31 };
    const schedule = await server.schedule(checklist, outlets, rule);
    const [left = ''] = outlets.slice(17);
    const areReady = outlets.map((place) => place !== left);
    const dueDays = ['2026-08-31', '2026-11-30'];
    for (const day of [
      '2026-08-15',
      '2026-08-31',
      '2026-09-15',
      '2026-10-05',
      '2026-10-31',
      '2026-11-15',
      '2026-11-30',
    ]) {
      const isDue = dueDays.includes(day);
      await run('06:00', day);
      if (isDue) {
        server.at('12:00', day);
        expect(Object.values(await server.states(schedule))).toEqual(outlets.map(() => 'due'));
        for (const placeId of outlets) if (placeId !== left) await server.submit(checklist, 'Yes', { placeId });
        expect(await server.readiness(...outlets)).toEqual(areReady);
        await run('19:00', day);
      }
      // Until the next quarter, what was checked stays ready.
      if (day >= '2026-08-31') expect(await server.readiness(...outlets)).toEqual(areReady);
    }
    expect(await listDays(schedule)).toEqual(dueDays);
    expect(await listChecks(schedule)).toHaveLength(70);
    expect(await listMissed('Shower heads')).toEqual(
      Array(2).fill(expect.stringMatching(/1 of 35 places: Outlet 18$/)),
    );
    await end(schedule);
  });

  test('are not due while the park is closed for a month, nor moved by it', async () => {
    server.at('04:00', '2026-12-20');
    const [pool = ''] = await server.addPlaces(['Pool']);
    const checklist = await server.createChecklist('Pump room');
    const closure = { park: server.park, starts_on: '2027-01-04', ends_on: '2027-02-03' };
    await server.admin(api.createClosure, { body: closure });
    const schedule = await server.schedule(checklist, [pool], { ...times, every: 5 });
    const jobDays = ['12-20', '12-25', '12-30', '01-03', '01-04', '01-20', '02-03', '02-04', '02-07', '02-08'];
    for (const monthDay of jobDays) {
      const day = `${monthDay < '03' ? 2027 : 2026}-${monthDay}`;
      await run('12:00', day);
      if ((await server.states(schedule)).Pool === 'due') await server.submit(checklist, 'Yes', { placeId: pool });
      const isClosed = closure.starts_on <= day && day <= closure.ends_on;
      // A check was left out while it was closed, so that it opens only after the next one.
      const isReady = day < closure.starts_on || day >= '2027-02-08';
      expect(await server.getReady(pool)).toMatchObject({ not_in_use: isClosed ? 'closed' : null, is_ready: isReady });
    }
    const days = ['2026-12-20', '2026-12-25', '2026-12-30', '2027-02-08', '2027-02-13', '2027-02-18', '2027-02-23'];
    expect((await listDays(schedule)).slice(0, days.length)).toEqual(days);
    expect(await listMissed('Pump room')).toEqual([]);
    await end(schedule);
  });

  test('of a boiler once a year are due on 29 February, and on the 28th of other years', async () => {
    server.at('04:00', '2027-02-11');
    const [boiler = ''] = await server.addPlaces(['Boiler']);
    const checklist = await server.createChecklist('Boiler service');
    const rule = { ...times, repeat: 'yearly', month: 2, month_day: 29 };
    const schedule = await server.schedule(checklist, [boiler], rule);
    const dueDays = ['2027-02-28', '2028-02-29', '2029-02-28'];
    for (const [index, day] of dueDays.entries()) {
      for (const before of [-21, -14, -7, -1]) await run('12:00', addDays(day, before));
      // The service of the year before holds until this one is due.
      await run('07:59', day);
      expect(await server.readiness(boiler)).toEqual([index > 0]);
      await run('08:00', day);
      expect(await server.readiness(boiler)).toEqual([false]);
      if (index < 2) await server.submit(checklist, 'Yes', { placeId: boiler });
      const { valid_until } = (await server.getReady(boiler)) ?? {};
      expect(valid_until).toBe(index < 2 ? `${dueDays[index + 1]}T08:00:00.000Z` : null);
      await run('18:30', day);
    }
    expect(await listDays(schedule)).toEqual(dueDays);
    expect(await listMissed('Boiler service')).toHaveLength(1);
    await end(schedule);
  });

  test.each([
    ['spring', '2029-03-24', ['06:00 10:00', '05:00 09:00', '05:00 09:00']],
    ['autumn', '2029-10-27', ['05:00 09:00', '06:00 10:00', '06:00 10:00']],
  ])('are due once a day at the same time of day over the change of clocks in %s', async (season, first, windows) => {
    server.at('00:00', addDays(first, -1));
    const [place = ''] = await server.addPlaces([`Slide in ${season}`]);
    const checklist = await server.createChecklist(`Slide in ${season}`);
    const schedule = await server.schedule(checklist, [place], { starts_on: first });
    const days = [0, 1, 2].map((count) => addDays(first, count));
    for (const [index, day] of days.entries()) {
      const [opens = '', closes = ''] = windows[index]?.split(' ') ?? [];
      await run(opens, day);
      expect(await server.readiness(place)).toEqual([false]);
      await server.submit(checklist, 'Yes', { placeId: place });
      expect(await server.readiness(place)).toEqual([true]);
      expect((await listChecks(schedule))[index]).toMatchObject({
        ...{ day, opens_at: `${day}T${opens}:00.000Z`, closes_at: `${day}T${closes}:00.000Z` },
        filled_in_at: server.now(),
      });
    }
    expect((await listDays(schedule)).slice(0, 3)).toEqual(days);
    await end(schedule);
  });
});

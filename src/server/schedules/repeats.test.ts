// How often checks are due: every few days, weeks, months or years.
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import type { EndpointInput } from '#shared/client.ts';
import { engines } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

type Changes = Partial<EndpointInput<typeof api.createSchedule>['body']>;

const sections = [{ title: 'Clear?', type: 'checkbox' as const, required: false }];
const fields = {
  ...{ parks: ['Lido Beach' as const], repeat: 'daily' as const, starts_on: '2026-06-01' },
  ...{ opens_at: '06:00', closes_at: '10:00' },
};

describe.each(engines)('repeats of checks on %s', (engine) => {
  const monday = '2026-06-01T04:00:00.000Z';
  const { server, admin } = createTestServer(engine, {}, () => monday);

  async function schedule(changes: Changes) {
    const { id: checklist_id } = await admin(api.createChecklist, { body: { title: 'Pump', sections } });
    const { id } = await admin(api.createSchedule, { body: { ...fields, ...changes, checklist_id } });
    return id;
  }
  const find = async (id: string) => (await admin(api.listSchedules)).find((schedule) => schedule.id === id);
  const listDays = async (id: string) => {
    const rows = server.db.selectFrom('due_checks').select('day').where('schedule_id', '=', id).orderBy('day');
    return (await rows.execute()).map(({ day }) => day.slice(5)).join(' ');
  };

  test.each<[string, Changes, string]>([
    ['every 5 days', { every: 5 }, '06-01 06-06 06-11 06-16 06-21'],
    [
      'Monday and Friday of every 2nd week',
      { repeat: 'weekly', every: 2, weekdays: [5, 1] },
      '06-01 06-05 06-15 06-19',
    ],
    ['one weekday, from a page of an earlier version', { repeat: 'weekly', weekday: 3 }, '06-03 06-10 06-17'],
    ['every 3rd month on the 10th', { repeat: 'monthly', every: 3, month_day: 10 }, '06-10'],
    ['every year', { repeat: 'yearly', month: 6, month_day: 20 }, '06-20'],
    ['every year, not in these weeks', { repeat: 'yearly', month: 7, month_day: 1 }, ''],
  ])('checks are due on the expected days: %s', async (_, changes, days) => {
    expect(await listDays(await schedule(changes))).toBe(days);
  });

  test.each<[string, Changes, string]>([
    ['no weekday', { repeat: 'weekly' }, 'weekdays'],
    ['no month', { repeat: 'yearly', month_day: 1 }, 'repeat'],
    ['no day of the month', { repeat: 'monthly' }, 'repeat'],
    ['too many weeks', { repeat: 'weekly', weekdays: [1], every: 53 }, 'every'],
    ['too many years', { repeat: 'yearly', month: 1, month_day: 1, every: 13 }, 'every'],
    ['every second working day', { repeat: 'weekdays', every: 2 }, 'every'],
    ['half a day', { every: 0.5 }, 'every'],
    ['a weekday twice', { repeat: 'weekly', weekdays: [1, 1] }, 'weekdays'],
  ])('a schedule with %s is refused', async (_, changes, field) => {
    await expect(schedule(changes)).rejects.toMatchObject({ status: 400, fields: { [field]: expect.any(String) } });
  });

  test('a change leaves what is absent as it is; an earlier page can change the only weekday', async () => {
    const id = await schedule({ repeat: 'weekly', every: 2, weekdays: [2, 4] });
    const update = (changes: Changes) =>
      admin(api.updateSchedule, { params: { id }, body: { ...fields, repeat: 'weekly', ...changes } });
    await update({ opens_at: '07:00' });
    expect(await find(id)).toMatchObject({ every: 2, weekdays: [2, 4], weekday: 2, opens_at: '07:00' });
    // The page shows the first weekday.
    await update({ weekday: 2, opens_at: '08:00' });
    expect(await find(id)).toMatchObject({ every: 2, weekdays: [2, 4], opens_at: '08:00' });
    await update({ weekday: 5 });
    expect(await find(id)).toMatchObject({ every: 2, weekdays: [5], weekday: 5 });
    await update({ repeat: 'monthly', month_day: 3 });
    expect(await find(id)).toMatchObject({ every: 1, weekdays: [], weekday: null, month_day: 3 });
    await expect(update({})).rejects.toMatchObject({ status: 400, fields: { weekdays: 'Choose the day' } });
  });

  test('coming checks are those of 4 weeks by place, and in 12 months what is rarer than monthly', async () => {
    await admin(api.addPlaces, { body: { park: 'Kingsley', names: ['Pool 10', 'Pool 2'] } });
    const ids = (await admin(api.listPlaces)).filter(({ park }) => park === 'Kingsley').map(({ id }) => id);
    const ofPark = { parks: ['Kingsley' as const] };
    await schedule({ ...ofPark, repeat: 'weekly', weekdays: [1], every: 2, places: ids });
    await schedule({ ...ofPark, repeat: 'monthly', month_day: 3, every: 6 });
    await admin(api.createClosure, { body: { park: 'Kingsley', starts_on: '2026-06-14', ends_on: '2026-06-16' } });
    const { checks, until } = await admin(api.listComingChecks, { query: { park: 'Kingsley' } });
    expect(until).toBe('2026-06-28');
    expect(checks.map(({ day, place, state }) => `${day} ${place} ${state}`)).toEqual([
      '2026-06-01 Pool 2 upcoming',
      '2026-06-01 Pool 10 upcoming',
      '2026-06-03  upcoming',
      '2026-12-03  upcoming',
    ]);
    const staff = await server.as('None', 'Mounds');
    await expect(staff(api.listComingChecks, { query: { park: 'Kingsley' } })).rejects.toMatchObject({ status: 403 });
  });
});

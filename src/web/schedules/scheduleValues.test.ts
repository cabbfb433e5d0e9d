import { expect, test } from 'vitest';
import { listConflicts, mergeValues, toBody, toValues } from './scheduleValues.ts';

const start = { ...toValues(undefined, 'Mounds'), starts_on: '2026-06-01' };
const later = [{ opens_at: '06:00', closes_at: '11:00' }];

test('fields of a schedule that only one of two users changed are merged', () => {
  const mine = { ...start, places: ['pool'] };
  const theirs = { ...start, windows: later };
  expect(listConflicts(start, mine, theirs)).toEqual([]);
  expect(mergeValues(start, mine, theirs)).toEqual({ ...start, places: ['pool'], windows: later });
});

test('a field of a schedule that two users changed to different values is a conflict', () => {
  const mine = { ...start, repeat: 'weekly' as const, weekdays: [2], places: ['spa', 'pool'] };
  const theirs = { ...start, repeat: 'weekly' as const, weekdays: [5], places: ['pool', 'spa'] };
  expect(listConflicts(start, mine, theirs)).toEqual([
    { label: 'How often', mine: 'Every Tuesday', theirs: 'Every Friday' },
  ]);
  expect(mergeValues(start, mine, { ...theirs, windows: later })).toEqual({ ...mine, windows: later });
});

test("a weekday or day of the year that a schedule's repetition does not use is not sent", () => {
  const values = { ...start, repeat: 'monthly' as const, weekdays: [3], month_day: 31 };
  const variables = { values, checklistId: '1', schedule: undefined };
  expect(toBody(variables)).toMatchObject({ weekdays: [], month_day: 31 });
  expect(toBody({ ...variables, values: { ...values, repeat: 'daily' } })).toMatchObject({
    weekdays: [],
    month_day: null,
  });
});

import { expect, test } from 'vitest';
import { isNotReady, NewSchedule } from './schedules.ts';

const findErrors = (changes: object) => {
  const schedule = { checklist_id: 'c', parks: ['Mounds'], repeat: 'daily', starts_on: '2026-01-01' };
  const { error } = NewSchedule.safeParse({ ...schedule, opens_at: '08:00', closes_at: '09:00', ...changes });
  return error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join();
};

const findError = (...times: string[]) => {
  const [first, ...more_windows] = times.map((window) => {
    const [opens_at = '', closes_at = ''] = window.split(' ');
    return { opens_at, closes_at };
  });
  return findErrors({ ...first, more_windows });
};

test('a schedule has at least one park, and each park once', () => {
  expect(findErrors({ parks: ['Mounds', 'Kingsley'] })).toBeUndefined();
  expect(findErrors({ parks: [] })).toBe('parks: Choose at least one park');
  expect(findErrors({ parks: ['Mounds', 'Kingsley', 'Mounds'] })).toBe('parks: Choose each park once');
});

test.each([
  ['one window of a whole day', ['00:00 00:00'], undefined],
  ['windows that follow each other at once', ['08:00 12:00', '12:00 12:30'], undefined],
  ['windows in any order', ['17:00 18:00', '08:00 09:00', '12:00 13:00'], undefined],
  ['a window over midnight until the first one', ['22:00 06:00', '06:00 10:00'], undefined],
  ['windows that overlap', ['08:00 12:00', '11:59 13:00'], 'more_windows: These times overlap'],
  ['the same window twice', ['08:00 09:00', '08:00 09:00'], 'more_windows: These times overlap'],
  ['a window over midnight into the first one', ['06:00 10:00', '22:00 06:01'], 'more_windows: These times overlap'],
  ['a window over midnight before another', ['08:00 07:00', '12:00 13:00'], 'more_windows: These times overlap'],
])('a schedule with %s %j gets the error %j', (_, times, error) => {
  expect(findError(...times)).toBe(error);
});

test('a place whose season is over does not count as not ready', () => {
  expect(isNotReady({ is_ready: false, not_in_use: 'season' })).toBe(false);
});

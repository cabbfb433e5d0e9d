import { describe, expect, test } from 'vitest';
import { getEndOfQuietHours } from './notify.ts';

describe('the end of the quiet hours', () => {
  test.each([
    ['2026-03-28T20:59:00Z', '2026-03-28T20:59:00.000Z'],
    // 21:00 in winter; the clocks go forward in the night, so 07:00 is an hour earlier in UTC.
    ['2026-03-28T21:00:00Z', '2026-03-29T06:00:00.000Z'],
    ['2026-03-29T00:59:00Z', '2026-03-29T06:00:00.000Z'],
    ['2026-03-29T05:59:00Z', '2026-03-29T06:00:00.000Z'],
    ['2026-03-29T06:00:00Z', '2026-03-29T06:00:00.000Z'],
    ['2026-10-24T19:59:00Z', '2026-10-24T19:59:00.000Z'],
    ['2026-10-24T20:00:00Z', '2026-10-25T07:00:00.000Z'],
    ['2026-10-25T06:59:00Z', '2026-10-25T07:00:00.000Z'],
    ['2026-10-25T07:00:00Z', '2026-10-25T07:00:00.000Z'],
  ])('a message due at %s is sent at %s because of the quiet hours', (now, end) => {
    expect(getEndOfQuietHours(new Date(now)).toISOString()).toBe(end);
  });
});

import { expect, test } from 'vitest';
import { createClock } from './clock.ts';

test('the clock stands still when it is set back by less than an hour, and follows a larger correction', () => {
  let source = Date.parse('2026-06-01T12:00:00Z');
  const clock = createClock(() => source);
  const read = (time: string) => {
    source = Date.parse(`2026-06-${time}:00Z`);
    return clock().toISOString().slice(8, 16);
  };
  expect(read('01T12:00')).toBe('01T12:00');
  expect(read('01T11:01')).toBe('01T12:00');
  expect(read('01T11:59')).toBe('01T12:00');
  expect(read('02T12:00')).toBe('02T12:00');
  expect(read('01T12:01')).toBe('01T12:01');
  expect(read('01T12:00')).toBe('01T12:01');
});

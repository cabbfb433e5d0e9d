import { expect, test } from 'vitest';
import { changeWithDay, type FormDay, isDayOld } from './useToday.ts';

type Values = FormDay & { note: string };
const [evening, morning] = ['2026-05-03', '2026-05-04'];

test('a form takes the day of its first input, and says so on the next day unless the day was chosen', () => {
  const untouched: Values = { note: '' };
  expect(isDayOld(untouched, morning)).toBe(false);
  const begun: Values = { ...untouched, ...changeWithDay(untouched, { note: 'Sent' }, evening) };
  expect(begun.day).toBe(evening);
  expect(isDayOld(begun, evening)).toBe(false);
  expect(isDayOld(begun, morning)).toBe(true);
  const continued: Values = { ...begun, ...changeWithDay(begun, { note: 'Sent twice' }, morning) };
  expect(isDayOld(continued, morning)).toBe(true);
  const chosen: Values = { ...continued, ...changeWithDay(continued, { day: evening }, morning) };
  expect(chosen.day).toBe(evening);
  expect(isDayOld(chosen, morning)).toBe(false);
});

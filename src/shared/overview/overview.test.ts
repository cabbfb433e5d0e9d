import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromDayNumber, toDayNumber } from '../calendar.ts';
import { getPeriodBefore } from './overview.ts';

describe('the period with which a period is compared', () => {
  test.each([
    ['a finished month', '2026-03-01', '2026-03-31', '2026-06-01', '2025-03-02', '2025-04-01'],
    ['an unfinished season, until today', '2026-03-01', '2026-10-31', '2026-06-01', '2025-03-02', '2025-06-02'],
    ['52 weeks', '2025-11-25', '2026-11-23', '2026-11-23', '2024-11-26', '2025-11-24'],
    ['a leap year', '2028-01-01', '2028-12-31', '2029-01-01', '2026-12-26', '2027-12-26'],
    ['18 months', '2025-01-01', '2026-06-30', '2026-07-01', '2023-01-04', '2024-07-02'],
  ])('%s is compared with the same weeks of an earlier year', (_, from, to, today, earlierFrom, earlierTo) => {
    expect(getPeriodBefore({ from, to }, today)).toMatchObject({ from: earlierFrom, to: earlierTo });
  });

  test('the compared period has the same days of the week, ends before the period and is as long as it is so far', () => {
    const first = toDayNumber('2020-01-01');
    fc.assert(
      fc.property(fc.nat(4000), fc.nat(3660), fc.nat(3660), (start, length, elapsed) => {
        const from = first + start;
        const today = from + elapsed;
        const period = { from: fromDayNumber(from), to: fromDayNumber(from + length) };
        const before = getPeriodBefore(period, fromDayNumber(today));
        const [earlierFrom, earlierTo] = [toDayNumber(before.from), toDayNumber(before.to)];
        expect(earlierTo - earlierFrom).toBe(Math.min(length, elapsed));
        expect((from - earlierFrom) % 7).toBe(0);
        expect(earlierTo).toBeLessThan(from);
        // The same season: at most a week of difference for each year.
        expect(Math.abs(from - earlierFrom - before.years * 365.25)).toBeLessThanOrEqual(before.years * 7);
      }),
    );
  });
});

import { describe, expect, test } from 'vitest';
import { getDays, type PeriodName } from './period.ts';

const none = { from: '', to: '' };

describe('a period of the overview', () => {
  test.each<[PeriodName, string, string, string]>([
    ['friday', '2026-11-23', '2026-11-20', '2026-11-23'],
    ['friday', '2026-11-21', '2026-11-20', '2026-11-21'],
    ['friday', '2026-11-20', '2026-11-13', '2026-11-20'],
    ['week', '2026-11-23', '2026-11-23', '2026-11-23'],
    ['week', '2026-11-22', '2026-11-16', '2026-11-22'],
    ['30days', '2026-03-01', '2026-01-31', '2026-03-01'],
    ['season', '2026-06-01', '2026-03-01', '2026-06-01'],
    ['season', '2026-11-24', '2026-03-01', '2026-10-31'],
    ['season', '2026-02-28', '2025-03-01', '2025-10-31'],
    ['year', '2026-02-28', '2026-01-01', '2026-02-28'],
    ['12months', '2026-11-23', '2025-11-25', '2026-11-23'],
  ])('the period "%s" on %s is %s to %s', (name, today, from, to) => {
    expect(getDays(name, none, today)).toEqual({ from, to });
  });

  test('the first and last day of a custom period are swapped if they are in the wrong order', () => {
    expect(getDays('custom', { from: '2026-02-02', to: '2026-01-01' })).toEqual({
      from: '2026-01-01',
      to: '2026-02-02',
    });
  });
});

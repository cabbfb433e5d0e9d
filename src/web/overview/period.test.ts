import { describe, expect, test } from 'vitest';
import { findParks, getDays, type PeriodName } from './period.ts';

const none = { from: '', to: '' };

describe('a period of the overview', () => {
  test.each<[PeriodName, string, string, string]>([
    ['friday', '2026-11-23', '2026-11-20', '2026-11-23'],
    ['friday', '2026-11-21', '2026-11-20', '2026-11-21'],
    ['friday', '2026-11-20', '2026-11-13', '2026-11-20'],
    ['week', '2026-11-23', '2026-11-23', '2026-11-23'],
    ['week', '2026-11-22', '2026-11-16', '2026-11-22'],
    ['30days', '2026-03-01', '2026-01-31', '2026-03-01'],
    ['season', '2026-06-01', '2026-03-01', '2026-10-31'],
    ['season', '2026-02-28', '2025-03-01', '2025-10-31'],
    ['year', '2026-02-28', '2026-01-01', '2026-02-28'],
    ['12months', '2026-11-23', '2025-11-24', '2026-11-23'],
  ])('%s on %s is %s to %s', (name, today, from, to) => {
    expect(getDays(name, none, today)).toEqual({ from, to });
  });

  test('days in the wrong order are swapped', () => {
    expect(getDays('custom', { from: '2026-02-02', to: '2026-01-01' })).toEqual({
      from: '2026-01-01',
      to: '2026-02-02',
    });
  });

  test("a reviewer's own park is chosen until another is", () => {
    expect(findParks('', 'Mounds')).toEqual(['Mounds']);
    expect(findParks('all', 'Mounds')).toEqual([]);
    expect(findParks('Winkups', 'Mounds')).toEqual(['Winkups']);
    expect(findParks('Winkups,Atlantis,Mounds', '')).toEqual(['Mounds', 'Winkups']);
    expect(findParks('', '')).toEqual([]);
  });
});

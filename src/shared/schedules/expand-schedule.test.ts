import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromDayNumber, toDayNumber } from '../calendar.ts';
import { expandSchedule, type ScheduleRule } from './expand-schedule.ts';
import { repeats } from './schedules.ts';

const morning = { windows: [{ opensAt: '06:00', closesAt: '10:00' }], startsOn: '2020-01-01' };
const daily: ScheduleRule = { repeat: 'daily', ...morning };
const weekdays: ScheduleRule = { repeat: 'weekdays', ...morning };
const weekly = (weekday: number): ScheduleRule => ({ repeat: 'weekly', weekdays: [weekday], ...morning });
const monthly = (monthDay: number): ScheduleRule => ({ repeat: 'monthly', monthDay, ...morning });
const at = (opensAt: string, closesAt: string): ScheduleRule => ({ ...daily, windows: [{ opensAt, closesAt }] });
const season = (from: string, to: string, rule = daily): ScheduleRule => ({ ...rule, season: { from, to } });

type Vector = [title: string, rule: ScheduleRule, from: string, to: string, expected: string, closed?: string[]];

/** The expected due days, as `day day …`. Written by hand from a calendar. */
const dayVectors: Vector[] = [
  ['every day', daily, '2026-06-01', '2026-06-03', '2026-06-01 2026-06-02 2026-06-03'],
  ['both ends of the range are included', daily, '2026-06-01', '2026-06-01', '2026-06-01'],
  ['none in a range that ends before it begins', daily, '2026-06-02', '2026-06-01', ''],
  ['daily over the end of a month', daily, '2026-04-30', '2026-05-01', '2026-04-30 2026-05-01'],
  ['daily over the end of a year', daily, '2026-12-31', '2027-01-01', '2026-12-31 2027-01-01'],
  ['daily over 28 February', daily, '2026-02-28', '2026-03-01', '2026-02-28 2026-03-01'],
  ['daily in a leap year, with 29 February', daily, '2028-02-28', '2028-03-01', '2028-02-28 2028-02-29 2028-03-01'],
  ['daily over the spring change', daily, '2026-03-28', '2026-03-30', '2026-03-28 2026-03-29 2026-03-30'],
  ['daily over the autumn change', daily, '2026-10-24', '2026-10-26', '2026-10-24 2026-10-25 2026-10-26'],
  ['weekdays leave out a weekend', weekdays, '2026-11-20', '2026-11-23', '2026-11-20 2026-11-23'],
  ['weekdays on a weekend have none', weekdays, '2026-11-21', '2026-11-22', ''],
  ['weekdays include bank holidays', weekdays, '2026-12-25', '2026-12-25', '2026-12-25'],
  ['weekly on Monday', weekly(1), '2026-11-01', '2026-11-30', '2026-11-02 2026-11-09 2026-11-16 2026-11-23 2026-11-30'],
  ['weekly on Sunday', weekly(7), '2026-11-01', '2026-11-15', '2026-11-01 2026-11-08 2026-11-15'],
  ['weekly on Saturday over New Year', weekly(6), '2026-12-20', '2027-01-05', '2026-12-26 2027-01-02'],
  ['weekly on the day of the spring change', weekly(7), '2026-03-22', '2026-04-05', '2026-03-22 2026-03-29 2026-04-05'],
  ['weekly without its day in the range', weekly(3), '2026-11-19', '2026-11-24', ''],
  ['monthly on the 1st', monthly(1), '2026-01-01', '2026-03-31', '2026-01-01 2026-02-01 2026-03-01'],
  ['monthly on the 15th', monthly(15), '2026-01-16', '2026-03-15', '2026-02-15 2026-03-15'],
  ['monthly on the 29th in February', monthly(29), '2026-02-01', '2026-03-31', '2026-02-28 2026-03-29'],
  ['monthly on the 29th in a leap year', monthly(29), '2028-02-01', '2028-02-29', '2028-02-29'],
  ['monthly on the 30th in a leap year', monthly(30), '2028-02-01', '2028-03-31', '2028-02-29 2028-03-30'],
  ['monthly on the 31st', monthly(31), '2026-03-01', '2026-06-30', '2026-03-31 2026-04-30 2026-05-31 2026-06-30'],
  ['monthly on the 31st in December', monthly(31), '2026-12-01', '2027-01-31', '2026-12-31 2027-01-31'],
  ['every 3 days', { ...daily, every: 3 }, '2020-01-01', '2020-01-09', '2020-01-01 2020-01-04 2020-01-07'],
  [
    'every 3 days over a leap day',
    { ...daily, every: 3 },
    '2020-02-27',
    '2020-03-05',
    '2020-02-27 2020-03-01 2020-03-04',
  ],
  [
    'every 2 weeks from a Wednesday, Monday to Sunday as one week',
    { ...weekly(1), every: 2, weekdays: [1, 3, 7] },
    '2020-01-01',
    '2020-01-19',
    '2020-01-01 2020-01-05 2020-01-13 2020-01-15 2020-01-19',
  ],
  [
    'every 2 weeks over New Year with 53 weeks',
    { ...weekly(4), every: 2, startsOn: '2026-12-24' },
    '2026-12-20',
    '2027-01-31',
    '2026-12-24 2027-01-07 2027-01-21',
  ],
  [
    'every 3 months on the 31st, without drift',
    { ...monthly(31), every: 3, startsOn: '2026-08-15' },
    '2026-01-01',
    '2027-12-31',
    '2026-08-31 2026-11-30 2027-02-28 2027-05-31 2027-08-31 2027-11-30',
  ],
  [
    'every 3 months counts from the month of the first day, also when its day is over',
    { ...monthly(10), every: 3, startsOn: '2026-08-15' },
    '2026-01-01',
    '2027-03-31',
    '2026-11-10 2027-02-10',
  ],
  [
    'yearly on 29 February',
    { ...monthly(29), repeat: 'yearly', month: 2 },
    '2026-01-01',
    '2029-12-31',
    '2026-02-28 2027-02-28 2028-02-29 2029-02-28',
  ],
  [
    'every 4 years',
    { ...monthly(1), repeat: 'yearly', month: 7, every: 4 },
    '2021-01-01',
    '2030-12-31',
    '2024-07-01 2028-07-01',
  ],
  ['2100 is no leap year', monthly(31), '2100-02-01', '2100-02-28', '2100-02-28'],
  ['a season includes its first day', season('04-01', '10-31'), '2026-03-31', '2026-04-02', '2026-04-01 2026-04-02'],
  ['a season includes its last day', season('04-01', '10-31'), '2026-10-30', '2026-11-02', '2026-10-30 2026-10-31'],
  ['out of season nothing is due', season('04-01', '10-31'), '2026-01-01', '2026-02-28', ''],
  ['a season of one day', season('07-04', '07-04'), '2026-07-01', '2026-07-31', '2026-07-04'],
  ['a season over New Year, its end', season('11-01', '02-28'), '2026-02-27', '2026-03-02', '2026-02-27 2026-02-28'],
  ['a season over New Year, its start', season('11-01', '02-28'), '2026-10-31', '2026-11-01', '2026-11-01'],
  ['a season over New Year, the turn', season('11-01', '02-28'), '2026-12-31', '2027-01-01', '2026-12-31 2027-01-01'],
  ['a season to 28 February leaves out the 29th', season('11-01', '02-28'), '2028-02-28', '2028-03-01', '2028-02-28'],
  ['a season to 29 February in a common year', season('11-01', '02-29'), '2026-02-28', '2026-03-01', '2026-02-28'],
  [
    'a season from 29 February in a common year',
    season('02-29', '03-02'),
    '2026-02-28',
    '2026-03-03',
    '2026-03-01 2026-03-02',
  ],
  [
    'a season from 29 February in a leap year',
    season('02-29', '03-01'),
    '2028-02-28',
    '2028-03-02',
    '2028-02-29 2028-03-01',
  ],
  [
    'a season and weekdays',
    season('05-01', '05-05', weekdays),
    '2026-04-28',
    '2026-05-08',
    '2026-05-01 2026-05-04 2026-05-05',
  ],
  [
    'a season and monthly on the 31st',
    season('04-01', '05-31', monthly(31)),
    '2026-03-01',
    '2026-07-01',
    '2026-04-30 2026-05-31',
  ],
  [
    'closed days are left out',
    daily,
    '2026-12-24',
    '2026-12-27',
    '2026-12-24 2026-12-27',
    ['2026-12-25', '2026-12-26'],
  ],
  [
    'a closed day moves a weekly check to no other day',
    weekly(5),
    '2026-12-18',
    '2027-01-01',
    '2026-12-18',
    ['2026-12-25', '2027-01-01'],
  ],
  ['a closed day moves a monthly check to no other day', monthly(25), '2026-12-01', '2026-12-31', '', ['2026-12-25']],
  [
    'closed days that are not due change nothing',
    weekly(1),
    '2026-11-09',
    '2026-11-16',
    '2026-11-09 2026-11-16',
    ['2026-11-10'],
  ],
  [
    'nothing is due before the schedule starts',
    { ...daily, startsOn: '2026-06-03' },
    '2026-06-01',
    '2026-06-04',
    '2026-06-03 2026-06-04',
  ],
  [
    'nothing is due after the schedule ends',
    { ...daily, endsOn: '2026-06-02' },
    '2026-06-01',
    '2026-06-04',
    '2026-06-01 2026-06-02',
  ],
  [
    'until its last day, if replaced midway',
    { ...daily, endsOn: '2026-06-02' },
    '2026-05-31',
    '2026-06-30',
    '2026-05-31 2026-06-01 2026-06-02',
  ],
  [
    'from its first day, if it replaces another midway',
    { ...weekly(1), startsOn: '2026-06-03' },
    '2026-05-31',
    '2026-06-15',
    '2026-06-08 2026-06-15',
  ],
  [
    'a schedule of one day',
    { ...daily, startsOn: '2026-06-03', endsOn: '2026-06-03' },
    '2026-01-01',
    '2026-12-31',
    '2026-06-03',
  ],
];

/** The expected window of one day in UTC, as `from/to` without seconds. */
const windowVectors: [title: string, rule: ScheduleRule, day: string, expected: string][] = [
  ['a morning in winter', at('06:00', '10:00'), '2026-01-15', '2026-01-15T06:00/2026-01-15T10:00'],
  ['a morning in summer', at('06:00', '10:00'), '2026-07-15', '2026-07-15T05:00/2026-07-15T09:00'],
  ['the day before the spring change', at('06:00', '10:00'), '2026-03-28', '2026-03-28T06:00/2026-03-28T10:00'],
  ['the day of the spring change', at('06:00', '10:00'), '2026-03-29', '2026-03-29T05:00/2026-03-29T09:00'],
  ['the day of the autumn change', at('06:00', '10:00'), '2026-10-25', '2026-10-25T06:00/2026-10-25T10:00'],
  ['over midnight', at('22:00', '02:00'), '2026-01-15', '2026-01-15T22:00/2026-01-16T02:00'],
  ['over midnight on the last day of a year', at('22:00', '02:00'), '2026-12-31', '2026-12-31T22:00/2027-01-01T02:00'],
  ['over the spring change, one hour shorter', at('22:00', '04:00'), '2026-03-28', '2026-03-28T22:00/2026-03-29T03:00'],
  ['over the autumn change, one hour longer', at('22:00', '04:00'), '2026-10-24', '2026-10-24T21:00/2026-10-25T04:00'],
  ['from an hour that spring leaves out', at('01:30', '04:00'), '2026-03-29', '2026-03-29T01:00/2026-03-29T03:00'],
  ['to an hour that spring leaves out', at('00:30', '01:30'), '2026-03-29', '2026-03-29T00:30/2026-03-29T01:00'],
  [
    'wholly in the hour that spring leaves out',
    at('01:15', '01:45'),
    '2026-03-29',
    '2026-03-29T01:00/2026-03-29T01:30',
  ],
  [
    'in the hour that autumn repeats: all of both',
    at('01:15', '01:45'),
    '2026-10-25',
    '2026-10-25T00:15/2026-10-25T01:45',
  ],
  ['a whole day', at('00:00', '00:00'), '2026-06-01', '2026-05-31T23:00/2026-06-01T23:00'],
  ['a whole day with 25 hours', at('00:00', '00:00'), '2026-10-25', '2026-10-24T23:00/2026-10-26T00:00'],
];

describe('a schedule', () => {
  test.each(dayVectors)(
    'a schedule is due on the expected days: %s',
    (_title, rule, from, to, expected, closed = []) => {
      const days = expandSchedule(rule, from, to, new Set(closed)).map(({ day }) => day);
      expect(days.join(' ')).toBe(expected);
    },
  );

  test.each(windowVectors)('a schedule opens and closes at the expected times: %s', (_title, rule, day, expected) => {
    const windows = expandSchedule(rule, day, day).map(
      ({ opensAt, closesAt }) => `${opensAt.slice(0, 16)}/${closesAt.slice(0, 16)}`,
    );
    expect(windows).toEqual([expected]);
  });

  test('a schedule with several windows is due in each of them on every day, also when the clocks change', () => {
    const windows = ['08:00 09:00', '12:00 13:00', '22:00 01:30'].map((window) => ({
      opensAt: window.slice(0, 5),
      closesAt: window.slice(6),
    }));
    const found = expandSchedule({ ...daily, windows }, '2026-03-28', '2026-03-29', new Set(['2026-03-30']));
    expect(
      found.map(({ day, opensAt, closesAt }) => [day.slice(8), opensAt.slice(8, 16), closesAt.slice(8, 16)]),
    ).toEqual([
      ['28', '28T08:00', '28T09:00'],
      ['28', '28T12:00', '28T13:00'],
      ['28', '28T22:00', '29T01:00'],
      ['29', '29T07:00', '29T08:00'],
      ['29', '29T11:00', '29T12:00'],
      ['29', '29T21:00', '30T00:30'],
    ]);
  });

  test('a schedule expanded in two parts equals one expanded at once', () => {
    const time = fc
      .integer({ min: 0, max: 24 * 4 - 1 })
      .map((quarterHour) => new Date(quarterHour * 15 * 60_000).toISOString().slice(11, 16));
    const monthDay = fc
      .integer({ min: toDayNumber('2028-01-01'), max: toDayNumber('2028-12-31') })
      .map((n) => fromDayNumber(n).slice(5));
    const rule = fc.record({
      repeat: fc.constantFrom(...repeats),
      every: fc.integer({ min: 1, max: 4 }),
      weekdays: fc.array(fc.integer({ min: 1, max: 7 })),
      month: fc.integer({ min: 1, max: 12 }),
      monthDay: fc.integer({ min: 1, max: 31 }),
      season: fc.option(fc.record({ from: monthDay, to: monthDay })),
      windows: fc.array(fc.record({ opensAt: time, closesAt: time }), { minLength: 1, maxLength: 3 }),
      startsOn: fc.constant('2026-01-01'),
    });
    const start = toDayNumber('2026-01-01');
    fc.assert(
      fc.property(rule, fc.nat(900), fc.nat(60), fc.nat(60), (rule, skip, first, second) => {
        const day = (offset: number) => fromDayNumber(start + skip + offset);
        const whole = expandSchedule(rule, day(0), day(first + 1 + second));
        const parts = [
          ...expandSchedule(rule, day(0), day(first)),
          ...expandSchedule(rule, day(first + 1), day(first + 1 + second)),
        ];
        expect(parts).toEqual(whole);
        for (const { opensAt, closesAt } of whole) {
          const hours = (Date.parse(closesAt) - Date.parse(opensAt)) / 3_600_000;
          expect(hours).toBeGreaterThan(0);
          expect(hours).toBeLessThanOrEqual(25);
        }
      }),
    );
  });
});

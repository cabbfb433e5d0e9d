import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatCapturedAt,
  formatDay,
  formatInstant,
  formatLongDay,
  formatMonth,
  getMonth,
  getToday,
  isBefore1900,
  parseDay,
  parseTime,
  unknownMonths,
} from './dates.ts';

const day = fc
  .date({ min: new Date('1900-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

describe('days', () => {
  test('a day is formatted in words', () => {
    expect(formatLongDay('2026-11-03')).toBe('Tuesday 3 November 2026');
    expect(formatLongDay('2024-02-29')).toBe('Thursday 29 February 2024');
    expect(formatLongDay('1900-01-01')).toBe('Monday 1 January 1900');
  });

  test('a day before 1900 is distinguished from an invalid day', () => {
    for (const text of ['1899-12-31', '31/12/1850', '0026-11-03', '0004-02-29']) expect(isBefore1900(text)).toBe(true);
    for (const text of ['1900-01-01', '1899-02-30', 'incomplete', '']) expect(isBefore1900(text)).toBe(false);
  });

  test('a day is parsed from common formats and formatted as DD/MM/YYYY', () => {
    fc.assert(
      fc.property(day, (iso) => {
        const [year, month, date] = iso.split('-') as [string, string, string];
        const withoutLeadingZeros = (part: string) => String(Number(part));
        const dateFormats = [
          `${date}/${month}/${year}`,
          `${date}-${month}-${year}`,
          `${withoutLeadingZeros(date)}/${withoutLeadingZeros(month)}/${year}`,
          ` ${iso}\n`,
        ];
        for (const dateText of dateFormats) expect(parseDay(dateText)).toBe(iso);
        expect(formatDay(iso)).toBe(`${date}/${month}/${year}`);
        expect(parseDay(formatDay(iso))).toBe(iso);
        expect(getMonth(iso)).toBe(`${year}-${month}`);
      }),
    );
  });

  test('a day that is not in the calendar is not parsed', () => {
    const number = fc.integer({ min: 0, max: 40 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9999 }), number, number, (year, month, date) => {
        const two = (value: number) => String(value).padStart(2, '0');
        const text = `${two(date)}/${two(month)}/${String(year).padStart(4, '0')}`;
        const monthLengths = [
          31,
          year % 4 || (year % 100 === 0 && year % 400) ? 28 : 29,
          31,
          30,
          31,
          30,
          31,
          31,
          30,
          31,
          30,
          31,
        ];
        const isReal = year >= 1900 && month >= 1 && month <= 12 && date >= 1 && date <= (monthLengths[month - 1] ?? 0);
        expect([text, parseDay(text) !== undefined]).toEqual([text, isReal]);
      }),
    );
  });

  test.each([
    ...[
      '',
      ' ',
      '14/3',
      '14.03.2026',
      '14 March 2026',
      '2026/03/14',
      '14/03-2026',
      '14/03/26',
      '20260314',
      '2026-3-14T00:00',
    ],
    ...[
      '29/02/2025',
      '31/04/2026',
      '00/01/2026',
      '01/00/2026',
      '32/01/2026',
      '1899-12-31',
      '٢٠٢٦-٠٣-١٤',
      '-2026-03-14',
      '1e3/1/2026',
    ],
  ])('the text %j is not parsed as a day', (text) => {
    expect(parseDay(text)).toBeUndefined();
    expect(formatDay(text)).toBe(text);
  });

  test('parsing any text as a day never throws, and text that is not a day is shown unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const read = parseDay(text);
        if (read === undefined) expect(formatDay(text)).toBe(text);
        else expect(parseDay(read)).toBe(read);
        expect(/^\d{4}-\d{2}$/.test(getMonth(text)) || unknownMonths.includes(getMonth(text) as 'Unknown Date')).toBe(
          true,
        );
      }),
    );
  });
});

test.each([
  ['14:05', '14:05'],
  [' 00:00 ', '00:00'],
  ['23:59:59', '23:59'],
  ['24:00', undefined],
  ['14:60', undefined],
  ['14:05:60', undefined],
  ['9:05', undefined],
  ['14.05', undefined],
  ['2pm', undefined],
  ['', undefined],
])('the time %j is parsed as %j', (text, time) => {
  expect(parseTime(text)).toBe(time);
});

test.each([
  ['', 'Unknown Date'],
  ['  ', 'Unknown Date'],
  ['last Tuesday', 'Unknown Date Format'],
  ['14.03.2026', 'Unknown Date Format'],
  ['14/13/2026', 'Invalid Month'],
  ['2026-00-10', 'Invalid Month'],
  ['31/02/2026', 'Invalid Date'],
  ['2026-03-00', 'Invalid Date'],
  ['14/03/2026', 'March 2026'],
  ['1066-10-14', 'October 1066'],
])('a report dated %j is grouped under %s', (date, heading) => {
  expect(formatMonth(getMonth(date))).toBe(heading);
});

test.each([
  ['2026-03-29T00:59:59Z', '2026-03-29', '29/03/2026, 00:59'],
  ['2026-03-29T01:00:00Z', '2026-03-29', '29/03/2026, 02:00'],
  ['2026-06-30T23:00:00Z', '2026-07-01', '01/07/2026, 00:00'],
  ['2026-10-25T00:59:59Z', '2026-10-25', '25/10/2026, 01:59'],
  ['2026-10-25T01:00:00Z', '2026-10-25', '25/10/2026, 01:00'],
  ['2026-12-31T23:59:59Z', '2026-12-31', '31/12/2026, 23:59'],
  ['2028-02-29T12:00:00Z', '2028-02-29', '29/02/2028, 12:00'],
])('the timestamp %s is on the day %s in the parks', (instant, day, shown) => {
  expect([getToday(new Date(instant)), formatInstant(instant)]).toEqual([day, shown]);
});

test('an invalid timestamp is shown unchanged', () => {
  expect(formatInstant('soon')).toBe('soon');
});

describe('the time a form was filled in', () => {
  test.each([
    [null, '2026-03-14T16:40:00.000Z', ''],
    ['2026-03-14T16:37:30.000Z', '2026-03-14T16:40:00.000Z', ''],
    ['2026-03-14T16:37:00.000Z', '2026-03-14T16:40:00.000Z', '16:37, received 16:40'],
    ['2026-03-14T14:02:00.000Z', '2026-03-14T16:40:00.000Z', '14:02, received 16:40'],
    ['2026-07-14T14:02:00.000Z', '2026-07-15T16:40:00.000Z', '14/07/2026, 15:02, received 15/07/2026, 17:40'],
  ])('a form filled in at %s and received at %s shows the time as "%s"', (captured, received, text) => {
    expect(formatCapturedAt(captured, received)).toBe(text);
  });
});

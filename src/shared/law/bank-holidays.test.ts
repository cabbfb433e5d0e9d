import { expect, test } from 'vitest';
import { getAccessDueDay } from '../people/access-requests.ts';
import { getEaster, isWorkingDay, listBankHolidays } from './bank-holidays.ts';

test.each([
  [2020, '01-01 04-10 04-13 05-08 05-25 08-31 12-25 12-28'],
  [2021, '01-01 04-02 04-05 05-03 05-31 08-30 12-27 12-28'],
  [2022, '01-03 04-15 04-18 05-02 06-02 06-03 08-29 09-19 12-26 12-27'],
  [2023, '01-02 04-07 04-10 05-01 05-08 05-29 08-28 12-25 12-26'],
  [2026, '01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28'],
  [2027, '01-01 03-26 03-29 05-03 05-31 08-30 12-27 12-28'],
  [2028, '01-03 04-14 04-17 05-01 05-29 08-28 12-25 12-26'],
])('the bank holidays of %i include their substitute days', (year, days) => {
  expect(listBankHolidays(year)).toEqual(days.split(' ').map((day) => `${year}-${day}`));
});

test('Easter is a Sunday from 22 March to 25 April', () => {
  expect([1961, 2008, 2038, 2049].map(getEaster)).toEqual(['1961-04-02', '2008-03-23', '2038-04-25', '2049-04-18']);
  for (let year = 1900; year <= 2200; year += 1) {
    const easter = getEaster(year);
    expect([easter, new Date(easter).getUTCDay()]).toEqual([easter, 0]);
    expect(easter >= `${year}-03-22` && easter <= `${year}-04-25`).toBe(true);
  }
});

test('the due day of an access request moves from a weekend or bank holiday to the next working day', () => {
  const due = (receivedOn: string, isExtended = false) =>
    getAccessDueDay({ receivedOn, pausedDays: 0, pausedOn: null, isExtended, today: receivedOn });
  // From Good Friday, 3 April 2026, to the Tuesday after Easter.
  expect(due('2026-03-03')).toBe('2026-04-07');
  // Friday 25 December, then a weekend, then the substitute for Boxing Day.
  expect(due('2026-11-25')).toBe('2026-12-29');
  expect(due('2026-07-31')).toBe('2026-09-01');
  expect(due('2025-11-30')).toBe('2025-12-30');
  expect(due('2026-01-31')).toBe('2026-03-02');
  expect(due('2026-10-01', true)).toBe('2027-01-04');
  expect(isWorkingDay('2026-05-25')).toBe(false);
  // A pause that begins tomorrow by the server's time, as a device ahead of it can enter, takes nothing away.
  const pausedTomorrow = { receivedOn: '2026-03-03', pausedDays: 0, pausedOn: '2026-03-04', isExtended: false };
  expect(getAccessDueDay({ ...pausedTomorrow, today: '2026-03-03' })).toBe('2026-04-07');
  expect(getAccessDueDay({ ...pausedTomorrow, today: '2026-03-09' })).toBe('2026-04-08');
});

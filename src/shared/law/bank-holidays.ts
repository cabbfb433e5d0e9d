// Bank holidays in England and Wales. Proclaimed ones are added to the data below when they become known.
import { addDays } from '../calendar.ts';

const monday = 1;
const [sunday, saturday] = [0, 6];
const getWeekday = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay();
const isWeekend = (day: string) => getWeekday(day) === sunday || getWeekday(day) === saturday;

/** By year: bank holidays that a proclamation added or moved to another day. */
const proclaimedChanges: Record<string, { added?: string[]; moved?: Record<string, string> }> = {
  2020: { moved: { '2020-05-04': '2020-05-08' } },
  2022: { added: ['2022-06-03', '2022-09-19'], moved: { '2022-05-30': '2022-06-02' } },
  2023: { added: ['2023-05-08'] },
};

/**
 * Returns Easter Sunday in the Gregorian calendar, by the algorithm of Meeus, Jones and Butcher.
 */
export function getEaster(year: number): string {
  const cycle = year % 19;
  const century = Math.floor(year / 100);
  const yearInCentury = year % 100;
  const leapCenturies = Math.floor(century / 4);
  const lunarCorrection = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const moonOffset = (19 * cycle + century - leapCenturies - lunarCorrection + 15) % 30;
  const daysToSunday =
    (32 + 2 * (century % 4) + 2 * Math.floor(yearInCentury / 4) - moonOffset - (yearInCentury % 4)) % 7;
  const lateEasterCorrection = Math.floor((cycle + 11 * moonOffset + 22 * daysToSunday) / 451);
  const daysFromMarch = moonOffset + daysToSunday - 7 * lateEasterCorrection + 114;
  return new Date(Date.UTC(year, Math.floor(daysFromMarch / 31) - 1, (daysFromMarch % 31) + 1))
    .toISOString()
    .slice(0, 10);
}

function getFirstMondayFrom(from: string): string {
  let day = from;
  while (getWeekday(day) !== monday) day = addDays(day, 1);
  return day;
}

/** Moves bank holidays at a weekend to the next working day that is not a bank holiday already. */
function addSubstituteDays(days: string[]): string[] {
  const substituteDays: string[] = [];
  for (const day of days) {
    let substituteDay = day;
    while (
      isWeekend(substituteDay) ||
      substituteDays.includes(substituteDay) ||
      (substituteDay !== day && days.includes(substituteDay))
    )
      substituteDay = addDays(substituteDay, 1);
    substituteDays.push(substituteDay);
  }
  return substituteDays;
}

/** Returns the bank holidays of a year, with substitute days for those at a weekend. */
export function listBankHolidays(year: number): string[] {
  const easter = getEaster(year);
  const { added = [], moved = {} } = proclaimedChanges[year] ?? {};
  const usualHolidays = [
    ...addSubstituteDays([`${year}-01-01`]),
    addDays(easter, -2),
    addDays(easter, 1),
    getFirstMondayFrom(`${year}-05-01`),
    getFirstMondayFrom(`${year}-05-25`),
    getFirstMondayFrom(`${year}-08-25`),
    ...addSubstituteDays([`${year}-12-25`, `${year}-12-26`]),
  ];
  return [...usualHolidays.map((day) => moved[day] ?? day), ...added].sort();
}

export const isWorkingDay = (day: string): boolean =>
  !isWeekend(day) && !listBankHolidays(Number(day.slice(0, 4))).includes(day);

// The period of the overview, in the URL.
import { addDays, getIsoWeekday, toDayNumber } from '#shared/calendar.ts';
import { getToday, parseDay } from '#shared/dates.ts';

export const periods = [
  { value: 'friday', label: 'Since Friday' },
  { value: 'week', label: 'This Week' },
  { value: '30days', label: 'Last 30 Days' },
  { value: 'season', label: 'This Season' },
  { value: 'year', label: 'This Year' },
  { value: '12months', label: '12 Months' },
  { value: 'custom', label: 'From and To' },
] as const;
export type PeriodName = (typeof periods)[number]['value'];

const defaultPeriod: PeriodName = '30days';

/** The days of a period, both included. Parks open from March to October. */
export function getDays(name: PeriodName, custom: { from: string; to: string }, today = getToday()) {
  const since = (days: number) => ({ from: addDays(today, -days), to: today });
  const weekday = getIsoWeekday(toDayNumber(today));
  const year = today.slice(0, 4);
  switch (name) {
    case 'friday':
      // On a Friday, since the previous Friday.
      return since(weekday > 5 ? weekday - 5 : weekday + 2);
    case 'week':
      return since(weekday - 1);
    case 'season': {
      const season = today.slice(5) < '03-01' ? String(Number(year) - 1) : year;
      const end = `${season}-10-31`;
      return { from: `${season}-03-01`, to: end < today ? end : today };
    }
    case 'year':
      return { from: `${year}-01-01`, to: today };
    case '12months':
      // 52 weeks, so that no day is also in the period that it is compared with.
      return since(363);
    case 'custom': {
      const from = parseDay(custom.from) ?? since(29).from;
      const to = parseDay(custom.to) ?? today;
      return from <= to ? { from, to } : { from: to, to: from };
    }
    default:
      return since(29);
  }
}

export const findPeriod = (value: string): PeriodName =>
  periods.find((period) => period.value === value)?.value ?? defaultPeriod;

// Parses and formats dates, times and months as used in Britain. Days are stored as YYYY-MM-DD,
// timestamps as ISO 8601 UTC.

export const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

export const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/**
 * The value of a date or time field that is only partly filled in, so that it is not treated as
 * empty.
 */
export const incompleteValue = 'incomplete';

/** Groups of reports with an unreadable date, listed after all months. */
export const unknownMonths = ['Unknown Date', 'Unknown Date Format', 'Invalid Date', 'Invalid Month'] as const;

type DayParts = { year: number; month: number; day: number };

function splitDay(text: string): DayParts | undefined {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text);
  if (iso) return { year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) };
  const dayMonthYear = /^(\d{1,2})([/-])(\d{1,2})\2(\d{4})$/.exec(text);
  if (dayMonthYear)
    return { year: Number(dayMonthYear[4]), month: Number(dayMonthYear[3]), day: Number(dayMonthYear[1]) };
  return undefined;
}

const isRealDay = ({ year, month, day }: DayParts) => {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day && date.getUTCFullYear() === year;
};

const twoDigits = (value: number) => String(value).padStart(2, '0');

/**
 * Parses `YYYY-MM-DD`, `DD/MM/YYYY` or `DD-MM-YYYY`; returns `YYYY-MM-DD`, or undefined if it is
 * not a valid day since 1900.
 */
export function parseDay(text: string): string | undefined {
  const parts = splitDay(text.trim());
  if (!parts || parts.year < 1900 || !isRealDay(parts)) return undefined;
  return `${parts.year}-${twoDigits(parts.month)}-${twoDigits(parts.day)}`;
}

export function isBefore1900(text: string): boolean {
  const parts = splitDay(text.trim());
  // Add 2,000 years, after which the calendar repeats, because Date treats the years 0 to 99 as
  // 1900 to 1999.
  return parts !== undefined && parts.year < 1900 && isRealDay({ ...parts, year: parts.year + 2000 });
}

/** Parses `HH:MM` or `HH:MM:SS`; returns `HH:MM`, or undefined. */
export const parseTime = (text: string): string | undefined =>
  /^((?:[01]\d|2[0-3]):[0-5]\d)(?::[0-5]\d)?$/.exec(text.trim())?.[1];

/** Formats a day as `DD/MM/YYYY`; returns invalid text unchanged. */
export function formatDay(text: string): string {
  const day = parseDay(text);
  return day ? day.split('-').reverse().join('/') : text;
}

/** Formats a day in words: `Tuesday 3 November 2026`. */
export function formatLongDay(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  return `${weekdays[date.getUTCDay()]} ${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/**
 * `21/11/2026, 14:02`. Created on first use, because loading time zone rules would delay every
 * screen.
 */
let format: Intl.DateTimeFormat | undefined;
/** A cache of formatted minutes: most calls are for the current minute, and formatting is slow. */
const formattedMinutes = new Map<number, string>();

function formatInParks(date: Date): string {
  const minute = Math.floor(date.getTime() / 60_000);
  const known = formattedMinutes.get(minute);
  if (known !== undefined) return known;
  format ??= new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', dateStyle: 'short', timeStyle: 'short' });
  const text = format.format(date);
  if (formattedMinutes.size >= 100) formattedMinutes.clear();
  formattedMinutes.set(minute, text);
  return text;
}

/** Returns today in the parks' time zone, `YYYY-MM-DD`. */
export const getToday = (now: Date = new Date()): string =>
  formatInParks(now).slice(0, 10).split('/').reverse().join('-');

/** Whether a day and time in the parks are over 15 minutes in the future: clocks of phones may be fast. */
export function isInFuture(day: string, time: string, now: Date = new Date()): boolean {
  const [latestDay = '', latestTime] = formatInParks(new Date(now.getTime() + 15 * 60_000)).split(', ');
  return `${day} ${time}` > `${parseDay(latestDay)} ${latestTime}`;
}

/** Returns the current time in the parks, `HH:MM`. */
export const getTimeNow = (now: Date = new Date()): string => formatInParks(now).slice(-5);

/** Formats a timestamp as `21/11/2026, 14:02`; returns invalid text unchanged. */
export function formatInstant(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : formatInParks(date);
}

/** Formats a timestamp as `14:02` if it is of today in the parks, otherwise as `21/11/2026, 14:02`. */
export const formatRecentInstant = (iso: string): string =>
  getToday(new Date(iso)) === getToday() ? getTimeNow(new Date(iso)) : formatInstant(iso);

/** Returns a timestamp's day in the parks' time zone: `21/11/2026`. */
export const formatInstantDay = (iso: string): string => formatDay(getToday(new Date(iso)));

const maxHiddenDelayMs = 3 * 60_000;

/**
 * Formats when a form was filled in, if it was received later: `14:02, received 16:40`, with days
 * if they differ; '' if unknown or within a few minutes.
 */
export function formatCapturedAt(capturedAt: string | null | undefined, receivedAt: string): string {
  if (!capturedAt || Date.parse(receivedAt) - Date.parse(capturedAt) < maxHiddenDelayMs) return '';
  const [capturedText, receivedText] = [formatInstant(capturedAt), formatInstant(receivedAt)];
  const isSameDay = capturedText.slice(0, 10) === receivedText.slice(0, 10);
  return isSameDay
    ? `${capturedText.slice(-5)}, received ${receivedText.slice(-5)}`
    : `${capturedText}, received ${receivedText}`;
}

/** Returns a date's month as `YYYY-MM`, or one of `unknownMonths`. */
export function getMonth(date: string): string {
  if (date.trim() === '') return 'Unknown Date';
  const parts = splitDay(date.trim());
  if (!parts) return 'Unknown Date Format';
  if (parts.month < 1 || parts.month > 12) return 'Invalid Month';
  return isRealDay(parts) ? `${parts.year}-${twoDigits(parts.month)}` : 'Invalid Date';
}

/** Formats a month as `March 2026`; unknown months unchanged. */
export function formatMonth(month: string): string {
  const parts = /^(\d{4})-(\d{2})$/.exec(month);
  return parts ? `${months[Number(parts[2]) - 1]} ${parts[1]}` : month;
}

/** Returns the start of a day in the parks' time zone, as ISO 8601 UTC. */
export function getStartOfDay(day: string): string {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const startInSummerTime = new Date(midnight - 60 * 60 * 1000);
  return (getToday(startInSummerTime) === day ? startInSummerTime : new Date(midnight)).toISOString();
}

/** Returns the day after a day, `YYYY-MM-DD`. */
export const getNextDay = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + 24 * 60 * 60 * 1000).toISOString().slice(0, 10);

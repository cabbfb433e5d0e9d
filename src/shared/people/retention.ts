// How long a report is kept. Days are calendar days in the parks.
import { addYears } from '../calendar.ts';

type RetentionSettings = { years: number; childAge: number; deathYears: number };

/** Legal minimum periods: settings cannot be lower. */
export const retentionMinimums: RetentionSettings = { years: 3, childAge: 21, deathYears: 3 };

type RetentionFacts = {
  accidentOn: string;
  filedOn: string;
  /** The day of the last entry in the assessment, or of the last notice. */
  lastEntryOn: string | null;
  age: number | null;
  /** Days of death of people in the report. */
  deaths: string[];
};

/** Names of the retention classes, as shown to Admins. */
export const retentionClasses = {
  usual: 'Report and assessment',
  child: 'Under 18, or no age given',
  death: 'Death',
} as const;

export type KeptUntil = { until: string; rule: 'usual' | 'child' | 'death'; source: string };

const sources = {
  usual: 'RIDDOR regulation 12(2), SI 1979/628, Limitation Act 1980 sections 11 and 14',
  child: 'Limitation Act 1980 section 28',
  death: 'Limitation Act 1980 sections 11 and 14, from the death',
};

/**
 * Returns the last day on which a report is kept, and the rule that determines it. A person of
 * unknown age is treated as a newborn.
 */
export function getKeptUntil(
  { accidentOn, filedOn, lastEntryOn, age, deaths }: RetentionFacts,
  { years, childAge, deathYears }: RetentionSettings,
): KeptUntil {
  const base = [accidentOn, filedOn, lastEntryOn ?? ''].reduce((a, b) => (a > b ? a : b));
  const days: [KeptUntil['rule'], string][] = [['usual', addYears(base, years)]];
  const adultAge = 18;
  if (age === null || age < adultAge) days.push(['child', addYears(accidentOn, childAge - (age ?? 0))]);
  for (const death of deaths) days.push(['death', addYears(death, deathYears)]);
  const [rule, until] = days.reduce((latest, next) => (next[1] > latest[1] ? next : latest));
  return { until, rule, source: sources[rule] };
}

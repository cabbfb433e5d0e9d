// Computes the longest run of days on which someone could not do their own job.
import { addDays, countDays } from '../calendar.ts';
import { parseDay } from '../dates.ts';
import type { AbsenceSpell, Subject } from './facts.ts';

/** Whether each absence has its days. A form may have some without. */
export const hasAllDays = (spells: AbsenceSpell[]): boolean =>
  spells.every(({ from, back }) => parseDay(from) === from && (back === null || parseDay(back) === back));

/** The absence has lasted at least `days`. With `isOpen` it may turn out to be longer. */
type LongestSpell = { days: number; isOpen: boolean };

/**
 * Returns the runs of days unfit for work, each from its first day to the day of return, which is
 * null while it lasts. Joins adjacent runs.
 */
function joinSpells(spells: AbsenceSpell[], firstDay: string): AbsenceSpell[] {
  const later = spells
    .map(({ from, back }) => ({ from: from < firstDay ? firstDay : from, back }))
    .filter(({ from, back }) => back === null || back > from)
    .toSorted((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0));
  const joinedSpells: AbsenceSpell[] = [];
  for (const spell of later) {
    const last = joinedSpells.at(-1);
    if (!last || (last.back !== null && spell.from > last.back)) joinedSpells.push({ ...spell });
    else if (last.back !== null) last.back = spell.back === null || spell.back > last.back ? spell.back : last.back;
  }
  return joinedSpells;
}

/**
 * Counts whole days from the later of the first day unfit and the day after the accident, up to the
 * day before the return. Undefined if nothing is known about the absence.
 */
export function getLongestSpell({ accidentOn, asOf, answers }: Subject): LongestSpell | undefined {
  if (answers.absence === 'none') return { days: 0, isOpen: false };
  if (answers.absence !== 'spells' || !Array.isArray(answers.spells)) return undefined;
  const spells = answers.spells as AbsenceSpell[];
  if (spells.length === 0 || !hasAllDays(spells)) return undefined;
  let days = 0;
  let isOpen = false;
  for (const { from, back } of joinSpells(spells, addDays(accidentOn, 1))) {
    if (back === null) isOpen = true;
    days = Math.max(days, countDays(from, back ?? addDays(asOf, 1)));
  }
  return { days, isOpen };
}

/** Whether someone is still off work, as far as is known. */
export const isStillOff = ({ answers }: Pick<Subject, 'answers'>): boolean =>
  answers.absence === 'spells' &&
  Array.isArray(answers.spells) &&
  (answers.spells as AbsenceSpell[]).some((spell) => spell.back === null);

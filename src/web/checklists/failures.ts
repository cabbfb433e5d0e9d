// What goes with answers of a checklist: notes and photos, the user whom one names, and the audits that failing ones create.
import type { ParkViewer } from '#shared/access.ts';
import { type Answers, findAnsweredPark } from '#shared/answers.ts';
import { addDays } from '#shared/calendar.ts';
import { type Checklist, type ChosenAudit, type Section, takesNotes } from '#shared/checklists.ts';
import { formatDay, getToday } from '#shared/dates.ts';
import { createsAudit, findFailureErrors, isFailing, listFailingIndexes } from '#shared/failing-answers.ts';
import { pluralise } from '#shared/pluralise.ts';
import { isShown } from '#shared/shown-questions.ts';
import type { FieldErrors } from '../ui/forms/fieldErrors.ts';

/** Stored on this device until it is sent with the checklist. */
export type FailurePhoto = { id: string; name: string };
/** What is entered beside an answer, which need not be a failing one. */
export type Failure = {
  note: string;
  mediaFiles: FailurePhoto[];
  /** Assignee and due day that were chosen for its audit. */
  audit?: ChosenAudit;
  /** The user whom the answer names. */
  userId?: string | undefined;
};
export type EnteredFailures = Record<string, Failure>;

export const emptyFailure: Failure = { note: '', mediaFiles: [] };

export const hasNote = (failure: Failure | undefined) =>
  failure !== undefined && (failure.note !== '' || failure.mediaFiles.length > 0);

/** `2 photos`; '' without any. */
export const countPhotos = (failure: Failure | undefined) =>
  failure?.mediaFiles.length ? pluralise(failure.mediaFiles.length, 'photo') : '';

export const hasFailureInput = (failures: EnteredFailures) => Object.values(failures).some(hasNote);

/** What is sent beside the answers, by index. An index is in `failures` or in `notes`. */
export type SentNotes = { failures?: EnteredFailures; notes?: EnteredFailures; people?: Record<string, string> };

/** Returns the notes and photos of answers that are failing now or take notes, and whom answers name, as they are sent. */
export function selectNotes(
  { sections, notes: rule }: Pick<Checklist, 'sections' | 'notes'>,
  answers: Answers,
  failures: EnteredFailures,
): SentNotes {
  const failing = listFailingIndexes(sections, answers);
  const sent = { failures: {} as EnteredFailures, notes: {} as EnteredFailures, people: {} as Record<string, string> };
  for (const [index, section] of sections.entries()) {
    if (!isShown(sections, answers, index)) continue;
    const { userId, audit, ...note } = failures[index] ?? emptyFailure;
    if (section.type === 'person' && userId && answers[index] !== undefined) sent.people[index] = userId;
    if (failing.includes(index) && audit && section.onFail?.audit) sent.notes[index] = { ...note, audit };
    else if (failing.includes(index)) sent.failures[index] = note;
    else if (takesNotes(section, rule) && hasNote(note)) sent.notes[index] = note;
  }
  return Object.fromEntries(Object.entries(sent).filter(([, byIndex]) => Object.keys(byIndex).length > 0));
}

/** Returns what was entered beside the answers, from what is sent. */
export function readNotes({ failures = {}, notes = {}, people = {} }: SentNotes): EnteredFailures {
  const entered = { ...failures, ...notes };
  const named = Object.entries(people).map(([index, userId]) => [
    index,
    { ...emptyFailure, ...entered[index], userId },
  ]);
  return { ...entered, ...Object.fromEntries(named) };
}

/** The last day that may be chosen for an audit of a failing answer: the one by its rule. */
export const getLastDay = ({ days }: { days: number }) => addDays(getToday(), days);

/**
 * Whether the user must choose a park. Users of several or all parks must if an audit will be created
 * and no question was answered with its park; users of several also if no question asks for a park.
 */
export function needsPark(sections: Section[], answers: Answers, { parks }: ParkViewer): boolean {
  if (parks?.length === 1 || findAnsweredPark(sections, answers) !== '') return false;
  const asksForPark = sections.some(({ type }, index) => type === 'site' && isShown(sections, answers, index));
  return createsAudit(sections, answers) || (parks !== null && !asksForPark);
}

/** Returns errors by field: `0.note`, `0.mediaFiles`, `0.date`, `park`. */
export function findFollowUpErrors(
  sections: Section[],
  answers: Answers,
  failures: EnteredFailures,
  park: string | '',
  user: ParkViewer,
): FieldErrors {
  const errors: FieldErrors = findFailureErrors(sections, answers, failures);
  for (const index of listFailingIndexes(sections, answers)) {
    const [rule, date] = [sections[index]?.onFail?.audit, failures[index]?.audit?.date];
    if (!rule || !date || (date >= getToday() && date <= getLastDay(rule))) continue;
    errors[`${index}.date`] = `Choose a day from today to ${formatDay(getLastDay(rule))}`;
  }
  if (needsPark(sections, answers, user) && park === '') errors.park = 'Choose the park';
  return errors;
}

/**
 * A box that was never ticked is shown as failing only once the user has gone on below it, or if it has
 * a note or photos (`hasFollowUp`).
 */
export const isShownAsFailing = (section: Section, answer: Answers[string] | undefined, hasFollowUp: boolean) =>
  isFailing(section, answer) && (section.type !== 'checkbox' || answer === false || hasFollowUp);

/** Answers boxes above the reached question with false if that fails, so that they ask for a note. */
export function withSkippedBoxes(sections: Section[], answers: Answers, reached: number): Answers {
  const isSkipped = (section: Section, index: number) =>
    index < reached &&
    section.type === 'checkbox' &&
    answers[index] === undefined &&
    isFailing(section, undefined) &&
    isShown(sections, answers, index);
  const skipped = sections.flatMap((section, index) => (isSkipped(section, index) ? [[index, false]] : []));
  return skipped.length === 0 ? answers : { ...answers, ...Object.fromEntries(skipped) };
}

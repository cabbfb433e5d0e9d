// Notes and photos that a user adds to failing answers of a checklist.
import type { ParkViewer } from '#shared/access.ts';
import { type Answers, findAnsweredPark } from '#shared/answers.ts';
import type { Section } from '#shared/checklists.ts';
import type { parks } from '#shared/choices.ts';
import { createsAudit, findFailureErrors, isFailing, listFailingIndexes } from '#shared/failing-answers.ts';

/**
 * Stored on this device until it is sent with the checklist. Older versions uploaded photos when
 * they were added.
 */
export type FailurePhoto = { id: string; name: string } | { path: string; name: string };
export type Failure = { note: string; mediaFiles: FailurePhoto[] };
export type EnteredFailures = Record<string, Failure>;

export const emptyFailure: Failure = { note: '', mediaFiles: [] };

export const hasFailureInput = (failures: EnteredFailures) =>
  Object.values(failures).some(({ note, mediaFiles }) => note !== '' || mediaFiles.length > 0);

/** Errors by field: `0.note`, `0.mediaFiles`, `park`. */
export type FollowUpErrors = Record<string, string>;

/** Returns the notes and photos of the answers that are failing now; others are not sent. */
export const selectFailing = (sections: Section[], answers: Answers, failures: EnteredFailures): EnteredFailures =>
  Object.fromEntries(listFailingIndexes(sections, answers).map((index) => [index, failures[index] ?? emptyFailure]));

/**
 * Whether the user must choose a park: users of several whenever no question asks for it, users of all
 * parks so that an audit gets a folder.
 */
export function needsPark(sections: Section[], answers: Answers, { parks }: ParkViewer): boolean {
  if (parks?.length === 1 || findAnsweredPark(sections, answers) !== '') return false;
  return createsAudit(sections, answers) || (parks !== null && sections.every(({ type }) => type !== 'site'));
}

export function findErrors(
  sections: Section[],
  answers: Answers,
  failures: EnteredFailures,
  park: (typeof parks)[number] | '',
  user: ParkViewer,
): FollowUpErrors {
  const errors: FollowUpErrors = findFailureErrors(sections, answers, failures);
  if (needsPark(sections, answers, user) && park === '') errors.park = 'Choose the park';
  return errors;
}

/** A box that was never ticked is shown as failing only once it was passed, or if it has a note. */
export const isShownAsFailing = (section: Section, answer: Answers[string] | undefined, hasNote: boolean) =>
  isFailing(section, answer) && (section.type !== 'checkbox' || answer === false || hasNote);

/** Answers boxes above the reached question with "not ticked", if that fails, so that they ask for a note. */
export function withPassedBoxes(sections: Section[], answers: Answers, reached: number): Answers {
  const isPassed = (section: Section, index: number) =>
    index < reached && section.type === 'checkbox' && answers[index] === undefined && isFailing(section, undefined);
  const passed = sections.flatMap((section, index) => (isPassed(section, index) ? [[index, false]] : []));
  return passed.length === 0 ? answers : { ...answers, ...Object.fromEntries(passed) };
}

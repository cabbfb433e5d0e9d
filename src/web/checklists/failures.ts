// The follow-up of failing answers of a checklist: notes and photos, and the park of the audits they create.
import type { ParkViewer } from '#shared/access.ts';
import { type Answers, findAnsweredPark } from '#shared/answers.ts';
import type { Section } from '#shared/checklists.ts';
import type { parks } from '#shared/choices.ts';
import { createsAudit, findFailureErrors, isFailing, listFailingIndexes } from '#shared/failing-answers.ts';
import type { FieldErrors } from '../ui/forms/fieldErrors.ts';

/** Stored on this device until it is sent with the checklist. */
export type FailurePhoto = { id: string; name: string };
export type Failure = { note: string; mediaFiles: FailurePhoto[] };
export type EnteredFailures = Record<string, Failure>;

export const emptyFailure: Failure = { note: '', mediaFiles: [] };

export const hasFailureInput = (failures: EnteredFailures) =>
  Object.values(failures).some(({ note, mediaFiles }) => note !== '' || mediaFiles.length > 0);

/** Returns the notes and photos of the answers that are failing now; others are not sent. */
export const selectFailing = (sections: Section[], answers: Answers, failures: EnteredFailures): EnteredFailures =>
  Object.fromEntries(listFailingIndexes(sections, answers).map((index) => [index, failures[index] ?? emptyFailure]));

/**
 * Whether the user must choose a park. Users of several or all parks must if an audit will be created
 * and no question was answered with its park; users of several also if no question asks for a park.
 */
export function needsPark(sections: Section[], answers: Answers, { parks }: ParkViewer): boolean {
  if (parks?.length === 1 || findAnsweredPark(sections, answers) !== '') return false;
  return createsAudit(sections, answers) || (parks !== null && sections.every(({ type }) => type !== 'site'));
}

/** Returns errors by field: `0.note`, `0.mediaFiles`, `park`. */
export function findFollowUpErrors(
  sections: Section[],
  answers: Answers,
  failures: EnteredFailures,
  park: (typeof parks)[number] | '',
  user: ParkViewer,
): FieldErrors {
  const errors: FieldErrors = findFailureErrors(sections, answers, failures);
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
    index < reached && section.type === 'checkbox' && answers[index] === undefined && isFailing(section, undefined);
  const skipped = sections.flatMap((section, index) => (isSkipped(section, index) ? [[index, false]] : []));
  return skipped.length === 0 ? answers : { ...answers, ...Object.fromEntries(skipped) };
}

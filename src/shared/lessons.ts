// Lessons: what happened at one park, for the others to look at. Each park answers by completing an audit.
import * as z from 'zod/mini';
import { textLimits } from './choices.ts';
import { dateSchema } from './date-schemas.ts';
import { listOpenParks } from './park-list.ts';
import { Decisions } from './people/identifier-choices.ts';
import { parkSchema } from './places/park-schemas.ts';
import { lineSchema, linesSchema } from './text.ts';
import { MediaFiles, StoredMediaFile } from './uploads.ts';

/** What a park found when it looked. */
export const lessonAnswers = ['doesNotApply', 'inOrder', 'needsWork'] as const;
export type LessonAnswer = (typeof lessonAnswers)[number];
export const lessonAnswerLabels: Record<LessonAnswer, string> = {
  doesNotApply: 'Does Not Apply',
  inOrder: 'Checked, in Order',
  needsWork: 'Needs Work',
};

/** Returns what to add to an incomplete answer, as an error message; undefined if it is complete. */
export function findMissingInAnswer(answer: LessonAnswer, note: string, hasPhoto: boolean): string | undefined {
  if (note.trim() !== '' || (answer === 'inOrder' && hasPhoto)) return undefined;
  if (answer === 'doesNotApply') return 'Say why it does not apply';
  return answer === 'inOrder' ? 'Write what you saw, or add a photo' : 'Write what has to be done';
}

export const lessonTextLimit = 1200;
const [charactersPerLine, maxLines] = [80, 15];
/** Creates the schema of a text so short that two of them and a photo fit on one page. */
const lessonText = (missing: string) =>
  linesSchema({ min: 1, max: lessonTextLimit, missing }).check(
    z.refine(
      (text) =>
        text.split('\n').reduce((lines, { length }) => lines + Math.max(1, Math.ceil(length / charactersPerLine)), 0) <=
        maxLines,
      `Shorten it to ${maxLines} lines: a lesson fits on one page`,
    ),
  );

/** The texts of a lesson with their labels, in the order in which they are shown. */
export const lessonTexts = { happened: 'What happened', look_at: 'What to look at' };
export type LessonTextName = keyof typeof lessonTexts;
export const lessonTextNames = Object.keys(lessonTexts) as LessonTextName[];
export const mapLessonTexts = <T>(map: (name: LessonTextName, label: string) => T) =>
  Object.fromEntries(lessonTextNames.map((name) => [name, map(name, lessonTexts[name])])) as Record<LessonTextName, T>;

const missingDay = 'Enter the day by which parks answer';

export const NewLesson = z
  .object({
    title: lineSchema({ min: 1, max: textLimits.name, missing: 'Title is required' }),
    ...mapLessonTexts((_, label) => lessonText(`Write ${label.toLowerCase()}`)),
    photos: z._default(MediaFiles.check(z.maxLength(1, 'A lesson has at most one photo')), []),
    /** Whether the user looked at the photo again: it shows nobody, and not where it was. */
    isPhotoChecked: z._default(z.boolean(), false),
    parks: z._default(z.array(parkSchema).check(z.minLength(1, 'Choose at least one park')), () => [
      ...listOpenParks(),
    ]),
    answer_by: dateSchema(z.string(missingDay)),
    investigation_id: z.optional(z.string()),
    /** What is done about each part of its texts that could show who someone is, or which event it is about. */
    decisions: z.optional(Decisions),
  })
  .check(
    z.refine(({ photos, isPhotoChecked }) => photos.length === 0 || isPhotoChecked, {
      path: ['isPhotoChecked'],
      error: 'Look at the photo again',
    }),
  );

const summary = {
  id: z.string(),
  title: z.string(),
  answer_by: z.string(),
  created_at: z.string(),
  created_by: z.string(),
  /** The number of parks that have an audit of the lesson; deleted ones do not count. */
  parks: z.number(),
  /** The number of parks that have answered. */
  answered: z.number(),
  /** The parks that have not answered. */
  missing: z.array(z.string()),
};
export const ListedLesson = z.object(summary);
export type ListedLesson = z.output<typeof ListedLesson>;

const ParkOfLesson = z.object({
  park: z.string(),
  answer: z.nullable(z.enum(lessonAnswers)),
  /** Whether its audit is completed; without an answer if by an earlier version, which did not ask for one. */
  completed: z.boolean(),
  /** Its audit, with the note of the answer and the follow-up of "Needs Work"; null for users who do not see the park. */
  audit: z.nullable(
    z.object({
      id: z.string(),
      assignee: z.string(),
      note: z.string(),
      follow_up: z.nullable(z.object({ id: z.string(), completed: z.boolean() })),
    }),
  ),
});

export const Lesson = z.object({
  ...summary,
  ...mapLessonTexts(() => z.string()),
  photos: z.array(StoredMediaFile),
  investigation: z.nullable(z.object({ id: z.string(), number: z.string() })),
  answers: z.array(ParkOfLesson),
});
export type Lesson = z.output<typeof Lesson>;

/** `18 of 20 answered`. */
export const describeAnswers = ({ parks, answered }: Pick<ListedLesson, 'parks' | 'answered'>) =>
  `${answered} of ${parks} answered`;

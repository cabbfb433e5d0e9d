// First steps: what an Admin of all parks sets up before the product is used.
import * as z from 'zod/mini';

export const stepNames = [
  'account',
  'operator',
  'parks',
  'users',
  'checklist',
  'schedule',
  'folders',
  'email',
  'backup',
] as const;
export type StepName = (typeof stepNames)[number];

/** The folders that one press creates at every park. */
export const startFolders = ['Grounds and play areas', 'Pools', 'Buildings and fire', 'Caravans and pitches'];

/** What can be pressed at a step while it is of use. */
const stepActions = ['change password', 'our parks', 'all users', 'folders'] as const;
export type StepAction = (typeof stepActions)[number];

/** A step with its state. */
export const FirstStep = z.object({
  name: z.enum(stepNames),
  state: z.enum(['done', 'notNeeded', 'open']),
  /** What there is and what is missing, in sentences. */
  text: z.string(),
  actions: z.array(z.enum(stepActions)),
  /** Settings or commands to copy. */
  lines: z.array(z.string()),
  /** Whether the server must be restarted after the lines were entered. */
  isSetting: z.boolean(),
  /** The step that comes before what is still missing. */
  waitsFor: z.optional(z.enum(stepNames)),
});
export type FirstStep = z.output<typeof FirstStep>;

/** Returns the first open step that waits for no other open one. */
export function findNextStep(steps: FirstStep[]): FirstStep | undefined {
  const open = steps.filter(({ state }) => state === 'open');
  return open.find(({ waitsFor }) => !open.some(({ name }) => name === waitsFor));
}

export const FirstSteps = z.object({ steps: z.array(FirstStep), isEnded: z.boolean() });

/** Shown on one line; the number of steps that are done or not needed, of how many, and what comes next. */
export const Progress = z.object({ done: z.number(), total: z.number(), next: z.string() });
export type Progress = z.output<typeof Progress>;

const marks = ['our parks', 'all users', 'ended'] as const;
export const markNames = [...marks, ...stepNames.map((name) => `${name} not needed` as const)];
export type MarkName = (typeof markNames)[number];

export const FirstStepsChange = z.object({
  mark: z.optional(z.enum(markNames as [MarkName, ...MarkName[]], 'Choose a step')),
  isOn: z.optional(z.boolean('Say whether it is so')),
  /** From the link in the test email. */
  token: z.optional(z.string()),
  /** Creates the folders at every open park that does not have them. */
  folders: z.optional(z.boolean()),
});

// What a reviewer decides about the identifiers in a text. Apart from their search, which browsers do not need.
import * as z from 'zod/mini';
import type { getSentence } from './identifiers.ts';

export type Kind = 'name' | 'number' | 'email' | 'place';
export const choiceLabels = { replace: 'Replace', leave: 'Leave' };
export type Choice = keyof typeof choiceLabels;

/** What a reviewer chose for each identifier, in their order. `hash` is that of the texts and of what was found in them. */
export const Decisions = z.object({
  hash: z.string().check(z.maxLength(100)),
  choices: z.array(z.enum(['replace', 'leave'])).check(z.maxLength(5000)),
});
export type Decisions = z.output<typeof Decisions>;

/** An identifier in its sentence, and the field of its text. */
export type ShownIdentifier = { field: string; kind: Kind } & ReturnType<typeof getSentence>;

/** What takes its place. */
export const replacements: Record<Kind, string> = {
  name: '[name]',
  number: '[number]',
  email: '[email]',
  place: '[place]',
};

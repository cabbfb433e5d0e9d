// Messages of guests about something dangerous at a place.
import * as z from 'zod/mini';
import { textLimits } from '../choices.ts';
import { lineSchema, linesSchema } from '../text.ts';
import { StoredMediaFile, UploadPath } from '../uploads.ts';
import { hazardKinds } from './hazards.ts';
import { parkListSchema, parkSchema } from './park-schemas.ts';

export const hurtAnswers = ['no', 'nearly', 'hurt'] as const;
/** The answer to 'Was someone hurt?'. */
export type Hurt = (typeof hurtAnswers)[number];

/** The languages of the pages for guests. */
export const languages = ['en', 'cy'] as const;
export type Language = (typeof languages)[number];

/** How many messages a page of the list has, and how many can be closed at once. */
export const messagesPerPage = 100;
/** How many messages a request without a page gets: those of an earlier version. */
export const maxListedMessages = 200;

export const MessageQuery = z.object({
  closed: z.optional(z.literal('1')),
  /** Open ones about someone hurt. */
  hurt: z.optional(z.literal('1')),
  park: z.optional(parkListSchema),
  page: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1000))),
  /** The group of a row: then the list has its messages. */
  group: z.optional(z.string()),
});

export const Message = z.object({
  id: z.string(),
  park: parkSchema,
  place: z.object({ id: z.string(), name: z.string() }),
  kind: z.nullable(z.enum(hazardKinds)),
  words: z.string(),
  photos: z.array(StoredMediaFile),
  hurt: z.nullable(z.enum(hurtAnswers)),
  name: z.string(),
  contact: z.string(),
  language: z.enum(languages),
  created_at: z.string(),
  /** How often a text equal to it was sent, with this one. */
  sent_count: z.number(),
  read_at: z.nullable(z.string()),
  read_by: z.nullable(z.string()),
  /** Whether a reviewer must still deal with it; true again if the audit created from it was deleted. */
  isOpen: z.boolean(),
  closed_at: z.nullable(z.string()),
  closed_by: z.nullable(z.string()),
  reason: z.string(),
  answer: z.string(),
  /** What was created from it and is not deleted. */
  audit: z.nullable(z.object({ id: z.string(), title: z.string() })),
  report: z.nullable(z.object({ id: z.string(), number: z.string() })),
  /** When it is deleted, if it was closed as junk. */
  junk_until: z.nullable(z.string()),
});
export type Message = z.output<typeof Message>;

export const ListedMessage = z.extend(z.omit(Message, { name: true, contact: true, reason: true, photos: true }), {
  /**
   * If the row stands for all messages of one label, network and hour: how many were sent, how many different texts
   * they are, and how many say that someone was hurt.
   */
  group: z.nullable(z.object({ id: z.string(), sent: z.number(), texts: z.number(), hurt: z.number() })),
});
export type ListedMessage = z.output<typeof ListedMessage>;

const reasonSchema = z._default(linesSchema({ max: textLimits.note }), '');
/** The sentence that the sender reads on the receipt. */
const answerSchema = z._default(linesSchema({ max: textLimits.reason }), '');

/** Closes several messages. Each about someone who was hurt needs a reason of its own; `reason` is for the others. */
export const MessagesClosing = z.object({
  messages: z
    .array(z.object({ id: z.string(), reason: reasonSchema }))
    .check(z.minLength(1, 'Choose messages'), z.maxLength(messagesPerPage, `Choose up to ${messagesPerPage} messages`)),
  reason: reasonSchema,
  answer: answerSchema,
});

export const MessageIds = z.object({
  ids: z
    .array(z.string())
    .check(z.minLength(1, 'Choose messages'), z.maxLength(messagesPerPage, `Choose up to ${messagesPerPage} messages`)),
});

/** `skipped` are messages that someone else has dealt with, or that a hold or an investigation keeps. */
export const MessagesReply = z.object({ changed: z.number(), skipped: z.number() });

export const noJunkMessage = 'Someone was hurt: such a message is not junk';

export const MessageClosing = z.object({
  reason: reasonSchema,
  answer: answerSchema,
  /** The number of a report about the same event that someone has submitted already. */
  number: z._default(lineSchema({ max: textLimits.username }), ''),
});

export const PhotoRemoval = z.object({ path: UploadPath });

/** The message that a report is about. One that cannot be closed is ignored, so that no report is rejected. */
export const MessageId = z.catch(z.optional(z.string()), undefined);

export const needsReasonMessage = 'Someone was hurt: give the number of a report, or a reason why there is none';

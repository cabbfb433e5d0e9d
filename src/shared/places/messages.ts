// Messages of guests about something dangerous at a place.
import * as z from 'zod/mini';
import { parks, textLimits } from '../choices.ts';
import { parkListSchema } from '../park-list.ts';
import { lineSchema, linesSchema } from '../text.ts';
import { StoredMediaFile, UploadPath } from '../uploads.ts';
import { hazardKinds } from './hazards.ts';

export const hurtAnswers = ['no', 'nearly', 'hurt'] as const;
/** The answer to 'Was someone hurt?'. */
export type Hurt = (typeof hurtAnswers)[number];

/** The languages of the pages for guests. */
export const languages = ['en', 'cy'] as const;
export type Language = (typeof languages)[number];

/** The maximum number of messages in a list: guests can send any number. */
export const maxListedMessages = 200;

export const MessageQuery = z.object({ closed: z.optional(z.literal('1')), park: z.optional(parkListSchema) });

export const Message = z.object({
  id: z.string(),
  park: z.enum(parks),
  place: z.object({ id: z.string(), name: z.string() }),
  kind: z.nullable(z.enum(hazardKinds)),
  words: z.string(),
  photos: z.array(StoredMediaFile),
  hurt: z.nullable(z.enum(hurtAnswers)),
  name: z.string(),
  contact: z.string(),
  language: z.enum(languages),
  created_at: z.string(),
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
});
export type Message = z.output<typeof Message>;

export const ListedMessage = z.omit(Message, { name: true, contact: true, reason: true, photos: true });

export const MessageClosing = z.object({
  reason: z._default(linesSchema({ max: textLimits.note }), ''),
  /** The sentence that the sender reads on the receipt. */
  answer: z._default(linesSchema({ max: textLimits.reason }), ''),
  /** The number of a report about the same event that someone has submitted already. */
  number: z._default(lineSchema({ max: textLimits.username }), ''),
});

export const PhotoRemoval = z.object({ path: UploadPath });

/** The message that a report is about. One that cannot be closed is ignored, so that no report is rejected. */
export const MessageId = z.catch(z.optional(z.string()), undefined);

export const needsReasonMessage = 'Someone was hurt: give the number of a report, or a reason why there is none';

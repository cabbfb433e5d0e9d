// Settings of a park that Admins change.
import * as z from 'zod/mini';
import { textLimits } from './choices.ts';
import { authorities } from './law/authority.ts';
import { parkSchema } from './places/park-schemas.ts';
import { telephoneSchema, withoutExtension } from './telephone.ts';
import { lineSchema } from './text.ts';

const Telephone = telephoneSchema.check(
  withoutExtension(),
  z.regex(/^[\d\s+()./-]*$/, 'Enter a telephone number, such as 01745 123456'),
);

export const ParkSettings = z.object({
  park: parkSchema,
  /** The authority that enforces health and safety there. */
  authority: z.enum(authorities, 'Choose the council, HSE or not known yet'),
  /** The username of who does the audits of failing answers; '' if the park has no one for them. */
  assignee: lineSchema({ max: textLimits.name }),
  /** The username of who does the audits of hazards; '' if the park has no one for them. */
  hazardAssignee: lineSchema({ max: textLimits.name }),
  /** Whom to ring about gas, electricity, fire and water; '' if the park has no number for it. */
  telephone: Telephone,
  /** Whom guests ring in an emergency after 999; '' if the park has no number for it. */
  guestTelephone: Telephone,
  /** Whom guests ring about a smell of gas. */
  gasTelephone: Telephone,
  /** Whether labels lead guests to a form. */
  takesMessages: z.boolean(),
});
export type ParkSettings = z.output<typeof ParkSettings>;

/** Only what is changed is sent, so that two Admins do not undo each other's changes. */
export const ParkSettingsChange = z.extend(z.partial(ParkSettings), { park: ParkSettings.shape.park });
export type ParkSettingsChange = z.output<typeof ParkSettingsChange>;

/** Changes of several parks at once: all of them are stored, or none. */
export const AllParkSettings = z.object({
  parks: z
    .array(ParkSettingsChange)
    .check(z.minLength(1, 'Change at least one park'), z.maxLength(200, 'Change at most 200 parks')),
});

/** Whether guests can send messages, for every park that the Admin sees. */
export const MessagesSwitch = z.object({ isOn: z.boolean('Say whether guests can send messages') });

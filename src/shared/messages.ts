// Messages of guests about something dangerous at a place.
export const hurtAnswers = ['no', 'nearly', 'hurt'] as const;
/** The answer to 'Was somebody hurt?'. */
export type Hurt = (typeof hurtAnswers)[number];

/** The languages of the pages for guests. */
export const languages = ['en', 'cy'] as const;
export type Language = (typeof languages)[number];

// Answers that many calls share.
import * as z from 'zod/mini';

export const Done = z.object({ success: z.literal(true) });
export const Created = z.object({ success: z.literal(true), id: z.string() });
export const done = { success: true } as const;

// Replies shared by many endpoints.
import * as z from 'zod/mini';

export const SuccessReply = z.object({ success: z.literal(true) });
export const CreatedReply = z.object({ success: z.literal(true), id: z.string() });
export const successReply = { success: true } as const;

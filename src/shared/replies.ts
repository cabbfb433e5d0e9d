// Replies shared by many endpoints.
import * as z from 'zod/mini';

// Marked as pure, so that the first screen, which needs neither, does not load what makes schemas.
export const SuccessReply = /* @__PURE__ */ z.object({ success: /* @__PURE__ */ z.literal(true) });
export const CreatedReply = /* @__PURE__ */ z.object({
  success: /* @__PURE__ */ z.literal(true),
  id: /* @__PURE__ */ z.string(),
});
export const successReply = { success: true } as const;

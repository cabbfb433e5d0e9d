// What is wrong with a form, field by field.
import type * as z from 'zod/mini';

/** A message for each faulty field, by its name. */
export type FieldErrors = Record<string, string>;

/** Checks values against a schema of the contract; the first fault of each field, none when all is well. */
export function getFieldErrors(schema: z.ZodMiniType, values: unknown): FieldErrors {
  const result = schema.safeParse(values);
  const errors: FieldErrors = {};
  for (const { path, message } of result.error?.issues ?? []) errors[path.join('.')] ??= message;
  return errors;
}

/** The faults of all other fields: one that is corrected loses its mark at once. */
export function withoutFaults(errors: FieldErrors, ...names: string[]): FieldErrors {
  if (!names.some((name) => name in errors)) return errors;
  return Object.fromEntries(Object.entries(errors).filter(([name]) => !names.includes(name)));
}

// A text field says itself that it is faulty; of photos and signatures, what holds their button does, and of a checklist, the section.
const invalidFields =
  '[aria-invalid="true"]:not([role="radiogroup"]), [data-error] input, button[data-error], [data-invalid] :is(input, select, textarea, button)';

/** Moves the focus to the first faulty field, once React has marked it: within a few frames, more of them on a slow phone. */
export function focusFirstError(form: HTMLElement, frames = 30) {
  requestAnimationFrame(() => {
    const field = [...form.querySelectorAll<HTMLElement>(invalidFields)].find((field) => field.checkVisibility());
    if (field) showField(field);
    else if (frames > 0) focusFirstError(form, frames - 1);
  });
}

/** A checklist is long: its section comes into the middle of the view, as a whole. */
function showField(field: HTMLElement) {
  const section = field.closest('[data-invalid]');
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  section?.scrollIntoView({ block: 'center', behavior: isCalm ? 'auto' : 'smooth' });
  field.focus({ preventScroll: section !== null });
}

// Field errors of forms.
import type * as z from 'zod/mini';

/** Messages by field name. */
export type FieldErrors = Record<string, string>;

/** Validates values with a schema; returns the first error of each field. */
export function getFieldErrors(schema: z.ZodMiniType, values: unknown): FieldErrors {
  const result = schema.safeParse(values);
  const errors: FieldErrors = {};
  for (const { path, message } of result.error?.issues ?? []) errors[path.join('.')] ??= message;
  return errors;
}

/** Returns the errors without those fields, so that a corrected field loses its error at once. */
export function removeErrors(errors: FieldErrors, ...names: string[]): FieldErrors {
  if (!names.some((name) => name in errors)) return errors;
  return Object.fromEntries(Object.entries(errors).filter(([name]) => !names.includes(name)));
}

/** Returns the errors without that of the changed field: for the `onChange` of a form. */
export const withoutErrorOf = (errors: FieldErrors, { target }: { target: EventTarget }): FieldErrors =>
  'name' in target ? removeErrors(errors, String(target.name)) : errors;

// Invalid text fields have aria-invalid; photos and signatures mark their button's container,
// checklists their section.
const invalidFields =
  '[aria-invalid="true"]:not([role="radiogroup"]), [data-error] input, button[data-error], [data-invalid] :is(input, select, textarea, button)';

/** Focuses the first invalid field once React has marked it, which may take a few frames. */
export function focusFirstError(form: HTMLElement, framesLeft = 30) {
  requestAnimationFrame(() => {
    const field = [...form.querySelectorAll<HTMLElement>(invalidFields)].find((field) => field.checkVisibility());
    if (field) showField(field);
    else if (framesLeft > 0) focusFirstError(form, framesLeft - 1);
  });
}

/**
 * Scrolls the field, or the whole section of a checklist, into the middle of the view. Focusing alone
 * does not scroll to a field that has the focus already.
 */
export function showField(field: HTMLElement) {
  const target = field.closest('[data-invalid]') ?? field;
  const isMotionReduced = matchMedia('(prefers-reduced-motion: reduce)').matches;
  target.scrollIntoView({ block: 'center', behavior: isMotionReduced ? 'auto' : 'smooth' });
  field.focus({ preventScroll: true });
}

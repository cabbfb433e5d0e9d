// What is wrong with a form, field by field.
import type * as z from 'zod/mini';

/** A message for each faulty field, by its name. */
export type Faults = Record<string, string>;

/** Checks values against a schema of the contract; the first fault of each field, none when all is well. */
export function faultsOf(schema: z.ZodMiniType, values: unknown): Faults {
  const result = schema.safeParse(values);
  const faults: Faults = {};
  for (const { path, message } of result.error?.issues ?? []) faults[path.join('.')] ??= message;
  return faults;
}

/** The faults of all other fields: one that is corrected loses its mark at once. */
export function withoutFaults(faults: Faults, ...names: string[]): Faults {
  if (!names.some((name) => name in faults)) return faults;
  return Object.fromEntries(Object.entries(faults).filter(([name]) => !names.includes(name)));
}

// A text field says itself that it is faulty; of photos and signatures, what holds their button does, and of a checklist, the section.
const faulty =
  '[aria-invalid="true"]:not([role="radiogroup"]), [data-error] input, button[data-error], [data-fault] :is(input, select, textarea, button)';

/** Moves the focus to the first faulty field, once React has marked it: within a few frames, more of them on a slow phone. */
export function focusFirstFault(form: HTMLElement, frames = 30) {
  requestAnimationFrame(() => {
    const field = [...form.querySelectorAll<HTMLElement>(faulty)].find((field) => field.checkVisibility());
    if (field) show(field);
    else if (frames > 0) focusFirstFault(form, frames - 1);
  });
}

/** A checklist is long: its section comes into the middle of the view, as a whole. */
function show(field: HTMLElement) {
  const section = field.closest('[data-fault]');
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  section?.scrollIntoView({ block: 'center', behavior: isCalm ? 'auto' : 'smooth' });
  field.focus({ preventScroll: section !== null });
}

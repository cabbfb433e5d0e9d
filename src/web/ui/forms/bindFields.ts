import type { FieldErrors } from './fieldErrors.ts';

/** What a field passes to its `onChange`: its event, or its value. */
type Change = { currentTarget: { value: string } } | string | object | null;

const getValue = (change: Change): unknown =>
  typeof change === 'object' && change && 'currentTarget' in change ? change.currentTarget.value : change;

/**
 * Returns the props of a form's fields: `<TextInput label="Title" {...field('title')} />`,
 * `<Checkbox label="Urgent?" {...checkbox('is_urgent')} />`.
 */
export function bindFields<Values extends object>(
  values: Values,
  errors: FieldErrors,
  set: (changes: Partial<Values>) => void,
) {
  return {
    field: <Name extends keyof Values & string>(name: Name) => ({
      value: values[name],
      error: errors[name],
      onChange: (change: Change) => set({ [name]: getValue(change) } as Partial<Values>),
    }),
    checkbox: (name: keyof Values & string) => ({
      checked: values[name] === true,
      error: errors[name],
      onChange: ({ currentTarget }: { currentTarget: { checked: boolean } }) =>
        set({ [name]: currentTarget.checked } as Partial<Values>),
    }),
  };
}

/** What a field passes to its `onChange`. */
type Change = { currentTarget: { value: string; checked?: boolean } };

/**
 * Returns the props of the fields that filter a list: `<NativeSelect label="Park" {...field('park')} />`,
 * `<Checkbox label="Urgent" {...checkbox('urgent')} />`.
 *
 * @param ticked the value of a ticked checkbox
 */
export const bindFilters = <Name extends string>(
  values: { [N in Name]?: string | undefined },
  filter: (changes: { [N in Name]?: string }) => void,
  ticked = '1',
) => ({
  /** `others` change with it. */
  field: (name: Name, others: { [N in Name]?: string } = {}) => ({
    value: values[name] ?? '',
    onChange: ({ currentTarget }: Change) => filter({ [name]: currentTarget.value, ...others } as typeof others),
  }),
  checkbox: (name: Name) => ({
    checked: Boolean(values[name]),
    onChange: ({ currentTarget }: Change) =>
      filter({ [name]: currentTarget.checked ? ticked : '' } as { [N in Name]?: string }),
  }),
});

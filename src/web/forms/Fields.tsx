import {
  Checkbox,
  type CheckboxProps,
  NativeSelect,
  type NativeSelectProps,
  Textarea,
  type TextareaProps,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import { type ComponentProps, type ComponentType, Fragment, type ReactElement } from 'react';
import { DateField } from '../ui/forms/DateField.tsx';

type InputProps = {
  line: TextInputProps;
  lines: TextareaProps;
  /** `labels` are by value; `none` is the label of no choice. */
  choice: NativeSelectProps & { labels?: Record<string, string>; none?: string };
  day: Omit<ComponentProps<typeof DateField>, 'value'> & { value?: string | null };
  tick: CheckboxProps;
};

/** An input: its kind, its label, and what else its component takes. */
export type Input = {
  [Kind in keyof InputProps]: { kind: Kind } & InputProps[Kind] & Partial<Record<`data-${string}`, unknown>>;
}[keyof InputProps];

/** Inputs by the names of their values, in the order of the form. Others than these kinds are elements. */
export type FieldList<Name extends string> = { [N in Name]?: Input | ReactElement | false | undefined };

type More<Kind extends Input['kind']> = Omit<Extract<Input, { kind: Kind }>, 'kind' | 'label' | 'maxLength'>;

/** `line('Name', 80)`: a text of one line, or of several, with its maximum length. */
export const line = (label: string, maxLength: number, more: More<'line'> = {}) =>
  ({ kind: 'line', label, maxLength, ...more }) as const;
export const lines = (label: string, maxLength: number, more: More<'lines'> = {}) =>
  ({ kind: 'lines', label, maxLength, ...more }) as const;

/** Grows with its text from `minRows` on, if these are given. */
const Lines = (props: InputProps['lines']) => <Textarea autosize={props.minRows !== undefined} {...props} />;

const Choice = ({ labels, none, ...props }: InputProps['choice']) => (
  <NativeSelect {...props} {...(labels && { data: toData(labels, none) })} />
);

const Day = ({ value, ...props }: InputProps['day']) => <DateField {...props} value={value ?? ''} />;

/** The data of a select: `labels` by value, after `none` as the label of no choice. */
export const toData = (labels: Record<string, string>, none?: string) => [
  ...(none === undefined ? [] : [{ value: '', label: none }]),
  ...Object.entries(labels).map(([value, label]) => ({ value, label })),
];

const components = { line: TextInput, lines: Lines, choice: Choice, day: Day, tick: Checkbox };

type FieldsProps<Name extends string> = {
  /** The form, or what `bindFields` returns. */
  form: { field: (name: Name) => object; checkbox: (name: Name) => object };
  fields: FieldList<Name>;
};

/** The fields of a form, from a list. */
export const Fields = <Name extends string>({ form, fields }: FieldsProps<Name>) =>
  (Object.keys(fields) as Name[]).map((name) => {
    const field = fields[name];
    if (typeof field !== 'object' || !('kind' in field)) return <Fragment key={name}>{field}</Fragment>;
    const { kind, ...props } = field;
    const Component = components[kind] as ComponentType<object>;
    return <Component key={name} {...(kind === 'tick' ? form.checkbox(name) : form.field(name))} {...props} />;
  });

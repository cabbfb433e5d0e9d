import { Text } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { type FieldList, Fields } from './Fields.tsx';
import { FormDialog } from './FormDialog.tsx';
import { type FormOptions, useForm, type WithoutSecrets } from './useForm.ts';

type Strings = Record<string, string>;
type FormOf<Values extends WithoutSecrets, Secrets extends Strings> = ReturnType<
  typeof useForm<Values, unknown, unknown, Secrets>
>;
type RequestDialogProps<Values extends WithoutSecrets, Reply, Sent, Secrets extends Strings> = Omit<
  ComponentProps<typeof FormDialog>,
  'form' | 'children' | 'otherWay'
> &
  FormOptions<Values, Reply, Sent, Secrets> & {
    name: Parameters<typeof useForm<Values, Reply, Sent, Secrets>>[0];
    /** What stands above the fields. */
    text?: ReactNode;
    fields:
      | FieldsOf<NoInfer<Values>, NoInfer<Secrets>>
      | ((form: FormOf<NoInfer<Values>, NoInfer<Secrets>>) => FieldsOf<NoInfer<Values>, NoInfer<Secrets>>);
  };
type FieldsOf<Values, Secrets> = FieldList<keyof (Values & Secrets) & string>;

/** A dialog that sends one request and loads nothing first, as a value: what it says, asks and sends. */
export function RequestDialog<
  Values extends WithoutSecrets,
  Reply = unknown,
  Sent = Values,
  Secrets extends Strings = Record<never, string>,
>({ name, text, fields, ...props }: RequestDialogProps<Values, Reply, Sent, Secrets>) {
  const form = useForm<Values, Reply, Sent, Secrets>(name, { isOpenedByUser: true, ...props });
  const { title, size, submit, failed, isDangerous = false, onClose, secrets } = props;
  return (
    <FormDialog form={form} {...{ title, size, submit, failed, isDangerous, onClose }}>
      {typeof text === 'string' ? <Text>{text}</Text> : text}
      <Fields
        form={{ ...form, field: (name) => (secrets && name in secrets ? form.secret(name) : form.field(name)) }}
        fields={typeof fields === 'function' ? fields(form) : fields}
      />
    </FormDialog>
  );
}

import type { ComponentProps } from 'react';
import { OpenInAnotherTab } from '../ui/feedback/OpenInAnotherTab.tsx';
import type { Form } from './useForm.ts';

/** The `form` element of a form. While another tab has its input, it says so instead. */
export const FormElement = ({ form, ...props }: { form: Pick<Form, 'props' | 'takeOver'> } & ComponentProps<'form'>) =>
  form.takeOver ? <OpenInAnotherTab onTakeOver={form.takeOver} /> : <form {...form.props} {...props} />;

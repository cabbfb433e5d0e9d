import { Button, type ButtonProps } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FormName } from '../formNames.ts';
import { useIsFormOpen } from '../ui/forms/useTypedInput.ts';

export type FormButtonProps = Pick<ButtonProps, 'variant' | 'leftSection'> & {
  form: FormName;
  /** The label of the button. */
  button: string;
  'aria-label'?: string;
  children: (close: () => void) => ReactNode;
};

/** A button that opens a form in its place. A form that was left with input is open from the start. */
export function FormButton({ form, button, children, ...props }: FormButtonProps) {
  const [isOpen, setOpen] = useIsFormOpen(form);
  if (isOpen) return children(() => setOpen(false));
  return (
    <Button variant="default" {...props} onClick={() => setOpen(true)}>
      {button}
    </Button>
  );
}

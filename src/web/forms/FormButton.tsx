import { Button, type ButtonProps } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { hasTypedInput } from '../ui/forms/useTypedInput.ts';

export type FormButtonProps = Pick<ButtonProps, 'variant' | 'leftSection'> & {
  /** The name of the form. */
  form: string;
  button: string;
  'aria-label'?: string;
  children: (close: () => void) => ReactNode;
};

/** A button that opens a form in its place; one that was left with input is open. */
export function FormButton({ form, button, children, ...props }: FormButtonProps) {
  const [isOpen, setOpen] = useState(() => hasTypedInput(form));
  if (isOpen) return children(() => setOpen(false));
  return (
    <Button variant="default" {...props} onClick={() => setOpen(true)}>
      {button}
    </Button>
  );
}

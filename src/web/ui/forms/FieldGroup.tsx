import { Input, type InputWrapperProps } from '@mantine/core';
import { type ReactNode, useId } from 'react';

type Ids = { label: string; describedBy: string | undefined };
type FieldGroupProps = Omit<InputWrapperProps, 'children'> & {
  role?: 'group' | 'radiogroup';
  /** The controls. A function gets the ids of their label and description. */
  children: ReactNode | ((ids: Ids) => ReactNode);
};

/** Several controls with one label, description and error, which their group has for screen readers. */
export function FieldGroup({ role = 'group', children, ...props }: FieldGroupProps) {
  const id = useId();
  const describedBy = [props.description && `${id}-description`, props.error && `${id}-error`]
    .filter(Boolean)
    .join(' ');
  const ids = { label: `${id}-label`, describedBy: describedBy || undefined };
  return (
    <Input.Wrapper
      {...props}
      id={id}
      role={role}
      labelElement="div"
      aria-labelledby={ids.label}
      aria-describedby={role === 'radiogroup' ? ids.describedBy : undefined}
      errorProps={{ mt: 6, ...props.errorProps }}
    >
      {typeof children === 'function' ? children(ids) : children}
    </Input.Wrapper>
  );
}

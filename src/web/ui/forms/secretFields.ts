import type { ReactNode } from 'react';

declare const isSecret: unique symbol;

/** What a form passes to a field for a password, a PIN or a code: `form.secret('pin')`. */
export type Secret = {
  value: string;
  error: string | undefined;
  onChange: (change: { currentTarget: { value: string } }) => void;
  readonly [isSecret]: true;
};

/**
 * The props of a field for a password, a PIN or a code. Those of other fields, whose input may be kept, do not fit; a
 * field that no form follows has none.
 */
export type SecretFieldProps<Props> = Omit<Props, 'value' | 'error' | 'onChange'> &
  (Secret | { value?: never; error?: ReactNode; onChange?: never });

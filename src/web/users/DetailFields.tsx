import { TextInput } from '@mantine/core';
import { textLimits } from '#shared/choices.ts';
import type { FieldErrors } from '../ui/forms/fieldErrors.ts';

type DetailFieldsProps = {
  /** Only Admins set email addresses. */
  withEmail: boolean;
  errors: FieldErrors;
  defaults?: { full_name: string; email?: string | undefined };
};

/** The full name and the email address of a user; both may stay empty. */
export function DetailFields({ withEmail, errors, defaults }: DetailFieldsProps) {
  return (
    <>
      <TextInput
        name="full_name"
        label="Full name (optional)"
        description="Shown instead of the username"
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        defaultValue={defaults?.full_name}
        maxLength={textLimits.name}
        error={errors.full_name}
        autoComplete="off"
      />
      {withEmail && (
        <TextInput
          name="email"
          type="email"
          label="Email (optional)"
          description="For notifications. Only Admins and the user see it"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          defaultValue={defaults?.email}
          maxLength={textLimits.email}
          error={errors.email}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      )}
    </>
  );
}

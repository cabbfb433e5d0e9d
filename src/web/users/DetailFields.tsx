import { TextInput, type TextInputProps } from '@mantine/core';
import { textLimits } from '#shared/choices.ts';

type DetailFieldsProps = {
  fullName: TextInputProps;
  /** Only Admins set email addresses. */
  email: TextInputProps | false;
};

/** The full name and the email address of a user; both may stay empty. */
export function DetailFields({ fullName, email }: DetailFieldsProps) {
  return (
    <>
      <TextInput
        {...fullName}
        label="Full name (optional)"
        description="Shown instead of the username"
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        maxLength={textLimits.name}
        autoComplete="off"
      />
      {email && (
        <TextInput
          {...email}
          type="email"
          label="Email (optional)"
          description="For notifications. Only Admins and the user see it"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          maxLength={textLimits.email}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      )}
    </>
  );
}

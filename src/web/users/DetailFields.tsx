import { textLimits } from '#shared/choices.ts';
import { line } from '../forms/Fields.tsx';

const inputWrapperOrder = ['label' as const, 'input' as const, 'description' as const, 'error' as const];

/** The full name and the email address of a user; both may stay empty. Only Admins set email addresses. */
export const listDetailFields = (isEmailShown: boolean) => ({
  full_name: line('Full name (optional)', textLimits.name, {
    description: 'Shown instead of the username',
    inputWrapperOrder,
    autoComplete: 'off',
  }),
  email:
    isEmailShown &&
    line('Email (optional)', textLimits.email, {
      type: 'email',
      description: 'For notifications. Only Admins and the user see it',
      inputWrapperOrder,
      autoComplete: 'off',
      autoCapitalize: 'none',
      spellCheck: false,
    }),
});

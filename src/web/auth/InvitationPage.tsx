// Opened from the link in an invitation: the link alone identifies the user, and signs nobody in.
import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { api } from '#shared/api.ts';
import { callApi } from '../client/api.ts';
import { describeRejection, somethingWentWrong } from '../client/errors.ts';
import { formNames } from '../formNames.ts';
import { FormElement } from '../forms/FormElement.tsx';
import { useForm } from '../forms/useForm.ts';
import { getMinPasswordLength, getOperatorName } from '../operator.ts';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { PasswordField } from '../ui/forms/PasswordField.tsx';
import { AuthCard } from './AuthCard.tsx';

export function InvitationPage() {
  const [isDone, setDone] = useState(false);
  const form = useForm(formNames.invitation(), {
    start: {},
    secrets: { password: '' },
    check: ({ password }) => (password === '' ? { password: 'Choose a password' } : {}),
    send: (_, __, { password }) =>
      callApi(api.acceptInvitation, { body: { token: window.location.hash.slice(1), password } }),
    isOpenedByUser: true,
    onSaved: () => setDone(true),
  });
  return (
    <AuthCard title="Choose Your Password">
      {isDone ? (
        <>
          <Text role="status">Your password is set. Now sign in with the username in the email.</Text>
          <Button component={Link} to="/login">
            Login
          </Button>
        </>
      ) : (
        <FormElement form={form}>
          <Stack gap="lg">
            <Text>For your account at {getOperatorName()}. Afterwards, sign in with the username in the email.</Text>
            <PasswordField
              {...form.secret('password')}
              label="New password"
              description={`At least ${getMinPasswordLength()} characters`}
              autoComplete="new-password"
            />
            <ErrorBox
              message={form.error && !form.errors.password ? describeRejection(form.error, somethingWentWrong) : ''}
            />
            <Button type="submit" loading={form.isSaving}>
              Set Password
            </Button>
          </Stack>
        </FormElement>
      )}
    </AuthCard>
  );
}

// Opened from the link in an email to a new address, signed in or not: the link alone identifies
// the user.
import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api } from '#shared/api.ts';
import { mutationFor } from '../client/api.ts';
import { useSession } from '../client/session.ts';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { AuthCard } from './AuthCard.tsx';

export function ConfirmEmailPage() {
  const { user } = useSession();
  const confirm = useMutation(mutationFor(api.confirmEmailChange));
  const token = window.location.hash.slice(1);
  const next = user ? '/notification-settings' : '/login';
  return (
    <AuthCard title="Confirm Email Address">
      {confirm.isSuccess ? (
        <Text role="status">Your emails now go to this address. You can close this page.</Text>
      ) : (
        <>
          <Text>
            Your notifications will be sent to the address where you got the link. You do not need to sign in.
          </Text>
          {/* A button, because mail scanners open links. */}
          <Button loading={confirm.isPending} onClick={() => confirm.mutate({ body: { token } })}>
            Use This Address
          </Button>
        </>
      )}
      {confirm.error && (
        <ErrorBox
          message={
            confirm.error.message
              ? `${confirm.error.message}. Ask for a new one under Notification Settings.`
              : 'The address could not be confirmed. Please try again.'
          }
        />
      )}
      <Button component={Link} to={next} variant="default">
        {user ? 'Notification Settings' : 'Login'}
      </Button>
    </AuthCard>
  );
}

// Shown when the session has ended. Input stays, and the failed request is sent again.
import { Anchor, Stack, Text } from '@mantine/core';
import { Dialog } from '../ui/dialogs/Dialog.tsx';
import { CredentialsForm } from './CredentialsForm.tsx';

type SignInDialogProps = { isOpen: boolean; username: string; onSignedIn: () => Promise<void> };

export function SignInDialog({ isOpen, username, onSignedIn }: SignInDialogProps) {
  return (
    <Dialog
      opened={isOpen}
      onClose={() => undefined}
      title="Please sign in again"
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      // Hides the page, so that nobody else can read it.
      overlayProps={{ backgroundOpacity: 0.75, blur: 12 }}
      zIndex={1000}
    >
      <Stack>
        <Text>Your session has ended. Sign in to continue. What you have typed is still here.</Text>
        <CredentialsForm username={username} onSignedIn={onSignedIn} />
        <Anchor href="/login" ta="center">
          Leave this page instead
        </Anchor>
      </Stack>
    </Dialog>
  );
}

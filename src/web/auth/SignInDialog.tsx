// Shown when the session has ended. Input stays, and the failed request is sent again.
import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { SessionUser } from '#shared/users.ts';
import { useNames } from '../client/names.ts';
import { getProviderName } from '../client/providerName.ts';
import { getSharedDevice } from '../client/sharedDevice.ts';
import { Dialog } from '../ui/dialogs/Dialog.tsx';
import { CredentialsForm } from './CredentialsForm.tsx';
import { PinForm } from './PinForm.tsx';
import { ProviderTabButton } from './ProviderTabButton.tsx';

type SignInDialogProps = {
  isOpen: boolean;
  user: Pick<SessionUser, 'id' | 'username'>;
  onSignedIn: () => Promise<void>;
};

export function SignInDialog({ isOpen, user, onSignedIn }: SignInDialogProps) {
  const showName = useNames();
  const { id, username } = user;
  const isShared = getSharedDevice() !== undefined;
  const [isByPin, setByPin] = useState(isShared);
  return (
    <Dialog
      opened={isOpen}
      onClose={() => undefined}
      title={isShared ? 'Who is using this device?' : 'Please sign in again'}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      // Hides the page, so that nobody else can read it.
      isPrivate
    >
      <Stack>
        <Text>Your session has ended. Sign in to continue. What you have typed is still here.</Text>
        {isByPin ? (
          <>
            <PinForm user={{ id, name: showName(username) }} onSignedIn={onSignedIn} />
            <Button variant="subtle" onClick={() => setByPin(false)}>
              Use Your Password
            </Button>
          </>
        ) : (
          <CredentialsForm username={username} onSignedIn={onSignedIn}>
            {getProviderName() && (
              <ProviderTabButton
                purpose="sign in"
                label={`Sign In with ${getProviderName()}`}
                // If someone else has signed in, this dialog stays.
                onDone={() => void onSignedIn().catch(() => undefined)}
              />
            )}
          </CredentialsForm>
        )}
        <Anchor href="/login" ta="center">
          {isShared ? 'Someone Else' : 'Leave this page instead'}
        </Anchor>
      </Stack>
    </Dialog>
  );
}

import { Button } from '@mantine/core';
import { useState } from 'react';
import { readError, unreachable } from '../client/errors.ts';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';

type ProviderButtonProps = {
  label: string;
  /** Sends the user to the provider. */
  onPress: () => Promise<void>;
};

/** Sends the user to the provider, and says why that did not work. */
export function ProviderButton({ label, onPress }: ProviderButtonProps) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const press = async () => {
    setBusy(true);
    setError('');
    await onPress().catch((error: unknown) => {
      const { code, message } = readError(error);
      // The user closed the dialog in which they confirm their identity: they need no message about that.
      if (code !== 'CONFIRMATION_NEEDED') setError(message || unreachable);
    });
    setBusy(false);
  };
  return (
    <>
      <ErrorBox message={error} />
      <Button variant="default" loading={isBusy} onClick={press}>
        {label}
      </Button>
    </>
  );
}

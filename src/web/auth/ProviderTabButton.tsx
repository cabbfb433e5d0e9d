import { Text } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import type { ProviderPurpose } from '#shared/sign-in/single-sign-on.ts';
import { ProviderButton } from './ProviderButton.tsx';
import { createProviderChannel, openProviderTab } from './provider.ts';

type ProviderTabButtonProps = { purpose: ProviderPurpose; label: string; onDone: () => void };

/** Opens the provider in another tab, so that the page behind a dialog loses nothing. */
export function ProviderTabButton({ purpose, label, onDone }: ProviderTabButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const finish = useEffectEvent(onDone);
  useEffect(() => {
    const channel = createProviderChannel();
    channel.onmessage = ({ data }) => data === purpose && finish();
    return () => channel.close();
  }, [purpose]);
  const open = async () => {
    await openProviderTab(purpose);
    setOpen(true);
  };
  return (
    <>
      <ProviderButton label={label} onPress={open} />
      {isOpen && (
        <Text role="status" size="sm">
          Continue in the new tab. This page then continues automatically.
        </Text>
      )}
    </>
  );
}

import { Button, TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import type { SecretFieldProps } from '../ui/forms/secretFields.ts';

type CodeFieldProps = SecretFieldProps<TextInputProps> & {
  /** Whether the user has codes from an app too. */
  hasApp: boolean;
};

export function CodeField({ hasApp, ...props }: CodeFieldProps) {
  const [isRecoveryChosen, setRecoveryChosen] = useState(false);
  const isRecoveryCode = isRecoveryChosen || !hasApp;
  const kind = isRecoveryCode
    ? ({ label: 'Recovery code', description: 'One of the ten that you wrote down', autoComplete: 'off' } as const)
    : ({ label: 'Code from your app', inputMode: 'numeric', autoComplete: 'one-time-code' } as const);
  return (
    <div>
      <TextInput
        key={kind.label}
        {...kind}
        maxLength={40}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        required
        withAsterisk={false}
        {...props}
      />
      {hasApp && (
        <Button variant="subtle" mt="xs" onClick={() => setRecoveryChosen(!isRecoveryChosen)}>
          {isRecoveryCode ? 'Use a Code from Your App' : 'Use a Recovery Code'}
        </Button>
      )}
    </div>
  );
}

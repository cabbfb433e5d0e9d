import { Button, TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';

/** A field for a code from an app, or for a recovery code. */
export function CodeField(props: TextInputProps) {
  const [isRecoveryCode, setRecoveryCode] = useState(false);
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
      <Button variant="subtle" mt="xs" onClick={() => setRecoveryCode(!isRecoveryCode)}>
        {isRecoveryCode ? 'Use a Code from Your App' : 'Use a Recovery Code'}
      </Button>
    </div>
  );
}

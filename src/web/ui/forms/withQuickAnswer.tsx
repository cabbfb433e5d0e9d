// A button beside a field that enters the usual answer with one tap.
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './withQuickAnswer.module.css';

type QuickAnswer = {
  label: string;
  /** Tells apart several buttons with the same label. */
  question?: string;
  isDisabled?: boolean;
  onPress: () => void;
};

/** The `inputContainer` of a field. */
export const withQuickAnswer =
  ({ label, question, isDisabled, onPress }: QuickAnswer) =>
  (input: ReactNode) => (
    <div className={styles.field}>
      {input}
      <Button
        variant="default"
        aria-label={question && `${label}: ${question}`}
        disabled={isDisabled ?? false}
        onClick={onPress}
      >
        {label}
      </Button>
    </div>
  );

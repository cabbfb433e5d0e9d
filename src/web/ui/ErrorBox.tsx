import { Button, Group, Text } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './ErrorBox.module.css';

type ErrorBoxProps = {
  /** Nothing is shown while it is empty. */
  message: string;
  onRetry?: () => void;
  /** More to do about it, such as a way back. */
  children?: ReactNode;
};

export function ErrorBox({ message, onRetry, children }: ErrorBoxProps) {
  if (message === '') return null;
  return (
    <div role="alert" className={styles.box}>
      <CircleAlert aria-hidden className={styles.icon} />
      <div>
        <Text>{message}</Text>
        {(onRetry || children) && (
          <Group mt="sm">
            {onRetry && (
              <Button variant="default" onClick={onRetry}>
                Try again
              </Button>
            )}
            {children}
          </Group>
        )}
      </div>
    </div>
  );
}

import { Button, Group, Text, Title } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './ErrorBox.module.css';

type ErrorBoxProps = {
  /** Nothing is shown while it is empty. */
  message: string;
  /** Why it happened, in the server's words where it had any. */
  reason?: string | undefined;
  /** It stands in place of the whole page, and is its heading. */
  isPage?: boolean;
  onRetry?: () => void;
  /** More to do about it, such as a way back. */
  children?: ReactNode;
};

export function ErrorBox({ message, reason, isPage = false, onRetry, children }: ErrorBoxProps) {
  if (message === '') return null;
  return (
    <div role="alert" className={styles.box}>
      <CircleAlert aria-hidden className={styles.icon} />
      <div>
        {isPage ? (
          <Title order={1} size="h4">
            {message}
          </Title>
        ) : (
          <Text>{message}</Text>
        )}
        {reason && <Text size="sm">{reason}</Text>}
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

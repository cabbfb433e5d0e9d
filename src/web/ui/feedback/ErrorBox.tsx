import { Button, Group, Text, Title } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './ErrorBox.module.css';

type ErrorBoxProps = {
  /** Shows nothing while empty. */
  message: string;
  /** The reason, in the server's words if it gave one. */
  reason?: string | undefined;
  /** Replaces the whole page, as its heading. */
  isPage?: boolean;
  onRetry?: () => void;
  /** Further actions, such as a way back. */
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

import { Button, Group, Text, Title } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { connection } from '../../offline/connection.ts';
import { useStore } from '../../useStore.ts';
import styles from './ErrorBox.module.css';

type ErrorBoxProps = {
  /** Shows nothing while empty. */
  message: string;
  /** The reason, in the server's words if it gave one. */
  reason?: string | undefined;
  /** Set for a list that is not stored on the device: an error while offline then says so. */
  isNotStored?: boolean;
  /** Replaces the whole page, as its heading. */
  isPage?: boolean;
  onRetry?: () => void;
  /** Further actions, such as a way back. */
  children?: ReactNode;
};

const notStoredText = 'To protect personal data, this is not kept on this device. It loads when you are back online.';

export function ErrorBox({ message, reason, isNotStored, isPage = false, onRetry, children }: ErrorBoxProps) {
  const isConnected = useStore(connection) === 'online';
  const detail = isNotStored && !isConnected ? notStoredText : reason;
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
        {detail && <Text size="sm">{detail}</Text>}
        {(onRetry || children) && (
          <Group mt="sm">
            {onRetry && (
              <Button variant="default" onClick={onRetry}>
                Try Again
              </Button>
            )}
            {children}
          </Group>
        )}
      </div>
    </div>
  );
}

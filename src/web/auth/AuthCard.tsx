import { Paper, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './LoginPage.module.css';

/** The card in the middle of a screen for users who are not signed in. */
export const AuthCard = ({ title, children }: { title?: string; children: ReactNode }) => (
  <div className={styles.page}>
    <Paper className={styles.card}>
      <Stack gap="lg">
        {title && (
          <Title order={1} size="h2">
            {title}
          </Title>
        )}
        {children}
      </Stack>
    </Paper>
  </div>
);

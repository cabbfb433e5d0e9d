import { Text } from '@mantine/core';
import { Inbox, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyIllustration } from './EmptyIllustration.tsx';
import styles from './EmptyState.module.css';

type EmptyStateProps = {
  text: string;
  hint?: string;
  icon?: LucideIcon;
  /** Buttons for what to do next. */
  children?: ReactNode;
};

export const EmptyState = ({ text, hint, icon = Inbox, children }: EmptyStateProps) => (
  <div className={styles.empty}>
    <EmptyIllustration icon={icon} />
    <Text fw={600}>{text}</Text>
    {hint && <Text c="dimmed">{hint}</Text>}
    {children && <div className={styles.actions}>{children}</div>}
  </div>
);

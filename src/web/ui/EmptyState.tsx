import { Text } from '@mantine/core';
import { Inbox, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './EmptyState.module.css';

type EmptyStateProps = {
  text: string;
  hint?: string;
  icon?: LucideIcon /** What to do about it. */;
  children?: ReactNode;
};

export function EmptyState({ text, hint, icon: Icon = Inbox, children }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <Icon aria-hidden size={40} strokeWidth={1.5} className={styles.icon} />
      <Text fw={600}>{text}</Text>
      {hint && <Text c="dimmed">{hint}</Text>}
      {children && <div className={styles.actions}>{children}</div>}
    </div>
  );
}

import { Badge, VisuallyHidden } from '@mantine/core';
import styles from './reports.module.css';

/** `12,345`, without Intl: loading its rules holds up the screen. */
const formatCount = (count: number) => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

export function Count({ of }: { of: number }) {
  return (
    <Badge variant="light" size="lg" className={styles.count}>
      {formatCount(of)}
      <VisuallyHidden> {of === 1 ? 'report' : 'reports'}</VisuallyHidden>
    </Badge>
  );
}

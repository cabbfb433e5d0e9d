import { Badge, VisuallyHidden } from '@mantine/core';
import styles from './reports.module.css';

/** Formats `12,345` without Intl, whose rules take long to load. */
const formatCount = (count: number) => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

export const FormattedCount = ({ count }: { count: number }) => (
  <Badge variant="light" size="lg" className={styles.count}>
    {formatCount(count)}
    <VisuallyHidden> {count === 1 ? 'report' : 'reports'}</VisuallyHidden>
  </Badge>
);

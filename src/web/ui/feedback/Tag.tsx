import type { LucideIcon } from 'lucide-react';
import styles from './Tag.module.css';

type TagProps = { label: string; icon: LucideIcon; tone?: 'danger' | 'warning' | 'success' | 'damaged' | undefined };

/** A state as a word with icon and colour. */
export const Tag = ({ label, icon: Icon, tone }: TagProps) => (
  <span className={styles.tag} data-tone={tone}>
    <Icon aria-hidden size={14} />
    {label}
  </span>
);

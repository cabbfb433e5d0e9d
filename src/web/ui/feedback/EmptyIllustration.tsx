import type { LucideIcon } from 'lucide-react';
import styles from './EmptyIllustration.module.css';

/** An illustration for empty states, with the page's icon. */
export const EmptyIllustration = ({ icon: Icon }: { icon: LucideIcon }) => (
  <svg className={styles.drawing} viewBox="0 0 160 96" aria-hidden="true">
    <circle className={styles.sun} cx="122" cy="28" r="12" />
    <path className={styles.far} d="M0 76C20 44 42 38 66 58s52 14 94-12v42H0z" />
    <path className={styles.near} d="M0 84c40-20 120-20 160 0v4a8 8 0 0 1-8 8H8a8 8 0 0 1-8-8z" />
    <circle className={styles.paper} cx="80" cy="56" r="26" />
    <Icon className={styles.icon} x="64" y="40" width="32" height="32" strokeWidth={1.75} />
  </svg>
);

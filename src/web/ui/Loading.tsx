import { Loader } from '@mantine/core';
import styles from './Loading.module.css';

export function Loading({ text = 'Loading...' }: { text?: string }) {
  return (
    <div role="status" className={styles.loading}>
      <Loader size="sm" aria-hidden />
      <span>{text}</span>
    </div>
  );
}

import { Loader, Skeleton } from '@mantine/core';
import styles from './Loading.module.css';

type LoadingProps = {
  text?: string;
  /** A placeholder in the shape of the content, so that little moves when it appears. */
  shape?: keyof typeof counts;
};

const counts = { rows: 5, cards: 6, fields: 8 };

export const Loading = ({ text = 'Loading...', shape }: LoadingProps) => (
  <div className={styles.waiting}>
    <div role="status" className={styles.loading} data-above={shape !== undefined || undefined}>
      <Loader size="sm" aria-hidden />
      <span>{text}</span>
    </div>
    {shape && (
      <div className={styles[shape]} aria-hidden>
        {Array.from({ length: counts[shape] }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: these places have no identity
          <Skeleton key={index} className={styles.placeholder} />
        ))}
      </div>
    )}
  </div>
);

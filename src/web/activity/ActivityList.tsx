import type { Activity } from '#shared/activity.ts';
import { formatInstant } from '#shared/dates.ts';
import styles from './ActivityList.module.css';
import { changesOf, deedOf } from './words.ts';

/** Who did what and when, newest first. */
export function ActivityList({ lines }: { lines: Activity[] }) {
  return (
    <ol className={styles.list}>
      {lines.map((line) => (
        <li key={line.seq} className={styles.line}>
          <time dateTime={line.at} className={styles.time}>
            {formatInstant(line.at)}
          </time>
          <div className={styles.words}>
            <strong>{line.actor || 'Somebody'}</strong> {deedOf(line)}
            {changesOf(line).map(({ field, text }) => (
              <div key={field} className={styles.change}>
                {field}: {text}
              </div>
            ))}
          </div>
        </li>
      ))}
    </ol>
  );
}

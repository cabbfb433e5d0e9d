import type { Activity } from '#shared/activity.ts';
import { formatInstant } from '#shared/dates.ts';
import { useNames } from '../client/names.ts';
import styles from './ActivityList.module.css';
import { combineRepeats, describeEntry, listChanges } from './activityText.ts';

/** Activity log entries, newest first. Repeats in a row are one entry. */
export function ActivityList({ entries }: { entries: Activity[] }) {
  const showName = useNames();
  return (
    <ol className={styles.list}>
      {combineRepeats(entries).map(({ entry: line, count }) => (
        <li key={line.seq} className={styles.entry}>
          <time dateTime={line.at} className={styles.time}>
            {formatInstant(line.at)}
          </time>
          <div className={styles.text}>
            <strong>{showName(line.actor) || 'Someone'}</strong> {describeEntry(line, count)}
            {listChanges(line).map(({ field, text }) => (
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

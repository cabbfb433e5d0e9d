import type { Activity } from '#shared/activity.ts';
import { formatInstant } from '#shared/dates.ts';
import { useNames } from '../client/names.ts';
import { Name } from '../ui/feedback/Name.tsx';
import styles from './ActivityList.module.css';
import { combineRepeats, describeEntry, listChanges } from './activityText.ts';

/** Activity log entries, newest first. Repeats in a row are one entry. */
export function ActivityList({ entries }: { entries: Activity[] }) {
  const showName = useNames();
  return (
    <ol className={styles.list}>
      {combineRepeats(entries).map(({ entry, count }) => (
        <li key={entry.seq} className={styles.entry}>
          <time dateTime={entry.at} className={styles.time}>
            {formatInstant(entry.at)}
          </time>
          <div className="breakable">
            <strong>{entry.actor ? <Name>{showName(entry.actor)}</Name> : 'Someone'}</strong>{' '}
            {describeEntry(entry, count)}
            {listChanges(entry).map(({ field, text }) => (
              <div key={field} className="quiet">
                {field}: {text}
              </div>
            ))}
          </div>
        </li>
      ))}
    </ol>
  );
}

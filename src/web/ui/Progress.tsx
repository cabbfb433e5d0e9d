import { useSyncExternalStore } from 'react';
import { isFetching, watchFetching } from './onDemand.ts';
import styles from './Progress.module.css';

/** Says that the next screen is on its way, while the one before still stands. What comes at once shows none of it. */
export function Progress() {
  const isOnTheWay = useSyncExternalStore(watchFetching, isFetching);
  return (
    <div role="status">
      {isOnTheWay && (
        <div className={styles.progress}>
          <span className={styles.words}>Loading...</span>
        </div>
      )}
    </div>
  );
}

import { useSyncExternalStore } from 'react';
import styles from './LoadingBar.module.css';
import { isLoadingComponent, subscribeToLoading } from './lazyComponent.ts';

/** Says that the next screen is on its way, while the one before still stands. What comes at once shows none of it. */
export function LoadingBar() {
  const isLoading = useSyncExternalStore(subscribeToLoading, isLoadingComponent);
  return (
    <div role="status">
      {isLoading && (
        <div className={styles.progress}>
          <span className={styles.text}>Loading...</span>
        </div>
      )}
    </div>
  );
}

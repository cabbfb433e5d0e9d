import { useSyncExternalStore } from 'react';
import styles from './LoadingBar.module.css';
import { isLoadingComponent, subscribeToLoading } from './lazyComponent.ts';

/** Shows that the next screen is loading. Fast loads do not show it. */
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

import { useStore } from '../../useStore.ts';
import styles from './LoadingBar.module.css';
import { componentLoading } from './lazyComponent.ts';

/** Shows that the next screen is loading. Fast loads do not show it. */
export function LoadingBar() {
  const isLoading = useStore(componentLoading);
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

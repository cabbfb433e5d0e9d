import { useStore } from '../../useStore.ts';
import styles from './LoadingBar.module.css';
import { isLoadingSlow } from './lazyComponent.ts';

/** Shows that the next screen is loading, if that takes long. */
export function LoadingBar() {
  const isSlow = useStore(isLoadingSlow);
  return (
    <div role="status">
      {isSlow && (
        <div className={styles.progress}>
          <span className={styles.text}>Loading...</span>
        </div>
      )}
    </div>
  );
}

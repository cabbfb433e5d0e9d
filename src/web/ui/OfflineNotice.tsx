import { WifiOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useSession } from '../session.tsx';
import styles from './OfflineNotice.module.css';

function watch(listener: () => void) {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

export function OfflineNotice() {
  const isOnline = useSyncExternalStore(watch, () => navigator.onLine);
  const { user, isCutOff } = useSession();
  const what = isOnline ? 'The server cannot be reached.' : 'You are offline.';
  return (
    <div role="status">
      {(!isOnline || isCutOff) && (
        <p className={styles.notice} data-at-foot>
          <WifiOff aria-hidden size={20} className={styles.icon} />
          <span>
            {user
              ? `${what} What you type stays here; send it when the connection is back.`
              : `${what} Signing in needs a connection.`}
          </span>
        </p>
      )}
    </div>
  );
}

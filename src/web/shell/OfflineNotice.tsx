import { WifiOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useSession } from '../client/session.ts';
import { getConnection, subscribeToConnection } from '../offline/connection.ts';
import styles from './OfflineNotice.module.css';

export function OfflineNotice() {
  const connection = useSyncExternalStore(subscribeToConnection, getConnection);
  const { user, isUnreachable } = useSession();
  const stateText = connection === 'offline' ? 'You are offline.' : 'The server cannot be reached.';
  return (
    <div role="status">
      {(connection !== 'online' || isUnreachable) && (
        <p className={styles.notice} data-at-bottom>
          <WifiOff aria-hidden size={20} className={styles.icon} />
          <span>
            {user
              ? `${stateText} You can keep typing and submit. It will be sent when you are back online.`
              : `${stateText} Signing in needs a connection.`}
          </span>
        </p>
      )}
    </div>
  );
}

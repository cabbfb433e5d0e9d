import { WifiOff } from 'lucide-react';
import { useSession } from '../client/session.ts';
import { connection } from '../offline/connection.ts';
import { useStore } from '../useStore.ts';
import styles from './OfflineNotice.module.css';

export function OfflineNotice() {
  const state = useStore(connection);
  const { user, isUnreachable } = useSession();
  const stateText = state === 'offline' ? 'You are offline.' : 'The server cannot be reached.';
  return (
    <div role="status">
      {(state !== 'online' || isUnreachable) && (
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

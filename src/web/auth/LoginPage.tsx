import { Text, Title } from '@mantine/core';
import { Redirect } from 'wouter';
import type { SessionUser } from '#shared/users.ts';
import { waitingItems } from '../client/outboxPresence.ts';
import { getProviderName } from '../client/providerName.ts';
import { useSession } from '../client/session.ts';
import { getSharedDevice } from '../client/sharedDevice.ts';
import { getOperatorName } from '../operator.ts';
import { PrivacyNotice } from '../ui/forms/PrivacyNotice.tsx';
import { lazyComponent } from '../ui/loading/lazyComponent.ts';
import { useStore } from '../useStore.ts';
import { AuthCard } from './AuthCard.tsx';
import { openTarget, type Target } from './afterSignIn.ts';
import { CredentialsForm } from './CredentialsForm.tsx';
import styles from './LoginPage.module.css';
import { loadProvider } from './loadProvider.ts';
import { ProviderButton } from './ProviderButton.tsx';

/** Users can sign in even if the file of this notice cannot be fetched. */
const WaitingNotice = lazyComponent(
  () => import('../outbox/WaitingNotice.tsx').catch(() => ({ WaitingNotice: () => null })),
  'WaitingNotice',
);

const SharedDeviceLogin = lazyComponent(() => import('./SharedDeviceLogin.tsx'), 'SharedDeviceLogin');

export type LoginState = ({ isAdminRequired?: boolean } & Target) | null;

export function LoginPage() {
  const { user } = useSession();
  const { isAdminRequired, ...target } = (window.history.state as LoginState) ?? {};

  const hasWaitingItems = useStore(waitingItems);

  const open = (role: SessionUser['role']) => openTarget(target, role);
  const goToProvider = async () => (await loadProvider()).goToProvider('sign in', target);
  const credentials = (
    <CredentialsForm onSignedIn={open}>
      {getProviderName() && <ProviderButton label={`Sign In with ${getProviderName()}`} onPress={goToProvider} />}
    </CredentialsForm>
  );

  if (user) return <Redirect to="/reporting" replace />;
  return (
    <AuthCard>
      <div className={styles.header}>
        <img src="/operator-logo" alt="" width="72" height="72" className={styles.logo} />
        <Title order={1} size="h2" ta="center">
          {getOperatorName()}
        </Title>
        <Text c="dimmed" ta="center" className={styles.text}>
          Accident and incident reports, checklists and audits
        </Text>
      </div>
      {isAdminRequired && (
        <Text role="status" className={styles.notice}>
          You must be an admin to log in to this page
        </Text>
      )}
      {hasWaitingItems && <WaitingNotice />}
      {getSharedDevice() ? <SharedDeviceLogin onSignedIn={open}>{credentials}</SharedDeviceLogin> : credentials}
      <PrivacyNotice />
    </AuthCard>
  );
}

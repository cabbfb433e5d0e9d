import { Paper, Stack, Text, Title } from '@mantine/core';
import { createElement, Suspense } from 'react';
import { Redirect } from 'wouter';
import { isAllowed } from '#shared/access.ts';
import type { AccessLevel } from '#shared/contract.ts';
import type { SessionUser } from '#shared/users.ts';
import { waitingItems } from '../client/outboxPresence.ts';
import { useSession } from '../client/session.ts';
import { getSharedDevice } from '../client/sharedDevice.ts';
import { getOperatorName } from '../operator.ts';
import { PrivacyNotice } from '../ui/forms/PrivacyNotice.tsx';
import { lazyComponent } from '../ui/loading/lazyComponent.ts';
import { useStore } from '../useStore.ts';
import { CredentialsForm } from './CredentialsForm.tsx';
import styles from './LoginPage.module.css';

/** Users can sign in even if the file of this notice cannot be fetched. */
const WaitingNotice = lazyComponent(
  () => import('../outbox/WaitingNotice.tsx').catch(() => ({ WaitingNotice: () => null })),
  'WaitingNotice',
);

const SharedDeviceLogin = lazyComponent(() => import('./SharedDeviceLogin.tsx'), 'SharedDeviceLogin');

/** The page first requested, and the access level it needs. */
export type LoginState = { isAdminRequired?: boolean; from?: string; access?: AccessLevel } | null;

export function LoginPage() {
  const { user } = useSession();
  const { isAdminRequired, from = '', access = 'admin' } = (window.history.state as LoginState) ?? {};

  const hasWaitingItems = useStore(waitingItems);

  const open = (role: SessionUser['role']) =>
    window.location.replace(from && isAllowed(access, { role, parks: null }) ? from : '/reporting');
  const credentials = <CredentialsForm onSignedIn={open} />;

  if (user) return <Redirect to="/reporting" replace />;
  return (
    <div className={styles.page}>
      <Paper className={styles.card}>
        <Stack gap="lg">
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
          {hasWaitingItems && <Suspense>{createElement(WaitingNotice)}</Suspense>}
          {getSharedDevice() ? (
            <Suspense>
              <SharedDeviceLogin onSignedIn={open}>{credentials}</SharedDeviceLogin>
            </Suspense>
          ) : (
            credentials
          )}
          <PrivacyNotice />
        </Stack>
      </Paper>
    </div>
  );
}

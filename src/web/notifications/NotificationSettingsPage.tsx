import { Button, Checkbox, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { useEffect, useState } from 'react';
import { isAllowed } from '#shared/access.ts';
import { api } from '#shared/api.ts';
import {
  channelLabels,
  isRequiredKind,
  listSettableKinds,
  type NotificationChannel,
  type NotificationKind,
  type NotificationSettings,
  notificationChannels,
  notificationKinds,
  quietHours,
} from '#shared/notifications.ts';
import { callApi, mutationFor, queryClient, queryFor } from '../client/api.ts';
import { findSubscription, rememberSubscriber } from '../client/pushSubscription.ts';
import { QueryState } from '../client/QueryState.tsx';
import { useUser } from '../client/session.ts';
import { getGuestUrl } from '../operator.ts';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { Toast } from '../ui/feedback/Toast.tsx';
import { useToast } from '../ui/feedback/useFeedback.ts';
import { BackButton } from '../ui/navigation/BackButton.tsx';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { ChangeEmailDialog } from './ChangeEmailDialog.tsx';
import styles from './notifications.module.css';
import { getPushProblem, subscribe } from './thisDevice.ts';

/** The kinds and channels of a user's notifications. Each change is saved at once. */
export function NotificationSettingsPage() {
  const settings = useQuery(queryFor(api.getNotificationSettings));
  const user = useUser();
  const toast = useToast();
  // One at a time, because each change sends all settings.
  const save = useMutation({
    ...mutationFor(api.saveNotificationSettings),
    scope: { id: api.saveNotificationSettings.path },
  });
  const test = useMutation(mutationFor(api.sendTestNotification));
  const kinds = listSettableKinds((access) => isAllowed(access, user)).filter(
    (kind) => kind !== 'guestMessage' || getGuestUrl(),
  );

  /** The settings being saved, so that a checkbox changes at once when it is tapped. */
  const [unsavedOff, setUnsavedOff] = useState<NotificationSettings['off']>();
  const switchedOff = unsavedOff ?? settings.data?.off ?? [];

  const set = (kind: NotificationKind, channel: NotificationChannel, isOn: boolean) => {
    const others = switchedOff.filter((row) => row.kind !== kind || row.channel !== channel);
    const changed = isOn ? others : [...others, { kind, channel }];
    const { queryKey } = queryFor(api.getNotificationSettings);
    setUnsavedOff(changed);
    save.mutate(
      { body: { off: changed } },
      {
        onSuccess: () => queryClient.setQueryData(queryKey, (saved) => saved && { ...saved, off: changed }),
        onError: () => void settingsChanged(),
        onSettled: () => setUnsavedOff(undefined),
      },
    );
  };

  return (
    <>
      <PageHeading title="Notification Settings" back={<BackButton to="/notifications">Notifications</BackButton>}>
        <Button
          variant="default"
          leftSection={<Send aria-hidden size={18} />}
          loading={test.isPending}
          onClick={() =>
            test.mutate(
              {},
              {
                onSuccess: ({ channels }) =>
                  toast.showSuccess(`Test sent: ${channels.map((channel) => channelNames[channel]).join(', ')}`),
                onError: (error) => toast.showError(error.message || 'The test could not be sent'),
              },
            )
          }
        >
          Send Me a Test Message
        </Button>
      </PageHeading>
      <QueryState query={settings} failed="Your settings could not be loaded." shape="fields" />
      <ErrorBox
        message={save.isError ? 'Your change could not be saved. Please try again.' : ''}
        reason={save.error?.message}
      />
      {settings.data && (
        <>
          <div className={styles.channelNote}>
            <OwnEmail settings={settings.data} onLinkSent={toast.showSuccess} />
            <ThisDevice settings={settings.data} />
            <Text c="dimmed" size="sm">
              Emails and messages wait from {quietHours.from} to {quietHours.to}, unless they are urgent. They name the
              kind of event, a number and a park, and never a person.
            </Text>
          </div>
          <table className={styles.kinds}>
            <thead>
              <tr>
                <th scope="col">Message</th>
                {notificationChannels.map((channel) => (
                  <th key={channel} scope="col">
                    {channelLabels[channel]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {kinds.map((kind) => (
                <tr key={kind}>
                  <th scope="row">
                    {notificationKinds[kind].label}
                    {isRequiredKind(kind) && (
                      <Text size="sm" c="dimmed">
                        This cannot be switched off.
                      </Text>
                    )}
                  </th>
                  {notificationChannels.map((channel) => (
                    <td key={channel}>
                      <Checkbox
                        aria-label={`${notificationKinds[kind].label}: ${channelLabels[channel]}`}
                        display="inline-block"
                        disabled={isRequiredKind(kind)}
                        checked={!switchedOff.some((row) => row.kind === kind && row.channel === channel)}
                        onChange={(event) => set(kind, channel, event.currentTarget.checked)}
                      />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
      <Toast feedback={toast} />
    </>
  );
}

const channelNames: Record<NotificationChannel, string> = {
  app: 'in the app',
  email: 'by email',
  push: 'to your devices',
};

const settingsChanged = () => queryClient.invalidateQueries({ queryKey: [api.getNotificationSettings.path] });

function describeEmail({ isEmailSetUp, email, canChangeEmail }: NotificationSettings): string {
  if (!isEmailSetUp) return 'This server does not send email.';
  const address = email
    ? `Emails go to ${email}.`
    : 'No email address is stored for you, so no emails are sent to you.';
  return canChangeEmail ? address : `${address} An Admin can change it.`;
}

function OwnEmail({ settings, onLinkSent }: { settings: NotificationSettings; onLinkSent: (text: string) => void }) {
  const [isChanging, setChanging] = useState(false);
  return (
    <div>
      <Text className={styles.address}>{describeEmail(settings)}</Text>
      {settings.canChangeEmail && (
        <Button variant="default" mt="xs" onClick={() => setChanging(true)}>
          {settings.email ? 'Change Email Address' : 'Add Email Address'}
        </Button>
      )}
      {isChanging && (
        <ChangeEmailDialog
          email={settings.email}
          onClose={() => setChanging(false)}
          onDone={(text) => {
            setChanging(false);
            onLinkSent(text);
          }}
        />
      )}
    </div>
  );
}

/** Switches messages to this browser on and off. */
function ThisDevice({ settings }: { settings: NotificationSettings }) {
  const [endpoint, setEndpoint] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const user = useUser();
  const problem = getPushProblem();
  const isOn = endpoint !== '' && settings.endpoints.includes(endpoint);

  useEffect(() => {
    void findSubscription().then((found) => setEndpoint(found?.endpoint ?? ''));
  }, []);

  const switchPush = async (on: boolean) => {
    setBusy(true);
    setError('');
    try {
      if (on) {
        const subscription = (await findSubscription()) ?? (await subscribe(settings.pushKey));
        const { endpoint = '', keys = {} } = subscription.toJSON();
        const { p256dh = '', auth = '' } = keys;
        await callApi(api.addPushSubscription, { body: { endpoint, keys: { p256dh, auth } } });
        rememberSubscriber(user.id);
        setEndpoint(endpoint);
      } else {
        await callApi(api.removePushSubscription, { body: { endpoint } });
        await (await findSubscription())?.unsubscribe();
      }
      await settingsChanged();
    } catch (caught) {
      setError((caught as Error).message || 'This could not be changed. Please try again.');
    }
    setBusy(false);
  };

  return (
    <Checkbox
      label="Show messages on this device"
      description={problem || 'Messages stop when you sign out on this device.'}
      error={error}
      checked={isOn}
      disabled={problem !== '' || isBusy}
      onChange={(event) => void switchPush(event.currentTarget.checked)}
    />
  );
}

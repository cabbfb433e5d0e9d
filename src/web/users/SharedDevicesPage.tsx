// The shared devices of the user's parks, and a dialog to share the device that the user has before them.
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Tablet } from 'lucide-react';
import { useState } from 'react';
import { isAllowed } from '#shared/access.ts';
import { api } from '#shared/api.ts';
import { textLimits } from '#shared/choices.ts';
import { formatInstant } from '#shared/dates.ts';
import { NewSharedDevice, type SharedDevice } from '#shared/sign-in/shared-devices.ts';
import { callApi, queryFor } from '../client/api.ts';
import { leaveDevice, useUser } from '../client/session.ts';
import { rememberSharedDevice } from '../client/sharedDevice.ts';
import { useSave } from '../client/useSave.ts';
import { formNames } from '../formNames.ts';
import { line } from '../forms/Fields.tsx';
import { RequestDialog } from '../forms/RequestDialog.tsx';
import { ConfirmDialog } from '../ui/dialogs/ConfirmDialog.tsx';
import { Toast } from '../ui/feedback/Toast.tsx';
import { useToast } from '../ui/feedback/useFeedback.ts';
import { listFormParks } from '../ui/forms/parkChoices.ts';
import { BackButton } from '../ui/navigation/BackButton.tsx';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { RecordList } from '../ui/navigation/RecordList.tsx';
import { RecordRow } from '../ui/navigation/RecordRow.tsx';
import rows from '../ui/theme/rows.module.css';

export function SharedDevicesPage() {
  const user = useUser();
  const devices = useQuery(queryFor(api.listSharedDevices));
  const [isSharing, setSharing] = useState(false);
  const [removing, setRemoving] = useState<SharedDevice>();
  const toast = useToast();
  const change = useSave('shared device', {
    send: ({ id, isRemoved }: { id: string; isRemoved: boolean }) =>
      callApi(isRemoved ? api.removeSharedDevice : api.allowSharedDevice, { params: { id } }),
    onSaved: (_, { isRemoved }) => toast.showSuccess(isRemoved ? 'The device was removed' : 'The device is allowed'),
    onFailed: ({ message }) => toast.showError(message || 'The device could not be changed. Please try again.'),
  });
  return (
    <>
      <PageHeading
        title="Shared Devices"
        text="Staff of a park sign in on them with their name and a PIN. The device sends what they submit, no matter who is signed in."
        back={<BackButton to="/admin?tab=users">Back to User Management</BackButton>}
      >
        <Button leftSection={<Tablet aria-hidden size={18} />} onClick={() => setSharing(true)}>
          Use This Device at One Park
        </Button>
      </PageHeading>
      <RecordList
        query={devices}
        failed="The devices could not be loaded."
        isNotStored
        empty={{
          icon: Tablet,
          text: 'No device is shared.',
          hint: 'Open this page on the device and choose Use This Device at One Park.',
        }}
        row={(device) => (
          <RecordRow
            title={`${device.name}, ${device.park}`}
            details={[
              device.isAllowed
                ? `Last used ${formatInstant(device.lastUsedAt)}`
                : 'Switched off, because a backup was restored. An Admin can allow it again.',
            ]}
          >
            <div className={rows.actions}>
              {!device.isAllowed && isAllowed('admin', user) && (
                <Button
                  aria-label={`Allow ${device.name}`}
                  disabled={change.isSaving}
                  onClick={() => change.save({ id: device.id, isRemoved: false })}
                >
                  Allow
                </Button>
              )}
              <Button
                variant="default"
                aria-label={`Remove ${device.name}`}
                disabled={change.isSaving}
                onClick={() => setRemoving(device)}
              >
                Remove
              </Button>
            </div>
          </RecordRow>
        )}
      />
      {isSharing && <ShareDialog onClose={() => setSharing(false)} />}
      <ConfirmDialog
        isOpen={removing !== undefined}
        title="Remove this device?"
        confirm="Remove"
        isDangerous
        onConfirm={() => {
          if (removing) change.save({ id: removing.id, isRemoved: true });
          setRemoving(undefined);
        }}
        onCancel={() => setRemoving(undefined)}
      >
        No one will be able to sign in with a PIN on {removing?.name}. Items waiting there are sent when their user
        signs in with a password.
      </ConfirmDialog>
      <Toast feedback={toast} />
    </>
  );
}

function ShareDialog({ onClose }: { onClose: () => void }) {
  const user = useUser();
  return (
    <RequestDialog
      name={formNames.sharedDevice()}
      title="Use This Device at One Park"
      text="You will be signed out. Staff of the park can then sign in here with their name and a PIN. Set a screen lock on the device, and keep it at the park."
      start={{ park: user.parks?.[0] ?? '', name: '' }}
      fields={{
        park: { kind: 'choice', label: 'Park', data: ['', ...listFormParks(user)] },
        name: line('Name of the device', textLimits.name, {
          description: 'Such as Lifeguard hut',
          required: true,
          withAsterisk: false,
          'data-autofocus': true,
        }),
      }}
      schema={NewSharedDevice}
      send={(body) => callApi(api.createSharedDevice, { body })}
      submit="Share This Device"
      failed={({ message }) => message || 'This device could not be shared. Please try again.'}
      onSaved={(_, device) => {
        // The device's next user must not find any data of this one. The login screen fetches the real settings.
        rememberSharedDevice({ ...device, idleMinutes: 5 });
        void leaveDevice();
      }}
      onClose={onClose}
    />
  );
}

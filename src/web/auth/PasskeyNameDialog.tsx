import { Text, TextInput } from '@mantine/core';
import { api } from '#shared/api.ts';
import { textLimits } from '#shared/choices.ts';
import type { Passkey } from '#shared/sign-in/second-factors.ts';
import { callApi } from '../client/api.ts';
import { formNames } from '../formNames.ts';
import { FormDialog } from '../forms/FormDialog.tsx';
import { useForm } from '../forms/useForm.ts';
import { loadPasskeys } from './loadPasskeys.ts';

type PasskeyNameProps = {
  /** The passkey to rename; undefined creates a new one. */
  passkey: Passkey | undefined;
  /** The suggested name of a new one. */
  device: string;
  onClose: () => void;
  onSaved: (recoveryCodes: string[] | undefined) => void;
};

/** Names a passkey, new or not. */
export function PasskeyNameDialog({ passkey, device, onClose, onSaved }: PasskeyNameProps) {
  const form = useForm(passkey ? formNames.passkey(passkey.id) : formNames.newPasskey(), {
    start: { name: passkey?.name ?? device },
    check: ({ name }) => (name.trim() ? {} : { name: 'Enter a name' }),
    async send({ name }: { name: string }): Promise<{ recoveryCodes?: string[] | undefined }> {
      if (!passkey) return (await loadPasskeys()).addPasskey(name);
      await callApi(api.renamePasskey, { params: { id: passkey.id }, body: { name } });
      return {};
    },
    isOpenedByUser: true,
    onSaved: ({ recoveryCodes }) => onSaved(recoveryCodes),
  });
  return (
    <FormDialog
      form={form}
      title={passkey ? 'Rename Passkey' : 'Add a Passkey'}
      submit={passkey ? 'Save' : 'Continue'}
      failed={({ message }) => message || 'This could not be saved. Please try again.'}
      onClose={onClose}
    >
      {!passkey && (
        <Text>
          Your browser asks where to keep the passkey: on this device, on a phone, or on a security key. Use a device
          that only you can unlock.
        </Text>
      )}
      <TextInput
        {...form.field('name')}
        label="Name"
        description="So that you recognise it in the list"
        maxLength={textLimits.name}
        required
        withAsterisk={false}
        data-autofocus
      />
    </FormDialog>
  );
}

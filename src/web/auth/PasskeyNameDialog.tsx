import { api } from '#shared/api.ts';
import { textLimits } from '#shared/choices.ts';
import type { Passkey } from '#shared/sign-in/second-factors.ts';
import { callApi } from '../client/api.ts';
import { formNames } from '../formNames.ts';
import { line } from '../forms/Fields.tsx';
import { RequestDialog } from '../forms/RequestDialog.tsx';
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
export const PasskeyNameDialog = ({ passkey, device, onClose, onSaved }: PasskeyNameProps) => (
  <RequestDialog
    name={passkey ? formNames.passkey(passkey.id) : formNames.newPasskey()}
    title={passkey ? 'Rename Passkey' : 'Add a Passkey'}
    text={
      !passkey &&
      'Your browser asks where to keep the passkey: on this device, on a phone, or on a security key. Use a device that only you can unlock.'
    }
    start={{ name: passkey?.name ?? device }}
    fields={{
      name: line('Name', textLimits.name, {
        description: 'So that you recognise it in the list',
        required: true,
        withAsterisk: false,
        'data-autofocus': true,
      }),
    }}
    check={({ name }) => (name.trim() ? {} : { name: 'Enter a name' })}
    send={async ({ name }): Promise<{ recoveryCodes?: string[] | undefined }> => {
      if (!passkey) return (await loadPasskeys()).addPasskey(name);
      await callApi(api.renamePasskey, { params: { id: passkey.id }, body: { name } });
      return {};
    }}
    submit={passkey ? 'Save' : 'Continue'}
    failed={({ message }) => message || 'This could not be saved. Please try again.'}
    onSaved={({ recoveryCodes }) => onSaved(recoveryCodes)}
    onClose={onClose}
  />
);

import { Text } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { Copy, ExternalLink } from 'lucide-react';
import { api } from '#shared/api.ts';
import { textLimits } from '#shared/choices.ts';
import type { AppKey, Passkey } from '#shared/sign-in/second-factors.ts';
import { callApi } from '../client/api.ts';
import { describeRejection } from '../client/errors.ts';
import { formNames } from '../formNames.ts';
import { line } from '../forms/Fields.tsx';
import { RequestDialog } from '../forms/RequestDialog.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { IconButton } from '../ui/forms/IconButton.tsx';
import { loadPasskeys } from './loadPasskeys.ts';
import { codeMissing } from './SecondStepForm.tsx';
import styles from './secondFactors.module.css';

type RecoveryCodesProps = { codes: string[]; isFirst: boolean; onClose: () => void; onDone: (usedUp: string) => void };

/** Hyphens, spaces and capitals do not matter. */
const toPlain = (code: string) => code.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Shows recovery codes once. They become active when the user has entered one of them. */
export function RecoveryCodesDialog({ codes, isFirst, onClose, onDone }: RecoveryCodesProps) {
  const clipboard = useClipboard();
  return (
    <RequestDialog
      name={formNames.recoveryCode()}
      title="Your Recovery Codes"
      text={
        <>
          <Text>
            If you lose your phone, you can sign in with one of these codes instead. Each works once. Write them down
            and keep them away from your phone. The number before the first dash is part of the code. You will not see
            them again.
          </Text>
          <ol className={styles.recoveryCodes}>
            {codes.map((code) => (
              <li key={code}>{code}</li>
            ))}
          </ol>
          {/* Only pages with HTTPS may copy. */}
          {'clipboard' in navigator && (
            <IconButton icon={Copy} onClick={() => clipboard.copy(codes.join('\n'))}>
              {clipboard.copied ? 'Copied' : 'Copy All'}
            </IconButton>
          )}
          {clipboard.error && <ErrorBox message="The codes could not be copied. Please write them down." />}
        </>
      }
      start={{}}
      secrets={{ code: '' }}
      fields={{
        code: line('Type one of the codes to show that you have them', 40, {
          description: `It is used up then. ${isFirst ? 'Two-factor sign-in is not on' : 'Your earlier recovery codes work'} until then.`,
          autoComplete: 'off',
          autoCapitalize: 'none',
          autoCorrect: 'off',
          spellCheck: false,
          required: true,
          withAsterisk: false,
        }),
      }}
      check={({ code }) => (code.trim() ? {} : { code: 'Type one of the codes above' })}
      send={async (_, __, { code }) => {
        await callApi(api.confirmRecoveryCodes, { body: { code } });
        return codes.findIndex((one) => toPlain(one) === toPlain(code)) + 1;
      }}
      submit="Finish"
      failed={({ message }) => message || 'The code could not be checked. Please try again.'}
      onSaved={(number) => onDone(`Recovery code ${number} is used up: cross it out.`)}
      onClose={onClose}
    />
  );
}

type SetUpAppProps = { appKey: AppKey; onClose: () => void; onChecked: (recoveryCodes: string[] | undefined) => void };

/** Shows the key for an app, and checks a code from it. */
export const SetUpAppDialog = ({ appKey, onClose, onChecked }: SetUpAppProps) => (
  <RequestDialog
    name={formNames.appCode()}
    title="Set Up Codes from an App"
    text={
      <>
        <Text>
          Scan this with an authenticator app, such as Google Authenticator, Microsoft Authenticator or the Passwords
          app on an iPhone. If the app is on this device, open it from here.
        </Text>
        <div className={styles.qrCodeOrApp}>
          <img src={appKey.qrCode} alt="QR code of the key below" width="200" height="200" className={styles.qrCode} />
          <IconButton icon={ExternalLink} component="a" href={appKey.link}>
            Open in an App
          </IconButton>
        </div>
        <div>
          <Text size="sm">Or type this key into the app:</Text>
          <code className={styles.key}>{appKey.key.match(/.{4}/g)?.join(' ')}</code>
        </div>
      </>
    }
    start={{}}
    secrets={{ code: '' }}
    fields={{
      code: line('Code that the app shows', 40, {
        inputMode: 'numeric',
        autoComplete: 'one-time-code',
        required: true,
        withAsterisk: false,
      }),
    }}
    check={({ code }) => (code.trim() ? {} : { code: codeMissing })}
    send={(_, __, { code }) => callApi(api.checkAppSetUp, { body: { code } })}
    submit="Next"
    failed={(error) => describeRejection(error, 'The code could not be checked. Please try again.')}
    onSaved={({ recoveryCodes }) => onChecked(recoveryCodes)}
    onClose={onClose}
  />
);

type PasskeyNameProps = {
  /** The passkey to rename; undefined creates a new one. */
  passkey: Passkey | undefined;
  /** The suggested name of a new one. */
  device: string;
  onClose: () => void;
  onSaved: (recoveryCodes: string[] | undefined) => void;
};

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

import { Button, Text, TextInput } from '@mantine/core';
import { ExternalLink } from 'lucide-react';
import { api } from '#shared/api.ts';
import type { AppKey } from '#shared/sign-in/second-factors.ts';
import { callApi } from '../client/api.ts';
import { describeRejection } from '../client/errors.ts';
import { formNames } from '../formNames.ts';
import { FormDialog } from '../forms/FormDialog.tsx';
import { useForm } from '../forms/useForm.ts';
import { codeMissing } from './SecondStepForm.tsx';
import styles from './secondFactors.module.css';

type SetUpAppProps = { appKey: AppKey; onClose: () => void; onChecked: (recoveryCodes: string[] | undefined) => void };

/** Shows the key for an app, and checks a code from it. */
export function SetUpAppDialog({ appKey, onClose, onChecked }: SetUpAppProps) {
  const form = useForm(formNames.appCode(), {
    start: {},
    secrets: { code: '' },
    check: ({ code }) => (code.trim() ? {} : { code: codeMissing }),
    send: (_, __, { code }) => callApi(api.checkAppSetUp, { body: { code } }),
    isOpenedByUser: true,
    onSaved: ({ recoveryCodes }) => onChecked(recoveryCodes),
  });
  return (
    <FormDialog
      form={form}
      title="Set Up Codes from an App"
      submit="Next"
      failed={(error) => describeRejection(error, 'The code could not be checked. Please try again.')}
      onClose={onClose}
    >
      <Text>
        Scan this with an authenticator app, such as Google Authenticator, Microsoft Authenticator or the Passwords app
        on an iPhone. If the app is on this device, open it from here.
      </Text>
      <div className={styles.qrCodeOrApp}>
        <img src={appKey.qrCode} alt="QR code of the key below" width="200" height="200" className={styles.qrCode} />
        <Button component="a" href={appKey.link} variant="default" leftSection={<ExternalLink aria-hidden size={18} />}>
          Open in an App
        </Button>
      </div>
      <div>
        <Text size="sm">Or type this key into the app:</Text>
        <code className={styles.key}>{appKey.key.match(/.{4}/g)?.join(' ')}</code>
      </div>
      <TextInput
        {...form.secret('code')}
        label="Code that the app shows"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={40}
        required
        withAsterisk={false}
      />
    </FormDialog>
  );
}

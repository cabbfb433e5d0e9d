import { Button, Text, TextInput } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { Copy } from 'lucide-react';
import { api } from '#shared/api.ts';
import { callApi } from '../client/api.ts';
import { formNames } from '../formNames.ts';
import { FormDialog } from '../forms/FormDialog.tsx';
import { useForm } from '../forms/useForm.ts';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import styles from './secondFactors.module.css';

type RecoveryCodesProps = { codes: string[]; isFirst: boolean; onClose: () => void; onDone: (usedUp: string) => void };

/** Hyphens, spaces and capitals do not matter. */
const toPlain = (code: string) => code.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Shows recovery codes once. They become active when the user has entered one of them. */
export function RecoveryCodesDialog({ codes, isFirst, onClose, onDone }: RecoveryCodesProps) {
  const clipboard = useClipboard();
  const form = useForm(formNames.recoveryCode(), {
    start: {},
    secrets: { code: '' },
    check: ({ code }) => (code.trim() ? {} : { code: 'Type one of the codes above' }),
    async send(_, __, { code }) {
      await callApi(api.confirmRecoveryCodes, { body: { code } });
      return codes.findIndex((one) => toPlain(one) === toPlain(code)) + 1;
    },
    isOpenedByUser: true,
    onSaved: (number) => onDone(`Recovery code ${number} is used up: cross it out.`),
  });
  return (
    <FormDialog
      form={form}
      title="Your Recovery Codes"
      submit="Finish"
      failed={({ message }) => message || 'The code could not be checked. Please try again.'}
      onClose={onClose}
    >
      <Text>
        If you lose your phone, you can sign in with one of these codes instead. Each works once. Write them down and
        keep them away from your phone. The number before the first dash is part of the code. You will not see them
        again.
      </Text>
      <ol className={styles.recoveryCodes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      {/* Only pages with HTTPS may copy. */}
      {'clipboard' in navigator && (
        <Button
          variant="default"
          leftSection={<Copy aria-hidden size={18} />}
          onClick={() => clipboard.copy(codes.join('\n'))}
        >
          {clipboard.copied ? 'Copied' : 'Copy All'}
        </Button>
      )}
      {clipboard.error && <ErrorBox message="The codes could not be copied. Please write them down." />}
      <TextInput
        {...form.secret('code')}
        label="Type one of the codes to show that you have them"
        description={`It is used up then. ${isFirst ? 'Two-factor sign-in is not on' : 'Your earlier recovery codes work'} until then.`}
        maxLength={40}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        required
        withAsterisk={false}
      />
    </FormDialog>
  );
}

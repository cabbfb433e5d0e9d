import { Button, Stack, Text } from '@mantine/core';
import { Printer } from 'lucide-react';
import { useState } from 'react';
import { nameParks } from '#shared/access.ts';
import { type CreatedUser, type CreatedUsers, nameRole } from '#shared/users.ts';
import { ConfirmDialog } from '../ui/dialogs/ConfirmDialog.tsx';
import { Dialog } from '../ui/dialogs/Dialog.tsx';
import { useAskBeforeLeaving } from '../ui/forms/useAskBeforeLeaving.ts';
import styles from './OneTimePasswordsDialog.module.css';

/**
 * One-time passwords of new users: a card for each, to print and cut out. Shown once: only Done closes it, and asks
 * first unless they were printed.
 */
export function OneTimePasswordsDialog({ created, onDone }: { created: CreatedUsers; onDone: () => void }) {
  const { users, ...site } = created;
  const [isPrinted, setPrinted] = useState(false);
  const [isAsking, setAsking] = useState(false);
  useAskBeforeLeaving(true);
  const print = () => {
    setPrinted(true);
    window.print();
  };
  return (
    <>
      <Dialog
        opened
        onClose={onDone}
        title={users.length === 1 ? 'One user created' : `${users.length} users created`}
        size="xl"
        withCloseButton={false}
        closeOnEscape={false}
        closeOnClickOutside={false}
        classNames={{ layer: styles.layer, dialog: styles.dialog }}
      >
        <Stack>
          <Text className={styles.screenOnly}>
            You will not see these passwords again. Print them now, or choose &quot;Save as PDF&quot; where the browser
            asks for the printer. Each works once: the user chooses a new one at first sign-in.
          </Text>
          <div className={styles.actions}>
            <Button leftSection={<Printer aria-hidden size={18} />} onClick={print} data-autofocus>
              Print or Save as PDF
            </Button>
            <Button variant="default" onClick={() => (isPrinted ? onDone() : setAsking(true))}>
              Done
            </Button>
          </div>
          <ul className={styles.cards} aria-label="One-time passwords">
            {users.map((person) => (
              <PasswordCard key={person.username} person={person} {...site} />
            ))}
          </ul>
        </Stack>
      </Dialog>
      <ConfirmDialog
        isOpen={isAsking}
        title="Close without printing?"
        confirm="Close Without Printing"
        isDangerous
        onConfirm={onDone}
        onCancel={() => setAsking(false)}
      >
        You will not see these passwords again. Without them, set a new password for each user.
      </ConfirmDialog>
    </>
  );
}

function PasswordCard({ person, address, qrCode }: { person: CreatedUser } & Omit<CreatedUsers, 'users'>) {
  const { username, full_name, password, role, parks } = person;
  return (
    <li className={styles.card}>
      <div className="strong">{full_name || username}</div>
      <div className={styles.about}>
        {role !== 'None' && `${nameRole(role)}, `}
        {nameParks(parks)}
      </div>
      <dl className={styles.values}>
        <dt>Address</dt>
        <dd>{address}</dd>
        <dt>Username</dt>
        <dd>{username}</dd>
        <dt>One-time password</dt>
        <dd className={styles.password}>{password}</dd>
      </dl>
      <img src={qrCode} alt="QR code of the address" width="88" height="88" className={styles.qrCode} />
      <div className={styles.hint}>Scan the code or open the address, sign in, then choose your own password.</div>
    </li>
  );
}

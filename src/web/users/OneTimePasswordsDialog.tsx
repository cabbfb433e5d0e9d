import { Button, Stack, Text } from '@mantine/core';
import { Printer } from 'lucide-react';
import { nameParks } from '#shared/access.ts';
import type { CreatedUser } from '#shared/users.ts';
import { Dialog } from '../ui/dialogs/Dialog.tsx';
import { useAskBeforeLeaving } from '../ui/forms/useAskBeforeLeaving.ts';
import styles from './OneTimePasswordsDialog.module.css';

/** One-time passwords of new users, to print. Shown once: only Done closes it. */
export function OneTimePasswordsDialog({ people, onDone }: { people: CreatedUser[]; onDone: () => void }) {
  useAskBeforeLeaving(true);
  return (
    <Dialog
      opened
      onClose={onDone}
      title={people.length === 1 ? 'One user created' : `${people.length} users created`}
      size="xl"
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      classNames={{ layer: styles.layer, dialog: styles.dialog }}
    >
      <Stack>
        <Text>
          You will not see these passwords again. Print them now. Each works once: the user chooses a new one at first
          sign-in.
        </Text>
        <div className={styles.actions}>
          <Button leftSection={<Printer aria-hidden size={18} />} onClick={() => window.print()} data-autofocus>
            Print
          </Button>
          <Button variant="default" onClick={onDone}>
            Done
          </Button>
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways on a phone, by keyboard too */}
        <section className={styles.scroll} aria-label="One-time passwords" tabIndex={0}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">Username</th>
                <th scope="col">One-time password</th>
                <th scope="col">Role</th>
                <th scope="col">Park</th>
              </tr>
            </thead>
            <tbody>
              {people.map((person) => (
                <tr key={person.username}>
                  <th scope="row">{person.username}</th>
                  <td className={styles.password}>{person.password}</td>
                  <td>{person.role}</td>
                  <td>{nameParks(person.parks)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </Stack>
    </Dialog>
  );
}

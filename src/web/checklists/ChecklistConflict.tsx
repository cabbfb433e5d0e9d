import { Button, Group, Stack, Text } from '@mantine/core';
import type { Checklist } from '#shared/checklists.ts';
import { Dialog } from '../ui/dialogs/Dialog.tsx';
import styles from './ChecklistConflict.module.css';

type ChecklistConflictProps = {
  /** Someone else's version. Without it, the dialog is closed. */
  theirs: Checklist | undefined;
  isBusy: boolean;
  /** Returns to editing without saving. */
  onClose: () => void;
  onKeepMine: (theirs: Checklist) => void;
  onKeepTheirs: (theirs: Checklist) => void;
  onCopy: () => void;
};

export function ChecklistConflict({
  theirs,
  isBusy,
  onClose,
  onKeepMine,
  onKeepTheirs,
  onCopy,
}: ChecklistConflictProps) {
  return (
    <Dialog opened={theirs !== undefined} onClose={onClose} title="Someone else has changed this checklist" size="lg">
      {theirs && (
        <Stack>
          <Text>Your changes are not lost. Choose which version to keep. This is what they saved:</Text>
          <section className={styles.theirs} aria-label="What they saved">
            <Text fw={600}>{theirs.title}</Text>
            <ol>
              {theirs.sections.map(({ title, required }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: sections have no other name, and nothing moves here
                <li key={index}>
                  {title}
                  {required && ' *'}
                </li>
              ))}
            </ol>
          </section>
          <Group justify="flex-end">
            <Button variant="default" onClick={onCopy} disabled={isBusy}>
              Save Mine as a Copy
            </Button>
            <Button variant="default" onClick={() => onKeepTheirs(theirs)} disabled={isBusy} data-autofocus>
              Keep Theirs
            </Button>
            <Button onClick={() => onKeepMine(theirs)} loading={isBusy}>
              Keep Mine
            </Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  );
}

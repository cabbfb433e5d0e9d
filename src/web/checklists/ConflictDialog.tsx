import { Button, Modal, Stack, Text } from '@mantine/core';
import type { Checklist } from '../../shared/checklists.ts';
import styles from './ConflictDialog.module.css';

type ConflictDialogProps = {
  /** What somebody else saved meanwhile; without it the dialog is closed. */
  theirs: Checklist | undefined;
  isBusy: boolean;
  /** Back to editing, with nothing saved and nothing lost. */
  onClose: () => void;
  onKeepMine: (theirs: Checklist) => void;
  onKeepTheirs: (theirs: Checklist) => void;
  onCopy: () => void;
};

export function ConflictDialog({ theirs, isBusy, onClose, onKeepMine, onKeepTheirs, onCopy }: ConflictDialogProps) {
  return (
    <Modal opened={theirs !== undefined} onClose={onClose} title="Somebody else changed this checklist">
      {theirs && (
        <Stack>
          <Text>
            It was saved by somebody else since you opened it. What you have typed is still here. This is what they
            saved:
          </Text>
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
          <Button onClick={() => onKeepMine(theirs)} loading={isBusy}>
            Keep mine
          </Button>
          <Button variant="default" onClick={() => onKeepTheirs(theirs)} disabled={isBusy}>
            Keep theirs
          </Button>
          <Button variant="default" onClick={onCopy} disabled={isBusy}>
            Save mine as a copy
          </Button>
        </Stack>
      )}
    </Modal>
  );
}

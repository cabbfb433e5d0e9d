// Two users changed the same record: the second chooses a version and loses no input.
import { Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import styles from './ConflictDialog.module.css';
import { Dialog } from './Dialog.tsx';

export type Difference = {
  label: string;
  /** The text, or with `isImage` the URL of an image; '' for none. */
  mine: string;
  theirs: string;
  isImage?: boolean;
};

type ConflictDialogProps = {
  title: string;
  text: string;
  differences: Difference[];
  isBusy?: boolean;
  /** Missing if the current record can no longer be changed. */
  onKeepMine?: (() => void) | undefined;
  onKeepTheirs: () => void;
  /** Another way out. */
  extraButton?: ReactNode;
  /** Back to the form with all input. */
  onClose: () => void;
};

export function ConflictDialog({ title, text, differences, isBusy = false, ...on }: ConflictDialogProps) {
  const mine = useRef<HTMLTextAreaElement>(null);
  const texts = differences.filter(({ isImage }) => !isImage);
  const typedText = texts.map(({ label, mine }) => `${label}: ${mine}`).join('\n');

  // The Clipboard API needs HTTPS; this works everywhere.
  const copy = () => {
    mine.current?.select();
    document.execCommand('copy');
  };

  return (
    <Dialog opened onClose={on.onClose} title={title} size="lg">
      <Stack>
        <Text>{text}</Text>
        {differences.length > 0 && (
          <dl className="stack loose">
            {differences.map(({ label, mine, theirs, isImage }) => (
              <div key={label} className={styles.difference}>
                <dt>{label}</dt>
                <dd>
                  <span className={styles.owner}>Yours</span>
                  {show(mine, isImage)}
                </dd>
                <dd>
                  <span className={styles.owner}>Theirs</span>
                  {show(theirs, isImage)}
                </dd>
              </div>
            ))}
          </dl>
        )}
        {texts.length > 0 && (
          <textarea ref={mine} className="typed" aria-label="What you typed" readOnly value={typedText} rows={3} />
        )}
        <Group justify="flex-end">
          {texts.length > 0 && (
            <Button variant="default" onClick={copy}>
              Copy My Changes
            </Button>
          )}
          {on.extraButton}
          <Button variant="default" onClick={on.onKeepTheirs} data-autofocus>
            Keep Theirs
          </Button>
          {on.onKeepMine && (
            <Button loading={isBusy} onClick={on.onKeepMine}>
              Keep Mine
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}

const show = (value: string, isImage = false) =>
  isImage && value ? <img src={value} alt="" className={styles.image} /> : value || (isImage ? '(none)' : '(empty)');

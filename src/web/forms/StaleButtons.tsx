import { Button } from '@mantine/core';

type StaleButtonsProps = {
  /** What the user entered, in words. */
  what: 'Answers' | 'Choices' | 'Decision' | 'Text';
  isBusy: boolean;
  onKeepMine: () => void;
  onUseSaved: () => void;
};

/** The choice after someone else changed the record that unsaved input is based on. */
export const StaleButtons = ({ what, isBusy, onKeepMine, onUseSaved }: StaleButtonsProps) => (
  <>
    <Button variant="default" disabled={isBusy} onClick={onKeepMine}>
      Save My {what} Anyway
    </Button>
    <Button variant="default" disabled={isBusy} onClick={onUseSaved}>
      Use the Saved {what}
    </Button>
  </>
);

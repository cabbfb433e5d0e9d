import { Button } from '@mantine/core';
import { AppWindow } from 'lucide-react';
import { EmptyState } from './EmptyState.tsx';

/** Stands in the place of a form whose input another tab has. */
export const OpenInAnotherTab = ({ onTakeOver }: { onTakeOver: () => void }) => (
  <div role="status">
    <EmptyState
      icon={AppWindow}
      text="This form is open in another tab."
      hint="Everything you typed will move to this tab."
    >
      <Button onClick={onTakeOver}>Continue in this tab</Button>
    </EmptyState>
  </div>
);

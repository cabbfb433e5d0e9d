import { Button } from '@mantine/core';
import { AppWindow } from 'lucide-react';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';

/** Shown if another tab has the form, because two tabs would overwrite each other's draft. */
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

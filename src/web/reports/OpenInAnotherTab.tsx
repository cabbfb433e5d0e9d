import { Button } from '@mantine/core';
import { AppWindow } from 'lucide-react';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';

/** In place of a form that another tab has: two at once would write over each other's draft. */
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

import { Button } from '@mantine/core';
import { AppWindow } from 'lucide-react';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';

/** In place of a form that another tab has: two at once would write over each other's draft. */
export const OpenInAnotherTab = ({ onTakeOver }: { onTakeOver: () => void }) => (
  <div role="status">
    <EmptyState
      icon={AppWindow}
      text="This form is open in another tab."
      hint="Use it here, and what you have typed there comes with it."
    >
      <Button onClick={onTakeOver}>Use it here</Button>
    </EmptyState>
  </div>
);

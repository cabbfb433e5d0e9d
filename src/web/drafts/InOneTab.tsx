import { Button } from '@mantine/core';
import { AppWindow } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { Loading } from '../ui/loading/Loading.tsx';
import { useTabLock } from './useTabLock.ts';

type InOneTabProps = {
  /** The name of the form and of its user, whose draft it is. */
  name: string;
  children: ReactNode;
};

/** Shows a form in one tab at a time: two tabs would overwrite each other's draft, and submit it twice. */
export function InOneTab({ name, children }: InOneTabProps) {
  const { isHeld, takeOver } = useTabLock(name);
  if (isHeld === undefined) return <Loading shape="fields" />;
  return isHeld ? children : <OpenInAnotherTab onTakeOver={takeOver} />;
}

const OpenInAnotherTab = ({ onTakeOver }: { onTakeOver: () => void }) => (
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

import type { ReactNode } from 'react';
import { OpenInAnotherTab } from '../ui/feedback/OpenInAnotherTab.tsx';
import { Loading } from '../ui/loading/Loading.tsx';
import { useTabLock } from './tabLock.ts';

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

import { type ReactNode, useDeferredValue } from 'react';

/** What lies below the first screenful, drawn right after what stands above it: a slow phone shows the top of a long page first. */
export function DeferredContent({ children }: { children: ReactNode }) {
  return useDeferredValue(true, false) && children;
}

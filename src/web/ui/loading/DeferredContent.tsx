import { type ReactNode, useDeferredValue } from 'react';

/**
 * Content below the first screen, drawn after the content above, so that slow phones show the top
 * first.
 */
export function DeferredContent({ children }: { children: ReactNode }) {
  return useDeferredValue(true, false) && children;
}

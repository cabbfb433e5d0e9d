import { type ReactNode, useDeferredValue } from 'react';

/**
 * The lower part of a page, drawn after what is above it, so that slow phones show the top first.
 */
export const DeferredContent = ({ children }: { children: ReactNode }) => useDeferredValue(true, false) && children;

import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';

/** Puts messages beside the page, because what is in the page is inert and silent while a dialog is open. */
export const OutsideRoot = ({ children }: { children: ReactNode }) => createPortal(children, document.body);

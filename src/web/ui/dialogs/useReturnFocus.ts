import { useEffect, useState } from 'react';

/**
 * Returns the focus on unmount. A modal only does so when it closes; this is for overlays unmounted
 * while open.
 */
export function useReturnFocus() {
  const [opener] = useState(() => document.activeElement as HTMLElement | null);
  useEffect(() => () => opener?.focus({ preventScroll: true }), [opener]);
}

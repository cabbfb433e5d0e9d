import { useEffect, useState } from 'react';

/**
 * Returns the focus on unmount: for overlays that are unmounted while they are open. Modals return it
 * only when they close.
 */
export function useReturnFocus() {
  const [opener] = useState(() => document.activeElement as HTMLElement | null);
  useEffect(() => () => opener?.focus({ preventScroll: true }), [opener]);
}

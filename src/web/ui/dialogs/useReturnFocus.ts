import { useEffect, useState } from 'react';

/** Gives the focus back to where it was. A modal does so only when it closes; this is for one that goes away while it is open. */
export function useReturnFocus() {
  const [opener] = useState(() => document.activeElement as HTMLElement | null);
  useEffect(() => () => opener?.focus({ preventScroll: true }), [opener]);
}

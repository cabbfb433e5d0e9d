// Back closes an overlay instead of leaving the page.
import { useEffect, useEffectEvent } from 'react';

declare global {
  interface Window {
    CloseWatcher?: new () => { onclose: (() => void) | null; destroy(): void };
  }
}

/** Whether the browser reports Android's Back gesture, and Escape with it. */
export const supportsCloseWatcher = window.CloseWatcher !== undefined;

type Overlay = { close(): void; isInUrl: boolean };

/** Open overlays, topmost last. */
const overlays: Overlay[] = [];

// Browsers do not let a page cancel Back twice in a row, or when leaving the app.
window.navigation?.addEventListener('navigate', (event) => {
  const top = overlays.at(-1);
  if (!top || top.isInUrl || event.navigationType !== 'traverse' || !event.userInitiated || !event.cancelable) return;
  event.preventDefault();
  top.close();
});

let watcher: InstanceType<NonNullable<typeof window.CloseWatcher>> | undefined;

/**
 * One watcher serves all overlays: with one for each, Escape would also close the overlay below if
 * both were opened without a click or a key in between. Each watcher fires once.
 */
function watch() {
  watcher = window.CloseWatcher && new window.CloseWatcher();
  if (!watcher) return;
  watcher.onclose = () => {
    watch();
    overlays.at(-1)?.close();
  };
}

/**
 * While `isOpen`, Back calls `onClose` where the browser allows it; so does Escape with
 * `supportsCloseWatcher`. With `isInUrl` the browser's Back button closes it anyway.
 */
export function useCloseOnBack(isOpen: boolean, onClose: () => void, { isInUrl = false } = {}) {
  const close = useEffectEvent(onClose);

  useEffect(() => {
    if (!isOpen) return;
    const overlay = { close: () => close(), isInUrl };
    overlays.push(overlay);
    if (overlays.length === 1) watch();
    return () => {
      overlays.splice(overlays.indexOf(overlay), 1);
      if (overlays.length === 0) watcher?.destroy();
    };
  }, [isOpen, isInUrl]);
}

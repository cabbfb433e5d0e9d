// Back closes an overlay instead of leaving the page.
import { useEffect, useEffectEvent } from 'react';

declare global {
  interface Window {
    CloseWatcher?: new () => { onclose: (() => void) | null; destroy(): void };
  }
}

/** Whether the browser reports Android's Back gesture, and Escape with it. */
export const supportsCloseWatcher = window.CloseWatcher !== undefined;

/** The close functions of open overlays, topmost last. */
const closers: (() => void)[] = [];

// Browsers do not let a page cancel Back twice in a row, or when leaving the app.
window.navigation?.addEventListener('navigate', (event) => {
  const close = closers.at(-1);
  if (!close || event.navigationType !== 'traverse' || !event.userInitiated || !event.cancelable) return;
  event.preventDefault();
  close();
});

/**
 * While `isOpen`, Back calls `onClose` where the browser allows it; so does Escape with
 * `supportsCloseWatcher`. With `isInUrl` the browser's Back button closes it anyway.
 */
export function useCloseOnBack(isOpen: boolean, onClose: () => void, { isInUrl = false } = {}) {
  const close = useEffectEvent(onClose);

  useEffect(() => {
    if (!isOpen) return;
    const closer = () => close();
    if (!isInUrl) closers.push(closer);
    let watcher: InstanceType<NonNullable<typeof window.CloseWatcher>> | undefined;
    // Each watcher fires once.
    const watch = () => {
      watcher = window.CloseWatcher && new window.CloseWatcher();
      if (!watcher) return;
      watcher.onclose = () => {
        watch();
        close();
      };
    };
    watch();
    return () => {
      watcher?.destroy();
      if (!isInUrl) closers.splice(closers.indexOf(closer), 1);
    };
  }, [isOpen, isInUrl]);
}

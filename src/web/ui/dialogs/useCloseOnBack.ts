// Back closes what lies over the page, and not the page under it.
import { useEffect, useEffectEvent } from 'react';

declare global {
  interface Window {
    CloseWatcher?: new () => { onclose: (() => void) | null; destroy(): void };
  }
}

/** Whether the browser tells of Android's Back, and of Escape with it. */
export const supportsCloseWatcher = window.CloseWatcher !== undefined;

/** How each thing that lies over the page is closed, the topmost last. */
const closers: (() => void)[] = [];

// The browser's own Back button, where it leads to another screen. Out of the product, and at a second press with nothing
// touched in between, it leads all the same: no page can hold a person.
window.navigation?.addEventListener('navigate', (event) => {
  const close = closers.at(-1);
  if (!close || event.navigationType !== 'traverse' || !event.userInitiated || !event.cancelable) return;
  event.preventDefault();
  close();
});

/**
 * While `isOpen`, Back calls `onClose` where the browser lets it, and so does Escape where it `supportsCloseWatcher`. What does not close then
 * stays, and so does the page. With `isInUrl` the browser's Back button closes it by itself.
 */
export function useCloseOnBack(isOpen: boolean, onClose: () => void, { isInUrl = false } = {}) {
  const close = useEffectEvent(onClose);

  useEffect(() => {
    if (!isOpen) return;
    const closer = () => close();
    if (!isInUrl) closers.push(closer);
    let watcher: InstanceType<NonNullable<typeof window.CloseWatcher>> | undefined;
    // Each tells once.
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

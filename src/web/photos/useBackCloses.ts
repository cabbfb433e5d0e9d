import { useEffect, useEffectEvent } from 'react';

declare global {
  interface Window {
    CloseWatcher?: new () => { onclose: (() => void) | null; destroy(): void };
  }
}

/** Whether the browser tells of Android's Back, and of Escape with it. */
export const hearsBack = window.CloseWatcher !== undefined;

/** Where the browser can tell, Android's Back closes what lies over the page, and not the page under it. */
export function useBackCloses(onClose: () => void) {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const watcher = window.CloseWatcher && new window.CloseWatcher();
    if (!watcher) return;
    watcher.onclose = () => close();
    return () => watcher.destroy();
  }, []);
}

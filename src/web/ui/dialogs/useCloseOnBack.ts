// Back closes an overlay instead of leaving the page.
import { useEffect, useEffectEvent } from 'react';

declare global {
  interface Window {
    CloseWatcher?: new () => { onclose: (() => void) | null; destroy(): void };
  }
}

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

// Browsers with a CloseWatcher report Escape and Android's Back gesture there.
if (!window.CloseWatcher)
  window.addEventListener('keydown', ({ key, isComposing, defaultPrevented }) => {
    if (key === 'Escape' && !isComposing && !defaultPrevented) overlays.at(-1)?.close();
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
 * While `isOpen`, Escape calls `onClose`, and so does Back where the browser allows it. With
 * `isInUrl` the browser's Back button closes it anyway.
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

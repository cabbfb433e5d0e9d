import { useEffect, useEffectEvent } from 'react';
import { useLocation } from 'wouter';
import { hasChangesOrDialog } from '../forms/changedFields.ts';

type Question = { type?: string; link: string };

/**
 * Opens the screen of a tapped notification in this tab, unless a field on the screen was changed
 * or a dialog is open. Does not load the page, which would lose input of screens that were left.
 */
export function useNotificationTaps() {
  const [, navigate] = useLocation();
  const answer = useEffectEvent(({ data, ports }: MessageEvent<Question>) => {
    if (data?.type !== 'open') return;
    const canOpen = !hasChangesOrDialog();
    if (canOpen) navigate(data.link);
    ports[0]?.postMessage(canOpen);
  });
  useEffect(() => {
    const controller = new AbortController();
    navigator.serviceWorker?.addEventListener('message', (event) => answer(event), controller);
    return () => controller.abort();
  }, []);
}

import { startSending } from './outbox.ts';

/** Starts sending, and loads the outbox's screens: there may be no connection when they are needed. */
export function startOutbox() {
  startSending();
  void Promise.allSettled([import('./OutboxChip.tsx'), import('./OutboxPage.tsx')]);
}

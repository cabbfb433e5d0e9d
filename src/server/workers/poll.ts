import { setTimeout as wait } from 'node:timers/promises';

type Poller = {
  /** Returns whether there may be more to do at once. */
  work: () => Promise<boolean>;
  onError: (error: unknown) => void;
  pauseMs: number;
  /** Stops the polling, after the work in progress. */
  signal: AbortSignal;
};

/** Repeats the work, with a pause when there is nothing more to do. Resolves once it has stopped. */
export async function poll({ work, onError, pauseMs, signal }: Poller): Promise<void> {
  while (!signal.aborted) {
    try {
      if (await work()) continue;
    } catch (error) {
      onError(error);
    }
    // Rejects if it is stopped in the pause.
    await wait(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

import { setTimeout as wait } from 'node:timers/promises';

type Poller = {
  /** Does some work. Returns whether there may be more to do without a pause. */
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
    // The pause rejects when it is aborted.
    await wait(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

// One sync of the disk for many commits. Whoever needs commits to be on the disk waits here; a sync that has begun goes to its end, and
// the next one covers all that was committed until then.

export type GroupSync = {
  /** Called at each commit, right after it. */
  noteCommit(): void;
  /** Resolves when every commit noted so far is on the disk; nothing to wait for when they are. Never resolves once a sync has failed. */
  synced(): Promise<void> | undefined;
  /** Resolves when no sync is under way, and begins no more. */
  close(): Promise<void>;
};

type Waiting = { commits: number; resolve(): void };

/**
 * `sync` brings to the disk what is committed when it is called. When it fails, nobody knows what is on the disk: `fail` must end the
 * process, and nobody who waits is told anything.
 */
export function createGroupSync(sync: () => Promise<void>, fail: (error: Error) => void): GroupSync {
  let committed = 0;
  let synced = 0;
  let waiting: Waiting[] = [];
  let running: Promise<void> | undefined;
  let isClosed = false;

  async function run(): Promise<void> {
    while (waiting.length > 0 && !isClosed) {
      // Counted before the sync begins: it does not cover what is committed while it goes on.
      const covered = committed;
      await sync();
      synced = covered;
      for (const { resolve } of waiting.filter(({ commits }) => commits <= covered)) resolve();
      waiting = waiting.filter(({ commits }) => commits > covered);
    }
    running = undefined;
  }

  return {
    noteCommit() {
      committed += 1;
    },
    synced() {
      if (synced === committed) return undefined;
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push({ commits: committed, resolve });
      running ??= run().catch(fail);
      return promise;
    },
    async close() {
      isClosed = true;
      await running;
    },
  };
}

// One disk sync for many commits. Callers that need commits on disk wait here; a running sync
// finishes, and the next covers everything committed until then.

export type GroupSync = {
  /** Call right after each commit. */
  countCommit(): void;
  /** Resolves when all commits so far are on disk. Never resolves once a sync has failed. */
  waitUntilSynced(): Promise<void> | undefined;
  /** Resolves when no sync is running, and starts no more. */
  close(): Promise<void>;
};

type WaitingCommit = { commitCount: number; resolve(): void };

/**
 * `sync` syncs what is committed when it is called. If it fails, the state of the disk is unknown:
 * `fail` must end the process, and no waiting caller gets a response.
 */
export function createGroupSync(sync: () => Promise<void>, fail: (error: Error) => void): GroupSync {
  let committedCount = 0;
  let syncedCount = 0;
  let waiting: WaitingCommit[] = [];
  let currentSync: Promise<void> | undefined;
  let isClosed = false;

  async function run(): Promise<void> {
    while (waiting.length > 0 && !isClosed) {
      // Read before the sync starts, because the sync does not cover later commits.
      const coveredCommits = committedCount;
      await sync();
      syncedCount = coveredCommits;
      for (const { resolve } of waiting.filter(({ commitCount }) => commitCount <= coveredCommits)) resolve();
      waiting = waiting.filter(({ commitCount }) => commitCount > coveredCommits);
    }
    currentSync = undefined;
  }

  return {
    countCommit() {
      committedCount += 1;
    },
    waitUntilSynced() {
      if (syncedCount === committedCount) return undefined;
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push({ commitCount: committedCount, resolve });
      currentSync ??= run().catch(fail);
      return promise;
    },
    async close() {
      isClosed = true;
      await currentSync;
    },
  };
}

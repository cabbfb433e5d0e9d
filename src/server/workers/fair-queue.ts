// Waiting jobs in fair order: by priority, light before heavy, and users in turn.

type QueuedJob = { user: string; priority: number; isHeavy: boolean };

export function createFairQueue<Job extends QueuedJob>() {
  let jobs: Job[] = [];
  /**
   * When each waiting user last had a turn or began to wait, counted in turns. The user who has
   * waited longest is next, so that new users cannot delay others again and again.
   */
  const lastTurnByUser = new Map<string, number>();
  let turnCount = 0;

  const getLastTurn = ({ user }: Job) => lastTurnByUser.get(user) ?? 0;
  const compareJobs = (a: Job, b: Job) =>
    a.priority - b.priority || Number(a.isHeavy) - Number(b.isHeavy) || getLastTurn(a) - getLastTurn(b);

  function remove(job: Job): Job {
    jobs.splice(jobs.indexOf(job), 1);
    if (!jobs.some(({ user }) => user === job.user)) lastTurnByUser.delete(job.user);
    return job;
  }

  return {
    add(job: Job, at: 'first' | 'last' = 'last'): void {
      // A job that is put back for a retry already had its turn, so it goes before all others of
      // its priority.
      lastTurnByUser.set(job.user, at === 'first' ? 0 : (lastTurnByUser.get(job.user) ?? turnCount));
      if (at === 'first') jobs.unshift(job);
      else jobs.push(job);
    },

    /** Takes the next job that can start now. */
    take(canStart: (job: Job) => boolean): Job | undefined {
      const next = jobs
        .filter(canStart)
        .reduce<Job | undefined>((a, b) => (a && compareJobs(a, b) <= 0 ? a : b), undefined);
      if (!next) return undefined;
      turnCount += 1;
      lastTurnByUser.set(next.user, turnCount);
      return remove(next);
    },

    /** Removes a job. Returns whether it was waiting. */
    remove: (job: Job): boolean => jobs.includes(job) && remove(job) === job,

    /** Removes and returns the last job of the user who has most jobs. */
    removeFromLongest(): Job | undefined {
      const byUser = Map.groupBy(jobs, ({ user }) => user);
      const longest = byUser.values().reduce<Job[]>((a, b) => (b.length >= a.length ? b : a), []);
      const last = longest.at(-1);
      return last && remove(last);
    },

    removeAll(): Job[] {
      const all = jobs;
      jobs = [];
      lastTurnByUser.clear();
      return all;
    },

    size: () => jobs.length,
  };
}

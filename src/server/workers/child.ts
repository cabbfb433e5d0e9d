/** The child's side of a pool: answers each job with what `work` returns, or with the message of what it threw. Leaves with its parent. */
export function handleJobs<Job, Result>(work: (job: Job) => Promise<Result> | Result) {
  process.on('message', async (job: Job) => {
    const reply = await Promise.resolve(job)
      .then(work)
      .then(
        (result) => ({ result }),
        (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
      );
    process.send?.(reply);
  });
  process.on('disconnect', () => process.exit());
}

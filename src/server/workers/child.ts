/**
 * The child's side of a pool: replies to each job with its result or error message. Exits when its
 * parent does.
 */
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

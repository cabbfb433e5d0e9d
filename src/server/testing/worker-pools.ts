// The child processes that images and PDFs use, shared by all servers of a test process: starting
// them takes longer than their work in most tests.
import { createImagePool } from '../files/image-processor.ts';
import { createPdfPool } from '../pdf/render.ts';
import type { Pool } from '../workers/pool.ts';

const images = createImagePool();
const pdfs = createPdfPool();

/**
 * Returns a view of a shared pool for one server: closing it waits for the server's jobs, and ends
 * no child process.
 */
function share<Job, Result>(pool: Pool<Job, Result>): Pool<Job, Result> {
  const pendingJobs = new Set<Promise<Result>>();
  return {
    run(job, queueOptions) {
      const result = pool.run(job, queueOptions);
      pendingJobs.add(result);
      const removeRunning = () => pendingJobs.delete(result);
      result.then(removeRunning, removeRunning);
      return result;
    },
    async close() {
      await Promise.allSettled(pendingJobs);
    },
  };
}

export const sharePools = () => ({ images: share(images), pdfs: share(pdfs) });

// The child processes that images and PDFs use, shared by all servers of a test process: starting
// them takes longer than their work in most tests.
import { readFile, writeFile } from 'node:fs/promises';
import { createImagePool, type ImagePool, type ImageResult } from '../files/image-processor.ts';
import { sha256 } from '../hash.ts';
import { createPdfPool } from '../pdf/render.ts';
import type { Pool } from '../workers/pool.ts';

/** Processes each image once: most tests upload the same small photo and signature. */
function createRememberingPool(pool: ImagePool): ImagePool {
  type Processed = { result: ImageResult; image: Buffer; preview: Buffer | undefined };
  const known = new Map<string, Processed>();
  return {
    async run(job, queueOptions) {
      const { from, to, preview, ...rest } = job;
      const source = await readFile(from).catch(() => undefined);
      const key = source && sha256(source) + JSON.stringify([preview !== undefined, rest]);
      const found = known.get(key ?? '');
      if (found) {
        await writeFile(to, found.image, { mode: 0o640 });
        if (preview && found.preview) await writeFile(preview, found.preview, { mode: 0o640 });
        return found.result;
      }
      const result = await pool.run(job, queueOptions);
      if (key)
        known.set(key, { result, image: await readFile(to), preview: preview ? await readFile(preview) : undefined });
      return result;
    },
    close: () => pool.close(),
  };
}

const images = createRememberingPool(createImagePool());
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

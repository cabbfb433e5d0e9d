// Decodes and resizes photos in a worker, so that typing stays smooth.

import type { ImageLimits } from './imageLimits.ts';
import { limitStandstill } from './limitStandstill.ts';
import type { ResizeReply, ResizeRequest } from './resizeImage.worker.ts';

type PendingResize = { resolve: (reply: ResizeReply | undefined) => void; onProgress: () => void };

const pending = new Map<number, PendingResize>();
let worker: Worker | undefined;
let lastId = 0;
let isBroken = false;

/** Whether this browser can resize photos in a worker (Safari before 16.4 cannot). */
export const canResizeInWorker = (): boolean =>
  !isBroken && typeof Worker !== 'undefined' && typeof OffscreenCanvas !== 'undefined';

/**
 * Resolves with 'decode' if the browser cannot read the file, and undefined if the worker fails, or makes
 * no progress for `maxStandstillMs`, so that the page must resize it.
 */
export async function resizeInWorker(
  source: Blob,
  limits: ImageLimits,
  maxStandstillMs: number,
): Promise<Blob | 'decode' | undefined> {
  const id = ++lastId;
  const reply = await limitStandstill(
    maxStandstillMs,
    (onProgress) =>
      new Promise<ResizeReply | undefined>((resolve) => {
        pending.set(id, { resolve, onProgress });
        getWorker().postMessage({ id, source, limits } satisfies ResizeRequest);
      }),
  ).catch(endWorker);
  if (reply && 'resized' in reply) return reply.resized;
  return reply && 'failed' in reply && reply.failed === 'decode' ? 'decode' : undefined;
}

function getWorker(): Worker {
  if (worker) return worker;
  worker = new Worker(new URL('./resizeImage.worker.ts', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data }: MessageEvent<ResizeReply>) => {
    // The worker resizes one photo after another, so progress with one counts for all that wait.
    for (const { onProgress } of pending.values()) onProgress();
    if ('isProgress' in data) return;
    pending.get(data.id)?.resolve(data);
    pending.delete(data.id);
  });
  worker.addEventListener('error', () => {
    isBroken = true;
    endWorker();
  });
  return worker;
}

/** The worker failed: everything pending goes back to the page. */
function endWorker(): undefined {
  worker?.terminate();
  worker = undefined;
  for (const { resolve } of pending.values()) resolve(undefined);
  pending.clear();
}

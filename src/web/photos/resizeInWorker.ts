// Decodes and resizes photos in a worker, so that typing stays smooth.

import type { ImageLimits } from './imageLimits.ts';
import type { ResizedImage } from './resizeImage.ts';
import type { ResizeReply, ResizeRequest } from './resizeImage.worker.ts';

type PendingResize = (reply: ResizeReply | undefined) => void;

const pending = new Map<number, PendingResize>();
let worker: Worker | undefined;
let lastId = 0;
let isBroken = false;

/** Whether this browser supports it (Safari before 16.4 does not). */
export function canResizeInWorker(): boolean {
  return !isBroken && typeof Worker !== 'undefined' && typeof OffscreenCanvas !== 'undefined';
}

/**
 * Returns 'decode' if the browser cannot read the file, and undefined if the worker fails and the
 * page must do it.
 */
export function resizeInWorker(source: Blob, limits: ImageLimits): Promise<ResizedImage | 'decode' | undefined> {
  return new Promise((resolve) => {
    const id = ++lastId;
    pending.set(id, (reply) => {
      if (reply && 'resized' in reply) resolve(reply.resized);
      else resolve(reply?.failed === 'decode' ? 'decode' : undefined);
    });
    getWorker().postMessage({ id, source, limits } satisfies ResizeRequest);
  });
}

function getWorker(): Worker {
  if (worker) return worker;
  worker = new Worker(new URL('./resizeImage.worker.ts', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data }: MessageEvent<ResizeReply>) => resolvePending(data.id, data));
  // The worker failed: everything pending goes back to the page.
  worker.addEventListener('error', () => {
    isBroken = true;
    for (const id of [...pending.keys()]) resolvePending(id, undefined);
  });
  return worker;
}

function resolvePending(id: number, reply: ResizeReply | undefined): void {
  pending.get(id)?.(reply);
  pending.delete(id);
}

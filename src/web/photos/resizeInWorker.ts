// Photos are decoded and drawn off the page's own thread, so that typing stays smooth while twelve megapixels shrink.

import type { ImageLimits } from './imageLimits.ts';
import type { ResizedImage } from './resizeImage.ts';
import type { ResizeReply, ResizeRequest } from './resizeImage.worker.ts';

type PendingResize = (reply: ResizeReply | undefined) => void;

const pending = new Map<number, PendingResize>();
let worker: Worker | undefined;
let lastId = 0;
let isBroken = false;

/** Whether this browser can draw in a worker at all (Safari before 16.4 cannot). */
export function canResizeInWorker(): boolean {
  return !isBroken && typeof Worker !== 'undefined' && typeof OffscreenCanvas !== 'undefined';
}

/**
 * Decodes and draws in the worker. Gives 'decode' when the browser cannot read the file,
 * and nothing when the worker itself is of no use, in which case the page has to do it.
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
  worker.addEventListener('message', ({ data }: MessageEvent<ResizeReply>) => settle(data.id, data));
  // It did not load or it died: everything that waits goes back to the page.
  worker.addEventListener('error', () => {
    isBroken = true;
    for (const id of [...pending.keys()]) settle(id, undefined);
  });
  return worker;
}

function settle(id: number, reply: ResizeReply | undefined): void {
  pending.get(id)?.(reply);
  pending.delete(id);
}

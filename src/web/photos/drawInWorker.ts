// Photos are decoded and drawn off the page's own thread, so that typing stays smooth while twelve megapixels shrink.

import type { Drawn } from './draw.ts';
import type { DrawOrder, DrawReply } from './draw.worker.ts';
import type { PictureLimits } from './pictureLimits.ts';

type Waiting = (reply: DrawReply | undefined) => void;

const waiting = new Map<number, Waiting>();
let worker: Worker | undefined;
let lastId = 0;
let isBroken = false;

/** Whether this browser can draw in a worker at all (Safari before 16.4 cannot). */
export function canDrawInWorker(): boolean {
  return !isBroken && typeof Worker !== 'undefined' && typeof OffscreenCanvas !== 'undefined';
}

/**
 * Decodes and draws in the worker. Gives 'decode' when the browser cannot read the file,
 * and nothing when the worker itself is of no use, in which case the page has to do it.
 */
export function drawInWorker(source: Blob, limits: PictureLimits): Promise<Drawn | 'decode' | undefined> {
  return new Promise((resolve) => {
    const id = ++lastId;
    waiting.set(id, (reply) => {
      if (reply && 'drawn' in reply) resolve(reply.drawn);
      else resolve(reply?.failed === 'decode' ? 'decode' : undefined);
    });
    startedWorker().postMessage({ id, source, limits } satisfies DrawOrder);
  });
}

function startedWorker(): Worker {
  if (worker) return worker;
  worker = new Worker(new URL('./draw.worker.ts', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data }: MessageEvent<DrawReply>) => settle(data.id, data));
  // It did not load or it died: everything that waits goes back to the page.
  worker.addEventListener('error', () => {
    isBroken = true;
    for (const id of [...waiting.keys()]) settle(id, undefined);
  });
  return worker;
}

function settle(id: number, reply: DrawReply | undefined): void {
  waiting.get(id)?.(reply);
  waiting.delete(id);
}

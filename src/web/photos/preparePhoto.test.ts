// What happens if a browser makes no progress with a photo.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { limitStandstill, StandstillError } from './limitStandstill.ts';

let preparePhoto: typeof import('./preparePhoto.ts').preparePhoto;
const workers: SilentWorker[] = [];

/** A worker that never answers. */
class SilentWorker extends EventTarget {
  isEnded = false;
  messages: { id: number }[] = [];
  constructor() {
    super();
    workers.push(this);
  }
  postMessage(message: { id: number }) {
    this.messages.push(message);
  }
  terminate() {
    this.isEnded = true;
  }
  reply(data: object) {
    this.dispatchEvent(new MessageEvent('message', { data }));
  }
}

class Canvas {
  readonly width: number;
  readonly height: number;
  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
  }
  getContext = () => ({ fillRect() {}, drawImage() {} });
  convertToBlob = async ({ type }: { type: string }) => new Blob(['small'], { type });
}

const createImageBitmap = vi.fn();
const image = { width: 20, height: 10, close() {} };
const jpeg = () => new File(['bytes'], 'pool.jpg', { type: 'image/jpeg' });

beforeEach(async () => {
  workers.length = 0;
  vi.resetModules();
  vi.stubGlobal('Worker', SilentWorker);
  vi.stubGlobal('OffscreenCanvas', Canvas);
  vi.stubGlobal('createImageBitmap', createImageBitmap.mockReset().mockResolvedValue(image));
  ({ preparePhoto } = await import('./preparePhoto.ts'));
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a photo whose worker makes no progress for 20 s is prepared by the page', async () => {
  const preparing = preparePhoto(jpeg());
  await vi.advanceTimersByTimeAsync(19_000);
  const [worker] = workers;
  // Progress restarts the timeout.
  worker?.reply({ id: worker.messages[0]?.id, isProgress: true });
  await vi.advanceTimersByTimeAsync(19_000);
  expect(worker?.isEnded).toBe(false);
  await vi.advanceTimersByTimeAsync(1000);
  expect(worker?.isEnded).toBe(true);
  expect(await preparing).toMatchObject({ name: 'pool.jpg' });
});

test.each([
  ['a photo', jpeg, 20_000],
  ['a HEIC photo', () => new File(['bytes'], 'pool.heic', { type: 'image/heic' }), 60_000],
])('%s that neither the worker nor the page can prepare in time is reported', async (_, create, limitMs) => {
  createImageBitmap.mockReturnValue(new Promise(() => undefined));
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  const problem = preparePhoto(create()).catch((error: Error) => error.message);
  await vi.advanceTimersByTimeAsync(limitMs);
  expect(workers.map(({ isEnded }) => isEnded)).toEqual([true]);
  await vi.advanceTimersByTimeAsync(2 * limitMs);
  expect(await problem).toMatch(/^pool\.\w+ could not be prepared in time\./);
});

test('preparing a photo does not time out because the phone slept for an hour', async () => {
  const outcome = vi.fn();
  void limitStandstill(20_000, () => new Promise(() => undefined)).catch(outcome);
  await vi.advanceTimersByTimeAsync(5000);
  vi.setSystemTime(Date.now() + 3_600_000);
  await vi.advanceTimersByTimeAsync(14_000);
  expect(outcome).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1000);
  expect(outcome).toHaveBeenCalledWith(expect.any(StandstillError));
});

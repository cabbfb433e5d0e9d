import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { getUploadTimeoutMs, uploadPaced } from './uploadPacing.ts';

/**
 * Simulates uploads that share a connection with this many bytes a second, with a timeout of 30 s
 * each.
 */
async function uploadOver(bytesPerSecond: number, sizes: number[]) {
  let inFlight = 0;
  let maxInFlight = 0;
  const failed: number[] = [];
  const started: number[] = [];
  const done = uploadPaced(
    sizes.map((size, id) => ({ id, size })),
    ({ size }) => size,
    async ({ id, size }, isLastTry) => {
      inFlight += 1;
      maxInFlight = Math.max(maxInFlight, inFlight);
      started.push(id);
      let left = size;
      let elapsed = 0;
      while (left > 0 && elapsed < 30_000) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        left -= bytesPerSecond / 10 / inFlight;
        elapsed += 100;
      }
      inFlight -= 1;
      if (left <= 0) return 'done';
      if (!isLastTry) return 'tooSlow';
      failed.push(id);
      return 'done';
    },
  );
  await vi.runAllTimersAsync();
  await done;
  return { maxInFlight, failed, started };
}

describe('uploads', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('all uploads run in order on a fast connection, three at a time', async () => {
    const { maxInFlight, failed, started } = await uploadOver(1_000_000, Array(6).fill(200_000));
    expect({ maxInFlight, failed }).toEqual({ maxInFlight: 3, failed: [] });
    expect(started).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('uploads run one at a time if the first photo was fast only because it is small', async () => {
    expect(await uploadOver(15_000, [10_000, 200_000, 200_000, 200_000])).toMatchObject({ maxInFlight: 1, failed: [] });
  });

  test('uploads run one at a time after one has timed out, and that one is tried once more', async () => {
    let bytesPerSecond = 100_000;
    const tried: number[] = [];
    let inFlight = 0;
    const maxInFlight: number[] = [];
    const done = uploadPaced(
      [0, 1, 2, 3, 4],
      () => 50_000,
      async (id) => {
        inFlight += 1;
        maxInFlight.push(inFlight);
        tried.push(id);
        await new Promise((resolve) => setTimeout(resolve, (50_000 / bytesPerSecond) * 1000));
        if (id === 0) bytesPerSecond = 1_000_000;
        inFlight -= 1;
        return id === 2 && tried.filter((other) => other === 2).length === 1 ? 'tooSlow' : 'done';
      },
    );
    await vi.runAllTimersAsync();
    await done;
    expect(tried.toSorted()).toEqual([0, 1, 2, 2, 3, 4]);
    expect(tried.at(-1)).toBe(2);
    expect(maxInFlight.at(-1)).toBe(1);
  });

  test('an upload times out after 30 s plus its time at 2 kB a second, and after ten minutes at most', () => {
    expect(getUploadTimeoutMs(187_000)).toBe(30_000 + 94_000);
    expect(getUploadTimeoutMs(10_000_000)).toBe(600_000);
  });
});

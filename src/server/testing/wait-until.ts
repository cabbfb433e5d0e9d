import { expect, vi } from 'vitest';

/** Waits up to 20 seconds until `check` returns a truthy value. */
export const waitUntil = (check: () => unknown) =>
  vi.waitFor(async () => expect(await check()).toBeTruthy(), { timeout: 20_000, interval: 50 });

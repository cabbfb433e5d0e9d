import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openMigratedDatabase } from '../testing/storage.ts';
import { arePurgesPaused, withPurgesPaused } from './purge-pause.ts';
import type { Database } from './schema.ts';

const minute = 60_000;
const start = Date.UTC(2026, 10, 24, 12);
let db: Database;

beforeEach(async () => {
  db = await openMigratedDatabase('sqlite');
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => vi.useRealTimers());

const isPausedAfter = (minutes: number) => arePurgesPaused(db, new Date(start + minutes * minute));

test('purges are paused as long as a backup runs, and at most five minutes longer if it is killed', async () => {
  await withPurgesPaused(db, new Date(start), async () => {
    expect([await isPausedAfter(4.9), await isPausedAfter(5)]).toEqual([true, false]);
    await vi.advanceTimersByTimeAsync(20 * minute);
    // If the backup is killed now, nothing renews the pause.
    await expect.poll(() => isPausedAfter(24.9)).toBe(true);
    expect(await isPausedAfter(25)).toBe(false);
  });
  expect(await isPausedAfter(20)).toBe(false);
});

test('a pause set by a clock that is an hour ahead is ignored', async () => {
  await withPurgesPaused(db, new Date(start + 60 * minute), async () => {
    expect(await isPausedAfter(0)).toBe(false);
  });
});

import { vi } from 'vitest';

/** Replaces local storage by one in memory, which only has the given items. */
export function stubLocalStorage(items: Record<string, string> = {}) {
  const stored = new Map(Object.entries(items));
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
}

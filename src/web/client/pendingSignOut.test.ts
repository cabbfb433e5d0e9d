// A sign-out without a connection is sent by the next page, which then trusts no preloaded session.
import { expect, test, vi } from 'vitest';
import { api } from '#shared/api.ts';

test('a page that sends a sign-out that waited shows nobody as signed in, whatever it has preloaded', async () => {
  const stored = new Map([['logout-owed', '1']]);
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  vi.stubGlobal('sessionStorage', localStorage);
  vi.stubGlobal('window', { location: { pathname: '/login' }, addEventListener: () => undefined });
  const calls: string[] = [];
  const preloaded = { user: { id: 'huw' }, expiresAt: new Date().toISOString(), canExtend: true };
  vi.stubGlobal('fetch', async (path: string) => {
    calls.push(path);
    return Response.json(path === api.logout.path ? { success: true } : preloaded);
  });
  const { queryClient } = await import('./api.ts');
  const { sessionQuery } = await import('./session.ts');
  await expect(queryClient.fetchQuery(sessionQuery)).rejects.toMatchObject({ status: 401 });
  expect(calls).toEqual([api.logout.path]);
  expect(stored.has('logout-owed')).toBe(false);
});

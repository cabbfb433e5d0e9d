// A sign-out without a connection is sent by the next page, which then trusts no preloaded session.

import { expect, test, vi } from 'vitest';
import { api } from '#shared/api.ts';
import { stubLocalStorage } from './localStorage.test-helper.ts';

test('a page that sends a sign-out that waited shows nobody as signed in, whatever it has preloaded', async () => {
  stubLocalStorage({ 'logout-owed': '1' });
  vi.stubGlobal('sessionStorage', localStorage);
  vi.stubGlobal('window', { location: { pathname: '/login' }, addEventListener: () => undefined });
  const calls: string[] = [];
  const preloaded = { user: { id: 'huw' }, expiresAt: new Date().toISOString(), canExtend: true };
  let isTaken = false;
  vi.stubGlobal('fetch', async (path: string) => {
    calls.push(path);
    if (path === api.logout.path) return Response.json({ success: true });
    // The browser gives the preloaded reply to the first request, whenever that is made.
    const status = isTaken ? 401 : 200;
    isTaken = true;
    return Response.json(status === 200 ? preloaded : { success: false, code: 'NOT_SIGNED_IN' }, { status });
  });
  const { queryClient } = await import('./api.ts');
  const { sessionQuery } = await import('./session.ts');
  await expect(queryClient.fetchQuery(sessionQuery)).rejects.toMatchObject({ status: 401 });
  expect(calls[0]).toBe(api.logout.path);
  // The preloaded session is not used for the next check of the session either.
  await expect(queryClient.fetchQuery(sessionQuery)).rejects.toMatchObject({ status: 401 });
  expect(localStorage.getItem('logout-owed')).toBeNull();
});

// What a sign-out and a session wait for.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { api } from '#shared/api.ts';
import { stubLocalStorage } from './localStorage.test-helper.ts';

const noAnswer = () => new Promise(() => undefined);
vi.mock('../database/pendingSignOut.ts', () => ({ storePendingSignOut: noAnswer, deletePendingSignOut: noAnswer }));
vi.mock('../database/userCopies.ts', () => ({ deleteUserCopies: noAnswer }));

const replace = vi.fn();
const calls: string[] = [];
const user = { id: 'huw', username: 'huw', role: 'None', park: '' };
const session = { user, parks: [], expiresAt: new Date().toISOString() };

beforeEach(() => {
  vi.resetModules();
  calls.length = 0;
  replace.mockReset();
  stubLocalStorage({ 'outbox-waiting': '1', 'has-copies': '1' });
  vi.stubGlobal('sessionStorage', localStorage);
  vi.stubGlobal('window', { location: { pathname: '/reporting', replace }, addEventListener: () => undefined });
  vi.stubGlobal('fetch', async (path: string) => {
    calls.push(path);
    return Response.json(session);
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Lets time pass while the modules that are imported when they are needed arrive. */
const letTimePass = (until: () => void) =>
  vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(1000);
    until();
  });

test.each(['signOut', 'switchUser'] as const)(
  'a %s ends the session and leaves the page also if the database of the browser does not answer',
  async (name) => {
    const { [name]: end } = await import('./session.ts');
    void end();
    await letTimePass(() => expect(replace).toHaveBeenCalledWith('/login'));
    expect(calls).toEqual([api.logout.path]);
  },
);

test('a user is signed in also if the database of the browser does not answer', async () => {
  const [{ queryClient }, { sessionQuery }] = [await import('./api.ts'), await import('./session.ts')];
  const found = vi.fn();
  void queryClient.fetchQuery(sessionQuery).then(found, found);
  await letTimePass(() => expect(found).toHaveBeenCalledWith(session));
});

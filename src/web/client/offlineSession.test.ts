// Which data on the device the end of a session deletes.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forgetUser, markCopies, rememberUser } from './offlineSession.ts';

const { load, deleteUserCopies } = vi.hoisted(() => ({ load: vi.fn(), deleteUserCopies: vi.fn() }));
vi.mock('../database/userCopies.ts', () => {
  load();
  return { deleteUserCopies };
});

const sian = { id: 'sian', username: 'sian', role: 'None', park: 'Lido Beach', mustChangePassword: false } as const;

beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
});
afterEach(() => vi.unstubAllGlobals());

test('the module that deletes offline copies is loaded only if there are copies', async () => {
  rememberUser(sian, Date.now() + 60_000);
  await forgetUser();
  expect(load).not.toHaveBeenCalled();
  markCopies();
  deleteUserCopies.mockRejectedValueOnce(new Error('The database did not respond'));
  await forgetUser();
  expect(deleteUserCopies).toHaveBeenCalledOnce();
  await forgetUser();
  expect(deleteUserCopies).toHaveBeenCalledTimes(2);
  await forgetUser();
  expect(deleteUserCopies).toHaveBeenCalledTimes(2);
});

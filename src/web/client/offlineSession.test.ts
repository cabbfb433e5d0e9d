// Which data on the device the end of a session deletes.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { stubLocalStorage } from './localStorage.test-helper.ts';
import { forgetUser, getRememberedUser, markCopies, rememberUser } from './offlineSession.ts';

const { load, deleteUserCopies } = vi.hoisted(() => ({ load: vi.fn(), deleteUserCopies: vi.fn() }));
vi.mock('../database/userCopies.ts', () => {
  load();
  return { deleteUserCopies };
});

const sian = {
  id: 'sian',
  username: 'sian',
  role: 'None',
  park: 'Lido Beach',
  parks: ['Lido Beach'],
  mustChangePassword: false,
} as const;

beforeEach(() => {
  stubLocalStorage();
});
afterEach(() => vi.unstubAllGlobals());

test('the module that deletes offline copies is loaded only if there are copies, and a failed deletion is repeated', async () => {
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

test('a change of any park of the user deletes their offline copies', async () => {
  deleteUserCopies.mockReset();
  markCopies();
  const until = Date.now() + 60_000;
  rememberUser(sian, until);
  rememberUser({ ...sian, parks: ['Lido Beach'] }, until);
  expect(deleteUserCopies).not.toHaveBeenCalled();
  rememberUser({ ...sian, parks: ['Lido Beach', 'Winkups'] }, until);
  await vi.waitFor(() => expect(deleteUserCopies).toHaveBeenCalledOnce());
});

test('a user whom an earlier version remembered has their one park, or all parks', () => {
  const { parks: _, ...stored } = { ...sian, until: Date.now() + 60_000 };
  localStorage.setItem('last-person', JSON.stringify(stored));
  expect(getRememberedUser()).toMatchObject({ park: 'Lido Beach', parks: ['Lido Beach'] });
  localStorage.setItem('last-person', JSON.stringify({ ...stored, park: '' }));
  expect(getRememberedUser()).toMatchObject({ park: '', parks: null });
});

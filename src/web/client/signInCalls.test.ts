// A 401 of a call that signs in says nothing about the session on this device.
import { beforeEach, expect, test, vi } from 'vitest';
import { api } from '#shared/api.ts';

const { forgetUser } = vi.hoisted(() => ({ forgetUser: vi.fn() }));
vi.mock('./offlineSession.ts', () => ({ forgetUser }));

beforeEach(() => {
  forgetUser.mockReset();
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined });
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ success: false, code: 'WRONG' }, { status: 401 })));
});

const passkey = { id: 'x', rawId: 'x', type: 'public-key' } as const;
const signed = { clientDataJSON: 'x', authenticatorData: 'x', signature: 'x' };

test('a rejected password, code, passkey or provider sign-in neither opens the sign-in dialog nor deletes offline copies', async () => {
  const { callApi } = await import('./api.ts');
  const { signInRequired } = await import('./reauthentication.ts');
  for (const attempt of [
    () => callApi(api.login, { body: { username: 'sian', password: 'x' } }),
    () => callApi(api.enterCode, { body: { code: '123456' } }),
    () => callApi(api.enterCode, { body: { passkey: { ...passkey, response: signed } } }),
    () => callApi(api.signInWithPasskey, { body: { passkey: { ...passkey, response: signed } } }),
    () => callApi(api.completeProviderSignIn, { body: { query: 'code=x' } }),
  ]) {
    await expect(attempt()).rejects.toMatchObject({ status: 401 });
    expect(signInRequired.get()).toBe(false);
    expect(forgetUser).not.toHaveBeenCalled();
  }
  void callApi(api.listSessions).catch(() => undefined);
  await vi.waitFor(() => expect(forgetUser).toHaveBeenCalledOnce());
  expect(signInRequired.get()).toBe(true);
});

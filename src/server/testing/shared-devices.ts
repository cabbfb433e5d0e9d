// Shared devices, and staff who sign in on them with a PIN.
import { api } from '#shared/api.ts';
import { formatCookies, jsonPost, readCookies } from './requests.ts';
import { password, type TestClient, type TestServer } from './server.ts';

export const pin = '274916';

/** Sets up a shared device as this reviewer. Returns its cookie. */
export async function shareDevice(reviewer: TestClient, park = 'Lido Beach', name = 'Lifeguard hut'): Promise<string> {
  const response = await reviewer.fetch(api.createSharedDevice.path, jsonPost({ park, name }));
  return `hs_shared_device=${readCookies(response).hs_shared_device}`;
}

/** Creates a user with this PIN, with a session that was started with the password. */
export async function makePinUser(server: TestServer, park = 'Lido Beach'): Promise<TestClient> {
  const staff = await server.as('None', park);
  await staff(api.setPin, { body: { pin, currentPassword: password } });
  return staff;
}

/** Tries to sign in with a PIN. The returned `client` has the cookies of the device and of the session. */
export async function signInWithPin(server: TestServer, device: string, user: TestClient, typed = pin) {
  const response = await fetch(
    `${server.url}${api.signInWithPin.path}`,
    jsonPost({ user: user.id, pin: typed }, { cookie: device }),
  );
  const { code, message } = (await response.json()) as { code?: string; message?: string };
  const cookie = `${device}; ${formatCookies(readCookies(response))}`;
  return { status: response.status, code, message, client: server.withCookie(cookie, user.id, user.username) };
}

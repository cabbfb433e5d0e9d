// Signs users in who have a second factor.
import { api } from '#shared/api.ts';
import { sendRequest } from '#shared/client.ts';
import type { Body } from '#shared/contract.ts';
import { generateAppCode } from '../sign-in/factors/app-codes.ts';
import { formatCookies, jsonPost, readCookies } from './requests.ts';
import { password, type TestClient, type TestServer } from './server.ts';

async function post(url: string, path: string, body: object, cookie = '') {
  const response = await fetch(`${url}${path}`, jsonPost(body, { ...(cookie && { cookie }) }));
  return { status: response.status, body: await response.json(), cookie: formatCookies(readCookies(response)) };
}

/** Enters the password. The returned `cookie` is that of the session, or of the half-complete sign-in. */
export const enterPassword = (url: string, username: string, secret = password, cookie = '') =>
  post(url, api.login.path, { username, password: secret }, cookie);

/** Enters a code, or uses a passkey, with the cookie that `enterPassword` returned. */
export const enterCode = (url: string, cookie: string, factor: string | { passkey: object }) =>
  post(url, api.enterCode.path, typeof factor === 'string' ? { code: factor } : factor, cookie);

export const signInWithPasskey = (url: string, passkey: object) => post(url, api.signInWithPasskey.path, { passkey });

/** Confirms the user of a session, which gets a new token. Returns a client with it. */
export async function confirmIdentity(
  server: TestServer,
  client: TestClient,
  body: Body<typeof api.confirmIdentity, 'input'> = {},
) {
  let cookie = '';
  const readCookie: typeof fetch = async (...request) => {
    const response = await client.fetch(...request);
    cookie = formatCookies(readCookies(response));
    return response;
  };
  await sendRequest(readCookie, api.confirmIdentity, {
    body: body.passkey ? body : { currentPassword: password, ...body },
  });
  return server.withCookie(cookie, client.id, client.username);
}

/**
 * Sets up codes from an app for this user. Returns the key, and the recovery codes. If the clock runs and the 30
 * seconds of the code end before the server checks it, the next code is entered, as a user does.
 */
export async function setUpApp(client: TestClient, getNow: () => number) {
  const { key } = await client(api.startAppSetUp);
  const check = () => client(api.checkAppSetUp, { body: { code: generateAppCode(key, new Date(getNow())) } });
  const { recoveryCodes = [] } = await check().catch((error) => {
    if (error.code === 'EXPIRED_CODE') return check();
    throw error;
  });
  if (recoveryCodes[2]) await client(api.confirmRecoveryCodes, { body: { code: recoveryCodes[2] } });
  return { key, recoveryCodes };
}

// Signs users in who have a second factor.
import { api } from '#shared/api.ts';
import { sendRequest } from '#shared/client.ts';
import type { Body } from '#shared/contract.ts';
import { generateAppCode } from '../factors/app-codes.ts';
import { password, type TestClient, type TestServer } from './server.ts';

const readCookies = (response: Response) =>
  Object.fromEntries(
    response.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0]?.split('=') as [string, string])
      .filter(([, value]) => value !== ''),
  );
const formatCookies = (cookies: Record<string, string>) =>
  Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');

const post = (url: string, path: string, body: object, cookie = '') =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(cookie && { cookie }) },
    body: JSON.stringify(body),
  });

/** Enters the password. `cookie` is that of the session, or of the half-complete sign-in. */
export async function enterPassword(url: string, username: string, secret = password, cookie = '') {
  const response = await post(url, api.login.path, { username, password: secret }, cookie);
  return { status: response.status, body: await response.json(), cookie: formatCookies(readCookies(response)) };
}

/** Enters a code, or uses a passkey, with the cookie that `enterPassword` returned. */
export async function enterCode(url: string, cookie: string, factor: string | { passkey: object }) {
  const body = typeof factor === 'string' ? { code: factor } : factor;
  const response = await post(url, api.enterCode.path, body, cookie);
  return { status: response.status, body: await response.json(), cookie: formatCookies(readCookies(response)) };
}

/** Signs in with a passkey. */
export async function signInWithPasskey(url: string, passkey: object) {
  const response = await post(url, api.signInWithPasskey.path, { passkey });
  return { status: response.status, body: await response.json(), cookie: formatCookies(readCookies(response)) };
}

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

/** Sets up codes from an app for this user. Returns the key, and the recovery codes. */
export async function setUpApp(client: TestClient, getNow: () => number) {
  const { key } = await client(api.startAppSetUp);
  const { recoveryCodes = [] } = await client(api.checkAppSetUp, {
    body: { code: generateAppCode(key, new Date(getNow())) },
  });
  if (recoveryCodes[2]) await client(api.confirmRecoveryCodes, { body: { code: recoveryCodes[2] } });
  return { key, recoveryCodes };
}

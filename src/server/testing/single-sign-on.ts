// Signs in at a server through the provider of the tests.
import { api } from '#shared/api.ts';
import type { ProviderPurpose } from '#shared/sign-in/single-sign-on.ts';
import { hashIdentity, insertLink } from '../sign-in/session/identity-links.ts';
import type { TestProvider } from './oidc-provider.ts';
import { jsonPost, readCookies } from './requests.ts';
import type { TestClient, TestServer } from './server.ts';

/** The server at which a browser signs in, and the browser's cookies. */
type At = { url: string; cookie?: string };
type Step = { status: number; body: { code?: string } & Record<string, unknown>; cookies: Record<string, string> };

async function post({ url, cookie }: At, path: string, body: object): Promise<Step> {
  const response = await fetch(`${url}${path}`, jsonPost(body, cookie ? { cookie } : {}));
  return { status: response.status, body: await response.json(), cookies: readCookies(response) };
}

export const joinCookies = (...cookies: (string | undefined)[]) => cookies.filter(Boolean).join('; ');

/** Starts a sign-in. Returns the provider's URL for the browser, and the cookie that the browser keeps. */
export async function startAtProvider(at: At, purpose: ProviderPurpose = 'sign in') {
  const { status, body, cookies } = await post(at, api.startProviderSignIn.path, { purpose });
  return { status, body, url: String(body.url), cookie: `hs_provider=${cookies.hs_provider}` };
}

/** Sends what the provider returned. */
export const returnFromProvider = ({ url, cookie }: At, providerCookie: string, query: string) =>
  post({ url, cookie: joinCookies(cookie, providerCookie) }, api.completeProviderSignIn.path, { query });

/** Signs in from the button to the reply. `at.cookie` is that of an existing session, if there is one. */
export async function signInAtProvider(
  at: At,
  provider: TestProvider,
  sub: string,
  purpose: ProviderPurpose = 'sign in',
) {
  const started = await startAtProvider(at, purpose);
  if (started.status !== 200) return { ...started, cookies: {} as Record<string, string> };
  return returnFromProvider(at, started.cookie, await provider.signIn(started.url, sub));
}

/** Returns a client for this user, with the session that a step has started. */
export const readProviderClient = (server: TestServer, { cookies }: Step, user: { id: string; username: string }) =>
  server.withCookie(`hs_session=${cookies.hs_session}`, user.id, user.username);

/** Links a user to an identity as an Admin does. */
export function linkUser({ db }: TestServer, { issuer }: { issuer: string }, userId: string, sub: string) {
  const identity = { identityHash: hashIdentity(issuer, sub), userId, by: '', lastSignInAt: null };
  return insertLink(db, identity, new Date());
}

export const at = (server: TestServer, client?: TestClient): At => ({
  url: server.url,
  ...(client && { cookie: client.cookie }),
});

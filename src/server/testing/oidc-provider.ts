// A real OpenID Connect provider on this machine, for tests. Its page has a link for each account,
// and asks for no password.
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { interactionPolicy, Provider } from 'oidc-provider';
import { returnPath } from '#shared/sign-in/single-sign-on.ts';

type Claims = Record<string, unknown>;
export type Account = {
  /** Claims of the ID token, such as `name` and `groups`. */
  claims?: Claims;
  amr?: string[];
  acr?: string;
};

/** Changes an ID token before it is sent. */
type Tamper = (claims: Claims, signWith: (claims: Claims, header?: object, key?: KeyObject) => string) => string;

export type TestProvider = Awaited<ReturnType<typeof startOidcProvider>>;

export const clientSettings = { OIDC_CLIENT_ID: 'park-reports', OIDC_CLIENT_SECRET: 'a secret of tests' };

const claimNames = 'sub acr amr auth_time name email preferred_username groups roles hd hasgroups _claim_names';
const loopbackHosts = ['127.0.0.1', 'localhost'];

const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

/** Returns a signed token; unsigned if the header says so. */
function signToken(claims: Claims, header: { alg: string; kid?: string }, key: KeyObject): string {
  const content = `${encode(header)}.${encode(claims)}`;
  const signature = header.alg === 'none' ? '' : sign('sha256', Buffer.from(content), key).toString('base64url');
  return `${content}.${signature}`;
}

/**
 * Starts a provider. `accounts` has the accounts by their subject, and may be changed at any time. The
 * provider sends browsers back to any port of this machine.
 */
export async function startOidcProvider(accounts: Record<string, Account>, { port = 0 } = {}) {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const state = { tamper: undefined as Tamper | undefined };
  const key = newKey();
  const kid = 'test';
  const policy = interactionPolicy.base();
  // Users choose an account each time, and are not asked for consent.
  policy.remove('consent');
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0);
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientSettings.OIDC_CLIENT_ID,
        client_secret: clientSettings.OIDC_CLIENT_SECRET,
        application_type: 'native',
        token_endpoint_auth_method: 'client_secret_post',
        redirect_uris: loopbackHosts.map((host) => `http://${host}${returnPath}`),
      },
    ],
    jwks: { keys: [{ ...key.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' } as never] },
    cookies: { keys: ['a key of tests'] },
    pkce: { required: () => true },
    conformIdTokenClaims: false,
    claims: { openid: claimNames.split(' '), profile: [], email: [] },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, AuthorizationCode: 60, IdToken: 600 },
    acrValues: ['phishing-resistant'],
    features: { devInteractions: { enabled: false } },
    interactions: { policy, url: (_, interaction) => `/accounts/${interaction.uid}` },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...accounts[sub]?.claims }) }),
    async loadExistingGrant({ oidc }) {
      const grant = new provider.Grant({ clientId: oidc.client?.clientId, accountId: oidc.session?.accountId });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
  });
  provider.use(async (ctx, next) => {
    await next();
    const { id_token: token } = Object(ctx.body) as { id_token?: string };
    if (!token || !state.tamper) return;
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    const signWith = (changed: Claims, header = {}, signer = key) =>
      signToken(changed, { alg: 'RS256', kid, ...header }, signer);
    Object.assign(ctx.body as object, { id_token: state.tamper(claims, signWith) });
  });
  const handleOidcRequest = provider.callback();
  server.on('request', (request, response) => {
    const [, page, , chosen] = new URL(request.url ?? '/', issuer).pathname.split('/');
    if (page !== 'accounts') handleOidcRequest(request, response);
    else if (chosen === undefined) showAccounts(request, response);
    else void choose(request, response, decodeURIComponent(chosen));
  });

  function showAccounts({ url }: IncomingMessage, response: ServerResponse): void {
    const links = [...Object.keys(accounts), 'cancel'].map(
      (sub) => `<p><a href="${url}/${encodeURIComponent(sub)}">${sub}</a></p>`,
    );
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><html lang="en"><title>Accounts</title><h1>Choose an account</h1>${links.join('')}`);
  }

  async function choose(request: IncomingMessage, response: ServerResponse, sub: string): Promise<void> {
    const { amr, acr } = accounts[sub] ?? {};
    const login = { accountId: sub, ...(amr && { amr }), ...(acr && { acr }) };
    const result = sub === 'cancel' ? { error: 'access_denied' } : { login, select_account: {} };
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  }

  async function stop() {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  return {
    issuer,
    accounts,
    /** Settings of a server that uses this provider. */
    settings: { OIDC_ISSUER: issuer, OIDC_LABEL: 'Test Account', ...clientSettings },
    newKey,
    /** Changes later ID tokens with `change`; without it, they are sent unchanged. */
    tamper(change?: Tamper) {
      state.tamper = change;
    },
    /**
     * Signs in as a browser without a session does. Returns the query with which the provider sends
     * it back.
     */
    async signIn(url: string, sub: string): Promise<string> {
      const cookies = new Map<string, string>();
      for (let next = url; ; ) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const response = await fetch(next, { redirect: 'manual', headers: { cookie } });
        for (const header of response.headers.getSetCookie()) {
          const [pair = ''] = header.split(';');
          cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
        }
        const location = response.headers.get('location');
        if (!location) throw new Error(`The provider answered ${response.status}: ${await response.text()}`);
        const target = new URL(location, issuer);
        if (target.origin !== issuer) return target.search.slice(1);
        next = target.pathname.startsWith('/accounts/') ? `${target.href}/${encodeURIComponent(sub)}` : target.href;
      }
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

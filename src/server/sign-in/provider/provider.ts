// Talks to the operator's OpenID Connect provider: where it signs users in, and what it says about them.
import type { Configuration, IDToken } from 'openid-client';
import { returnPath, signInAgainMessage } from '#shared/sign-in/single-sign-on.ts';
import { HttpError } from '../../errors/http-error.ts';
import { sha256 } from '../../hash.ts';
import type { Services } from '../../http/handler-context.ts';
import type { ProviderSettings } from '../../provider-settings.ts';

/** Loaded at the first use: most operators have no provider. */
const loadLibrary = () => import('openid-client');

/** The limit of each request to the provider. */
const timeoutSeconds = 10;
/** How recently the user must have signed in at the provider when they confirm who they are. */
export const maxAgeSeconds = 10 * 60;

type Log = Services['log'];
/** `token` is the random value of the browser's cookie, which ties the provider's reply to that browser. */
type Exchange = { settings: ProviderSettings; origin: string; token: string; isConfirmation: boolean; log: Log };

const configurations = new WeakMap<ProviderSettings, Promise<Configuration>>();

/** Gets the provider's description of itself, once. Throws 503 if the provider cannot be reached. */
async function getConfiguration(settings: ProviderSettings, log: Log): Promise<Configuration> {
  const configuration = configurations.get(settings) ?? discover(settings);
  configurations.set(settings, configuration);
  return configuration.catch((error) => {
    configurations.delete(settings);
    throw createUnreachableError(error, log);
  });
}

async function discover({ issuer, clientId, clientSecret }: ProviderSettings): Promise<Configuration> {
  const { discovery, enableNonRepudiationChecks, allowInsecureRequests } = await loadLibrary();
  // The settings accept http: only for a provider on this machine.
  const isInsecure = issuer.startsWith('http:');
  const execute = [enableNonRepudiationChecks, ...(isInsecure ? [allowInsecureRequests] : [])];
  return discovery(new URL(issuer), clientId, clientSecret, undefined, { execute, timeout: timeoutSeconds });
}

/** Derives state, nonce and verifier from the token, so that nothing but its hash has to be stored. */
const derive = (name: 'state' | 'nonce' | 'verifier', token: string) => sha256(`${name} ${token}`);

/** Returns the URL at which the provider signs the user in. */
export async function createAuthorizationUrl({
  settings,
  origin,
  token,
  isConfirmation,
  log,
}: Exchange): Promise<string> {
  const configuration = await getConfiguration(settings, log);
  const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await loadLibrary();
  return buildAuthorizationUrl(configuration, {
    redirect_uri: new URL(returnPath, origin).href,
    scope: 'openid profile email',
    state: derive('state', token),
    nonce: derive('nonce', token),
    code_challenge: await calculatePKCECodeChallenge(derive('verifier', token)),
    code_challenge_method: 'S256',
    ...(settings.domain && { hd: settings.domain }),
    ...(settings.secondFactorAcr.length > 0 && { acr_values: settings.secondFactorAcr.join(' ') }),
    // Without this prompt, the provider would sign in the next person at this browser as the last one.
    ...(isConfirmation ? { max_age: '0' } : { prompt: 'select_account' }),
  }).href;
}

/** Checks what the provider returned, and gets the signed claims about the user. */
export async function readClaims({ settings, origin, token, isConfirmation, log }: Exchange, query: string) {
  const configuration = await getConfiguration(settings, log);
  const { authorizationCodeGrant } = await loadLibrary();
  const address = new URL(returnPath, origin);
  address.search = query;
  const checks = {
    expectedState: derive('state', token),
    expectedNonce: derive('nonce', token),
    pkceCodeVerifier: derive('verifier', token),
    ...(isConfirmation && { maxAge: maxAgeSeconds }),
  };
  const tokens = await authorizationCodeGrant(configuration, address, checks).catch((error) => {
    if (isProviderFailure(error)) throw createUnreachableError(error, log);
    log.warn(describeFailure(error), 'a sign-in through the provider failed');
    throw createProviderRetryError();
  });
  return tokens.claims() as IDToken;
}

/** Whether the provider or the settings are at fault, and not this sign-in. */
function isProviderFailure(error: Error & { code?: string; error?: string }): boolean {
  if (error instanceof TypeError) return error.message === 'fetch failed';
  const codes = ['OAUTH_TIMEOUT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON', 'OAUTH_PARSE_ERROR'];
  return codes.includes(error.code ?? '') || error.error === 'invalid_client';
}

/** For the log: also the provider's code, such as `invalid_client`. Its words may name the user. */
const describeFailure = (error: unknown) => ({ err: error, providerError: (error as { error?: string }).error });

function createUnreachableError(error: unknown, log: Log): HttpError {
  log.error(
    describeFailure(error),
    'the provider of single sign-on does not answer as it should (docs/single-sign-on.md)',
  );
  return new HttpError(503, 'Single sign-on cannot be reached at the moment. Try again in a few minutes.', {
    code: 'PROVIDER_UNREACHABLE',
    retryAfter: 60,
  });
}

export const createProviderRetryError = () => new HttpError(400, signInAgainMessage, { code: 'SIGN_IN_AGAIN' });

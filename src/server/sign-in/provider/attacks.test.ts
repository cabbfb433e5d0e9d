import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { clientSettings, startOidcProvider, type TestProvider } from '../../testing/oidc-provider.ts';
import { engines, startTestServer } from '../../testing/server.ts';
import { linkUser, returnFromProvider, signInAtProvider, startAtProvider } from '../../testing/single-sign-on.ts';
import { createTestServer, setUp } from '../../testing/test-server.ts';

const again = { status: 400, body: { code: 'SIGN_IN_AGAIN' } };

describe.each(engines)('attacks on single sign-on on %s', (engine) => {
  const provider = setUp(() => startOidcProvider({ sian: {}, huw: {} }));
  const { server } = createTestServer(engine, () => provider.settings);
  beforeAll(async () => {
    await linkUser(server, provider, (await server.as('None', 'Mounds')).id, 'sian');
  });
  afterEach(() => provider.tamper());

  const countSessions = async () => (await server.db.selectFrom('sessions').select('token_hash').execute()).length;

  type Tamper = NonNullable<Parameters<TestProvider['tamper']>[0]>;
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const forged: Record<string, Tamper> = {
    'of another issuer': (claims, sign) => sign({ ...claims, iss: 'https://other.example' }),
    'for another client': (claims, sign) => sign({ ...claims, aud: 'another' }),
    'for several clients': (claims, sign) => sign({ ...claims, aud: [clientSettings.OIDC_CLIENT_ID, 'another'] }),
    'with another nonce': (claims, sign) => sign({ ...claims, nonce: 'another' }),
    'without a nonce': ({ nonce: _, ...claims }, sign) => sign(claims),
    'that has expired': (claims, sign) =>
      sign({ ...claims, exp: Number(claims.iat) - 600, iat: Number(claims.iat) - 1200 }),
    'without a subject': ({ sub: _, ...claims }, sign) => sign(claims),
    'signed with another key': (claims, sign) => sign(claims, {}, provider.newKey()),
    'signed with a key that the provider does not have': (claims, sign) =>
      sign(claims, { kid: 'new' }, provider.newKey()),
    'with an altered subject': (claims, sign) => {
      const [header, , signature] = sign(claims).split('.');
      return [header, encode({ ...claims, sub: 'huw' }), signature].join('.');
    },
    'without a signature': (claims, sign) => sign(claims, { alg: 'none' }),
    'signed with the secret of the client': (claims) => {
      const content = `${encode({ alg: 'HS256' })}.${encode(claims)}`;
      const signature = createHmac('sha256', clientSettings.OIDC_CLIENT_SECRET).update(content).digest('base64url');
      return `${content}.${signature}`;
    },
  };

  test('the token that the provider signs is accepted', async () => {
    provider.tamper((claims, sign) => sign(claims));
    expect((await signInAtProvider(server, provider, 'sian')).status).toBe(200);
  });

  test.each(Object.keys(forged))('a token %s is rejected', async (name) => {
    const before = await countSessions();
    provider.tamper(forged[name]);
    expect(await signInAtProvider(server, provider, 'sian')).toMatchObject(again);
    expect(await countSessions()).toBe(before);
  });

  test('a reply of the provider is accepted once, and only in the browser that began the sign-in', async () => {
    const [mine, other] = [await startAtProvider(server), await startAtProvider(server)];
    const query = await provider.signIn(mine.url, 'sian');

    expect(await returnFromProvider(server, other.cookie, query)).toMatchObject(again);
    expect(await returnFromProvider(server, '', query)).toMatchObject(again);
    const { status, cookies } = await returnFromProvider(server, mine.cookie, query);
    expect(status).toBe(200);
    expect(cookies.hs_provider).toBe('');
    expect(await returnFromProvider(server, mine.cookie, query)).toMatchObject(again);
  });

  test('two returns at once begin one session', async () => {
    const { url, cookie } = await startAtProvider(server);
    const query = await provider.signIn(url, 'sian');
    const steps = await Promise.all([1, 2].map(() => returnFromProvider(server, cookie, query)));
    expect(steps.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });

  test('a code from another sign-in with the state of this one is rejected', async () => {
    const [mine, other] = [await startAtProvider(server), await startAtProvider(server)];
    const query = new URLSearchParams(await provider.signIn(mine.url, 'huw'));
    query.set('code', new URLSearchParams(await provider.signIn(other.url, 'sian')).get('code') ?? '');
    expect(await returnFromProvider(server, mine.cookie, query.toString())).toMatchObject(again);
  });

  test('a reply of the provider that names another issuer is rejected', async () => {
    const { url, cookie } = await startAtProvider(server);
    const query = new URLSearchParams(await provider.signIn(url, 'sian'));
    query.set('iss', 'https://other.example');
    expect(await returnFromProvider(server, cookie, query.toString())).toMatchObject(again);
  });

  test('a user who cancels at the provider is asked to sign in again', async () => {
    expect(await signInAtProvider(server, provider, 'cancel')).toMatchObject(again);
  });

  test('the tokens of sessions and of other steps do not complete a sign-in', async () => {
    const { hs_session = '' } = (await signInAtProvider(server, provider, 'sian')).cookies;
    const { url } = await startAtProvider(server);
    const query = await provider.signIn(url, 'sian');
    expect(await returnFromProvider(server, `hs_provider=${hs_session}`, query)).toMatchObject(again);
    const { challenge } = await server.anonymous(api.requestPasskey);
    expect(await returnFromProvider(server, `hs_provider=${challenge}`, query)).toMatchObject(again);
  });

  test('a page of another site can neither begin nor complete a sign-in', async () => {
    for (const path of [api.startProviderSignIn.path, api.completeProviderSignIn.path]) {
      const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'cross-site' };
      const response = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: '{}' });
      expect(response.status).toBe(403);
    }
  });

  test('a query of 16,000 characters is read, and a longer one is not', async () => {
    const get = (length: number) => fetch(`${server.url}/sign-in/return?code=${'a'.repeat(length)}`);
    expect((await get(15_900)).status).not.toBe(400);
    expect((await get(16_000)).status).toBe(400);
    const post = (length: number) => returnFromProvider(server, '', 'a'.repeat(length));
    expect(await post(16_000)).toMatchObject(again);
    expect(await post(16_001)).toMatchObject({ status: 400, body: { fields: { query: expect.any(String) } } });
  });
});

test.each([
  ['names another issuer', 'https://other.example', 503],
  ['names its own issuer', undefined, 200],
])('a provider whose description %s is used only if that is the one in the settings', async (_, issuer, status) => {
  const provider = createServer((_, response) => {
    const description = { issuer: issuer ?? origin, authorization_endpoint: `${origin}/sign-in` };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(description));
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const server = await startTestServer('sqlite', { OIDC_ISSUER: origin, ...clientSettings });
  expect(await startAtProvider(server)).toMatchObject({ status });
  await server.stop();
  await new Promise((resolve) => provider.close(resolve));
});

describe('a sign-in at the provider that took more than ten minutes', () => {
  test('a sign-in that took too long has to be started again', async () => {
    let offset = 0;
    await using provider = await startOidcProvider({ sian: {} });
    await using server = await startTestServer('sqlite', provider.settings, () => new Date(Date.now() + offset));
    const { url, cookie } = await startAtProvider(server);
    const query = await provider.signIn(url, 'sian');
    offset = 11 * 60_000;
    expect(await returnFromProvider(server, cookie, query)).toMatchObject(again);
  });
});

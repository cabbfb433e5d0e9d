import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { hashIdentity, insertLink } from '../auth/identity-links.ts';
import { startOidcProvider, type TestProvider } from '../testing/oidc-provider.ts';
import { engines, startTestServer, type TestServer } from '../testing/server.ts';
import { useProvider } from '../testing/single-sign-on.ts';

describe.each(engines)('%s', (engine) => {
  let provider: TestProvider;
  let server: TestServer;
  beforeAll(async () => {
    provider = await startOidcProvider({ sian: {}, huw: {} });
    server = await startTestServer(engine, provider.settings);
  });
  afterAll(async () => {
    await server.stop();
    await provider.stop();
  });

  const link = (userId: string, sub: string) => {
    const identity = { identityHash: hashIdentity(provider.issuer, sub), userId, by: '', lastSignInAt: null };
    return insertLink(server.db, identity, new Date());
  };

  test('a linked user signs in through the provider', async () => {
    const staff = await server.as('None', 'Mounds');
    await link(staff.id, 'sian');

    const { status, body, cookies } = await useProvider(server, provider, 'sian');

    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toEqual({ success: true, role: 'None', purpose: 'sign in' });
    const client = server.withCookie(`hs_session=${cookies.hs_session}`, staff.id, staff.username);
    expect((await client(api.getSession)).user.id).toBe(staff.id);
  });
});

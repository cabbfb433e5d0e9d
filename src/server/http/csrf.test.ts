// A request that changes data must come from our own pages, or from a client that is not a browser.
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { password } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

const ownOrigin = 'https://park.example';
const fetchSites = [undefined, 'same-origin', 'same-site', 'cross-site', 'none', 'garbage'];
const origins = [
  undefined,
  ownOrigin,
  'null',
  'https://evil.example',
  `${ownOrigin}.evil.example`,
  'http://park.example',
  '',
];
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH'];

const isAccepted = (method: string, site: string | undefined, origin: string | undefined) =>
  method === 'GET' ||
  method === 'HEAD' ||
  (site === undefined ? origin === undefined || origin === ownOrigin : site === 'same-origin');

describe('a request from another site', () => {
  const { server } = createTestServer('sqlite', { PUBLIC_URL: ownOrigin });
  const staff = server.user('None');

  test.each(methods)('a %s request from another site is rejected if the method changes data', async (method) => {
    for (const site of fetchSites)
      for (const origin of origins) {
        const headers = {
          ...(site !== undefined && { 'sec-fetch-site': site }),
          ...(origin !== undefined && { origin }),
        };
        for (const path of ['/api/delete-report/abc', '/api/nothing']) {
          const response = await staff.fetch(path, { method, headers });
          const text = await response.text();
          expect([site, origin, path, response.status === 403 && text.includes('Request blocked')]).toEqual([
            site,
            origin,
            path,
            !isAccepted(method, site, origin),
          ]);
        }
      }
  });

  test('a sign-in or sign-out from another site is rejected, and the session stays unchanged', async () => {
    const body = JSON.stringify({ username: staff.username, password });
    for (const [name, value] of [
      ['sec-fetch-site', 'cross-site'],
      ['origin', 'https://evil.example'],
      ['origin', 'null'],
    ] as const)
      for (const path of [api.login.path, api.logout.path]) {
        const response = await staff.fetch(path, {
          method: 'POST',
          body,
          headers: { [name]: value, 'content-type': 'application/json' },
        });
        expect([response.status, response.headers.get('set-cookie')]).toEqual([403, null]);
        expect(await response.json()).toMatchObject({ message: 'Request blocked' });
      }
    await staff(api.getSession);
  });

  test('a request from another site is rejected before its user is looked up', async () => {
    const response = await server.anonymous.fetch(api.submitAccident.path, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    expect(response.status).toBe(403);
  });
});

describe('a request to a server without PUBLIC_URL', () => {
  const { server } = createTestServer('sqlite');

  test('without PUBLIC_URL, a page may send requests to its own origin only', async () => {
    for (const [origin, status] of [
      [server.url, 200],
      [server.url.replace('127.0.0.1', 'localhost'), 403],
      ['https://evil.example', 403],
      ['null', 403],
    ] as const) {
      const response = await server.anonymous.fetch(api.logout.path, { method: 'POST', headers: { origin } });
      expect([origin, response.status]).toEqual([origin, status]);
    }
  });
});

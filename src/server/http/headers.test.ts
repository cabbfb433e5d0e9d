// Each kind of response has exactly these headers, and none that reveals the server's software.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { registerBuiltPages } from '../pages/pages.ts';
import { newReport, uploadPhoto } from '../testing/factories.ts';
import { createTestFolder } from '../testing/folder.ts';
import { createRawRequest, sendRaw } from '../testing/raw.ts';
import type { TestClient } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

const commonHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'x-robots-tag': 'noindex',
};
const data = {
  ...commonHeaders,
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
  'cache-control': 'no-store',
};
const page = {
  ...commonHeaders,
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; font-src 'self'; worker-src 'self' blob:; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
};
const json = { 'content-type': 'application/json; charset=utf-8' };

/**
 * Headers that are not compared, because they depend on the connection, the body or the time, or
 * only some responses have them.
 */
const variableHeaders = new Set([
  ...['content-type', 'content-length', 'transfer-encoding', 'content-encoding', 'date', 'connection', 'keep-alive'],
  ...[
    'vary',
    'allow',
    'retry-after',
    'content-disposition',
    'set-cookie',
    'last-modified',
    'etag',
    'accept-ranges',
    'link',
  ],
]);

function expectHeaders(headers: Record<string, string>, expectedHeaders: Record<string, string>) {
  expect(headers).toMatchObject(expectedHeaders);
  const others = Object.keys(headers).filter((name) => !variableHeaders.has(name) && !(name in expectedHeaders));
  expect(others).toEqual([]);
}

const screens = createTestFolder();
mkdirSync(join(screens, 'assets'));
writeFileSync(join(screens, 'index.html'), '<!doctype html><title>%OPERATOR_NAME%</title>');
writeFileSync(join(screens, 'assets/app-1a2b.js'), 'export {};');
writeFileSync(join(screens, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');

describe.each([
  ['http', '', {}],
  ['https', 'https://park.example', { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }],
])('headers over %s', (_, publicUrl, hsts) => {
  const settings = { PUBLIC_URL: publicUrl, OPERATOR_NAME: '<Fun> & Sun' };
  const { server } = createTestServer('sqlite', settings, undefined, (...to) => registerBuiltPages(...to, screens));
  const staff = server.user('None');
  const reviewer = server.user('Admin');

  test('API responses and errors have exactly the expected headers', async () => {
    const report = await staff(api.submitAccident, { body: await newReport(staff) });
    const photo = await uploadPhoto(staff);
    const postRequest = { method: 'POST', headers: { 'content-type': 'application/json' } };
    for (const [status, client, path, init] of [
      [200, staff, '/api/protected'],
      [200, staff, '/%61pi/protected'],
      [200, staff, photo],
      [200, staff, `${photo}?thumb=1`],
      [200, staff, `${photo}?download=1`],
      [200, reviewer, '/api/get-reports'],
      [200, reviewer, '/api/openapi.json'],
      [400, staff, '/api/submit-accident', { ...postRequest, body: '{' }],
      [401, server.anonymous, '/api/protected'],
      [401, server.anonymous, photo],
      [401, server.anonymous, '/api/login', { ...postRequest, body: '{"username":"nobody","password":"x"}' }],
      [403, staff, '/api/get-reports'],
      [403, staff, '/api/logout', { method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } }],
      [404, staff, '/api/nothing'],
      [404, staff, '/uploads/nothing'],
      [404, staff, '/API/nothing'],
      [404, staff, '/api?x'],
      [405, staff, '/api/protected', { method: 'DELETE' }],
      [
        409,
        staff,
        '/api/submit-accident',
        { ...postRequest, body: JSON.stringify(await createReportWithRepeatedPhoto()) },
      ],
      [413, staff, '/api/submit-accident', { ...postRequest, body: `"${'a'.repeat(300_000)}"` }],
      [415, staff, '/api/submit-accident', { method: 'POST', body: 'x' }],
    ] as [number, TestClient, string, RequestInit?][]) {
      const response = await client.fetch(path, init);
      expect([path, response.status]).toEqual([path, status]);
      const headers = Object.fromEntries(response.headers);
      expectHeaders(headers, { ...data, ...hsts, ...(status >= 400 && json) });
      await response.arrayBuffer();
    }
    const { status, headers } = await reviewer.fetch(`/api/report-pdf/${report.id}`);
    expect(status).toBe(200);
    const csp = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    expect(headers.get('content-disposition')).toBe(
      `inline; filename="${report.number} Lido Beach.pdf"; filename*=UTF-8''${report.number}%20Lido%20Beach.pdf`,
    );
    expectHeaders(Object.fromEntries(headers), { ...data, ...hsts, 'content-security-policy': csp });
  });

  async function createReportWithRepeatedPhoto() {
    const path = await uploadPhoto(staff);
    return newReport(staff, { mediaFiles: [{ path }, { path }] });
  }

  test('responses to internal errors have exactly the expected headers', async () => {
    await server.db.schema.alterTable('reports').renameTo('reports_away').execute();
    const response = await reviewer.fetch('/api/report-months?reportType=accident&q=pool');
    await server.db.schema.alterTable('reports_away').renameTo('reports').execute();
    expect(response.status).toBe(500);
    expectHeaders(Object.fromEntries(response.headers), { ...data, ...hsts, ...json });
  });

  test.each([
    [400, 'GARBAGE\r\n\r\n'],
    [400, createRawRequest('GET /api/user/%zz HTTP/1.1')],
    [400, 'GET /api/protected HTTP/1.1\r\n\r\n'],
    [417, createRawRequest('GET /api/protected HTTP/1.1\nExpect: cake')],
    [431, createRawRequest(`GET / HTTP/1.1\nX: ${'a'.repeat(33_000)}`)],
    [401, createRawRequest('GET http://park.example/api/protected HTTP/1.1')],
  ])('a %i to a malformed request has exactly the expected headers', async (status, bytes) => {
    const response = await sendRaw(server.url, bytes);
    expect(response.status).toBe(status);
    expectHeaders(response.headers, { ...data, ...hsts, ...json });
  });

  test('an error shown as a page has exactly the expected headers', async () => {
    const request = createRawRequest('GET /uploads/nothing HTTP/1.1\nSec-Fetch-Mode: navigate');
    const response = await sendRaw(server.url, request);
    expect([response.status, response.headers['content-type']]).toEqual([401, 'text/html; charset=utf-8']);
    const csp =
      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; img-src 'self'; sandbox allow-same-origin";
    expectHeaders(response.headers, { ...data, ...hsts, 'content-security-policy': csp });
  });

  test('pages have exactly the expected headers', async () => {
    for (const path of ['/', '/login', '/reports/accident?x=1', '/index.html', '/apis', '/uploadsx']) {
      const response = await server.anonymous.fetch(path);
      expect([path, response.status, await response.text()]).toEqual([
        path,
        200,
        '<!doctype html><title>&#60;Fun&#62; &#38; Sun</title>',
      ]);
      expectHeaders(Object.fromEntries(response.headers), { ...page, ...hsts, 'cache-control': 'no-store' });
    }
    const asset = await server.anonymous.fetch('/assets/app-1a2b.js');
    expect([asset.status, asset.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
    expectHeaders(Object.fromEntries(asset.headers), {
      ...page,
      ...hsts,
      'cache-control': 'public, max-age=31536000, immutable',
    });
    const missing = await server.anonymous.fetch('/assets/app-0000.js');
    expect(missing.status).toBe(404);
    expectHeaders(Object.fromEntries(missing.headers), { ...page, ...hsts, ...json });
    for (const path of ['/operator-logo', '/logo.svg']) {
      const logo = await server.anonymous.fetch(path);
      expect([logo.status, logo.headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8']);
    }
  });

  test('no response allows CORS', async () => {
    const response = await staff.fetch('/api/protected', {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    });
    expect(response.status).toBe(405);
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

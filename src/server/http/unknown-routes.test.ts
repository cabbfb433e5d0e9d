import { describe, expect, test } from 'vitest';
import { contract } from '#shared/api.ts';
import type { Endpoint } from '#shared/contract.ts';
import { expectError, readResponse } from '../testing/errors.ts';
import { createRawRequest, sendRaw } from '../testing/raw.ts';
import { createTestServer } from '../testing/test-server.ts';

const { server } = createTestServer('sqlite');
const staff = server.user('None');
const reviewer = server.user('Admin');

describe('unknown paths', () => {
  test.each([
    'GET /api',
    'GET /api/',
    'GET /api/nothing',
    'GET /api?x=1',
    'GET /%61pi/nothing',
    'GET /API/nothing',
    'GET //api/nothing',
    'POST /api/nothing',
    'GET /api/protected/',
    'GET /api/protected/x',
    'GET /uploads',
    'PUT /uploadsx/y',
    'GET /assets/nothing.js',
    'DELETE /nothing',
  ])('the unknown route "%s" gets a standard 404', async (call) => {
    expectError(await sendRaw(server.url, createRawRequest(`${call} HTTP/1.1`)), 404);
  });

  test('a body sent to an unknown path is not read', async () => {
    for (const type of ['text/plain', 'application/json', 'multipart/form-data'])
      expectError(
        await sendRaw(
          server.url,
          createRawRequest(`POST /api/nothing HTTP/1.1\nContent-Type: ${type}\nContent-Length: 1000000`),
        ),
        404,
      );
  });

  test.each([
    ['GET', '/api/reports/x'.padEnd(60, 'y'), 404],
    ['GET', '/api/reports/..%2f..%2fetc', 404],
    ['GET', '/api/user/%00', 400],
    ['GET', `/api/user/${'9'.repeat(1000)}`, 400],
    ['GET', `/api/report-pdf/${'9'.repeat(1000)}`, 404],
    ['DELETE', '/api/delete-report/%27%20or%201=1', 404],
  ])('"%s %s" with an invalid id gets a standard error', async (method, path, status) => {
    expectError(await readResponse(await reviewer.fetch(path, { method })), status);
  });
});

describe('another method on a known path', () => {
  test('a wrong method on a known path gets a 405 with the allowed methods', async () => {
    const methodsByPath = new Map(
      [...['/uploads/2026/01/x.jpg', '/api/openapi.json', '/healthz']].map((path) => [path, ['GET', 'HEAD']]),
    );
    for (const endpoint of Object.values<Endpoint>(contract)) {
      const path = endpoint.path.replace(/\{\w+\}/g, 'abc');
      methodsByPath.set(path, [
        ...(methodsByPath.get(path) ?? []),
        endpoint.method,
        ...(endpoint.method === 'GET' ? ['HEAD'] : []),
      ]);
    }
    expect(methodsByPath.size).toBeGreaterThan(10);
    for (const [path, methods] of methodsByPath)
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND']) {
        if (methods.includes(method)) continue;
        const response = await sendRaw(server.url, createRawRequest(`${method} ${path} HTTP/1.1`));
        expect([method, path, response.status]).toEqual([method, path, 405]);
        expect(response.headers.allow?.split(', ').toSorted()).toEqual(methods.toSorted());
        if (method !== 'HEAD') expectError(response, 405);
      }
  });

  test('TRACE is rejected on every path with the allowed methods', async () => {
    for (const path of ['/', '/reporting', '/assets/x.js', '/api/none', '/uploads/none.jpg']) {
      const response = await sendRaw(server.url, createRawRequest(`TRACE ${path} HTTP/1.1`));
      expect([path, response.status]).toEqual([path, 405]);
      expect(response.headers.allow).toContain('GET');
    }
  });

  test('a request with two Host headers is rejected', async () => {
    const request = createRawRequest(`GET /api/protected HTTP/1.1\nHost: another.example\nCookie: ${staff.cookie}`);
    expectError(await sendRaw(server.url, request), 400);
  });

  test('a HEAD request gets the response to GET without its body', async () => {
    for (const [client, status] of [
      [server.anonymous, 401],
      [staff, 403],
      [reviewer, 200],
    ] as const) {
      const response = await client.fetch('/api/get-reports', { method: 'HEAD' });
      expect([response.status, await response.text()]).toEqual([status, '']);
    }
    expect((await staff.fetch('/api/protected', { method: 'HEAD' })).status).toBe(200);
    expect((await staff.fetch('/healthz', { method: 'HEAD' })).status).toBe(200);
  });
});

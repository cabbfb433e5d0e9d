// Every error has one form, and reveals nothing about the server's software.
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { api, contract } from '#shared/api.ts';
import { type Endpoint, isMultipart } from '#shared/contract.ts';
import { expectError, readResponse } from '../testing/errors.ts';
import { newReport } from '../testing/factories.ts';
import { createRawRequest, openRawConnection, sendRaw } from '../testing/raw.ts';
import type { TestClient } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

const { server } = createTestServer('sqlite');
const staff = server.user('None');
const reviewer = server.user('Admin');

const json = { 'content-type': 'application/json' };
const post = async (client: TestClient, path: string, body: BodyInit, headers: HeadersInit = json) =>
  readResponse(await client.fetch(path, { method: 'POST', body, headers }));

describe('malformed requests', () => {
  test.each([
    ['garbage', 'GARBAGE\r\n\r\n', 400],
    ['a TLS hello', Buffer.from('16030100c8010000c40303', 'hex'), 400],
    ['a header without a colon', 'GET /api/protected HTTP/1.1\r\nHost: a\r\nnonsense\r\n\r\n', 400],
    ['a header with a bare line end', 'GET /api/protected HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n', 400],
    ['a space before the colon of a header', 'GET /api/protected HTTP/1.1\r\nHost : a\r\n\r\n', 400],
    ['an unknown HTTP version', 'GET /api/protected HTTP/9.9\r\nHost: a\r\n\r\n', 400],
    [
      'two Content-Length headers',
      createRawRequest('POST /api/login HTTP/1.1\nContent-Length: 2\nContent-Length: 3', '{}'),
      400,
    ],
    ['a negative Content-Length', createRawRequest('POST /api/login HTTP/1.1\nContent-Length: -2', '{}'), 400],
    [
      'a Content-Length beside chunked encoding',
      createRawRequest('POST /api/login HTTP/1.1\nContent-Length: 4\nTransfer-Encoding: chunked', '0\r\n\r\n'),
      400,
    ],
    ['no Host header', 'GET /api/protected HTTP/1.1\r\n\r\n', 400],
    ['an unknown Expect header', createRawRequest('GET /api/openapi.json HTTP/1.1\nExpect: cake'), 417],
    ['headers of 33 KiB', createRawRequest(`GET /api/protected HTTP/1.1\nX-Long: ${'a'.repeat(33 * 1024)}`), 431],
    [
      '600 cookies',
      createRawRequest(`GET /api/protected HTTP/1.1\n${`Cookie: ${'c'.repeat(70)}=1\n`.repeat(600)}`),
      431,
    ],
  ])('a request with %s gets the standard error', async (_, bytes, status) => {
    expectError(await sendRaw(server.url, bytes), status);
  });

  test('a request body with a broken chunk gets the standard error', async () => {
    const head = 'POST /api/login HTTP/1.1\nContent-Type: application/json\nTransfer-Encoding: chunked';
    expectError(await sendRaw(server.url, createRawRequest(head, 'zz\r\n{}\r\n0\r\n\r\n')), 400);
  });

  test.each(['/api/user/%zz', '/api/user/%c0%ae', '/api/user/%', '/uploads/%zz', '/%ff<script>alert(1)</script>'])(
    'the invalid URL %s is rejected without repeating it',
    async (path) => {
      const response = await sendRaw(server.url, createRawRequest(`GET ${path} HTTP/1.1`));
      expectError(response, 400);
      expect(response.body).not.toContain('%');
      expect(response.body).not.toContain('script');
    },
  );

  test('a URL longer than 2,048 characters is rejected', async () => {
    expectError(
      await sendRaw(server.url, createRawRequest(`GET /api/get-reports?q=${'a'.repeat(2048)} HTTP/1.1`)),
      400,
    );
  });
});

describe('invalid request bodies', () => {
  const report = api.submitAccident.path;
  test.each([
    ['no JSON', '{"name":', 400],
    ['nothing', '', 400],
    ['a list', '[]', 400],
    ['a word', '"report"', 400],
    ['null', 'null', 400],
    ['__proto__', '{"__proto__":{"role":"Admin"}}', 400],
    ['constructor.prototype', '{"constructor":{"prototype":{"role":"Admin"}}}', 400],
    ['an object 11 deep', `${'{"a":'.repeat(11)}1${'}'.repeat(11)}`, 400],
    ['lists 60,000 deep', `${'['.repeat(60_000)}${']'.repeat(60_000)}`, 400],
    ['bytes that are no UTF-8', Buffer.from('{"name":"\xff"}', 'latin1'), 400],
    ['a list of 501', JSON.stringify({ mediaFiles: Array(501).fill(0) }), 413],
    ['an object of 257', JSON.stringify(Object.fromEntries(Array(257).fill(0).entries())), 413],
    ['501 entries in all', JSON.stringify(Array(50).fill(Array(10).fill(0))), 413],
    ['more than 128 KiB', JSON.stringify({ details: 'a'.repeat(128 * 1024) }), 413],
  ])('a request body of %s is rejected', async (_, body, status) => {
    expectError(await post(staff, report, body), status);
    expect(({} as { role?: string }).role).toBeUndefined();
  });

  test.each([
    ['a name that no schema has', '"more":"x"', 201],
    ['__proto__', '"__proto__":{"role":"Admin"}', 400],
    ['constructor.prototype', '"constructor":{"prototype":{"role":"Admin"}}', 400],
    ['bytes that are no UTF-8', '"more":"\xff"', 400],
  ])('a report with an additional member (%s) gets the expected status', async (_, member, status) => {
    const body = JSON.stringify(await newReport(staff)).slice(1);
    const sent = Buffer.concat([Buffer.from(`{${member},`, 'latin1'), Buffer.from(body)]);
    expect((await post(staff, report, sent)).status).toBe(status);
  });

  test('a body of more than 128 KiB without a Content-Length is rejected', async () => {
    const body = new Blob([JSON.stringify({ details: 'a'.repeat(128 * 1024) })]).stream();
    const init = { method: 'POST', headers: json, body, duplex: 'half' } as RequestInit;
    expect((await staff.fetch(report, init)).status).toBe(413);
  });

  const calls = Object.entries<Endpoint>(contract).filter(
    ([, { method, body }]) => method !== 'GET' && !(body && isMultipart(body)),
  );
  test.each(calls)('the endpoint %s explains that a JSON body must be an object', async (_, { method, path }) => {
    const admin = await server.as('Admin');
    for (const body of ['[]', '[{}]', 'null', '7', 'true', '"report"']) {
      const address = path.replace(/\{\w+\}/g, 'abc');
      const response = await readResponse(await admin.fetch(address, { method, body, headers: json }));
      expectError(response, 400);
      expect([body, JSON.parse(response.body)]).toMatchObject([
        body,
        { message: 'Send a JSON object, such as {"name": "value"}', code: 'INVALID' },
      ]);
    }
  });

  test('an error about an invalid value names its path in the request', async () => {
    const admin = await server.as('Admin');
    const getMessage = async (path: string, body: object) =>
      JSON.parse((await post(admin, path, JSON.stringify(body))).body).message;
    const checklist = { title: 'Pool', sections: [{ title: 'Gate', type: 'text', required: true }] };
    const { path: submitPath } = api.submitChecklist;
    expect(await getMessage(submitPath, { data: {} })).toBe('The field "checklistId" is missing');
    expect(await getMessage(submitPath, { checklistId: 7, data: {} })).toBe('The field "checklistId" must be text');
    expect(await getMessage(submitPath, { checklistId: 'a', data: [] })).toBe('The field "data" must be an object');
    expect(await getMessage(submitPath, { checklistId: 'a', data: {}, checklistVersion: 'x' })).toBe(
      'The field "checklistVersion" must be a number',
    );
    expect(await getMessage(submitPath, { checklistId: 'a', data: { '<script>': 7 } })).toBe(
      'A field does not have the required format',
    );
    expect(await getMessage(api.createAudit.path, { folder_id: 'a', title: 'x', is_urgent: 'yes' })).toBe(
      'The field "is_urgent" must be true or false',
    );
    expect(await getMessage(api.createChecklist.path, { ...checklist, title: 7 })).toBe('Give the checklist a title');
    const { body } = await readResponse(await admin.fetch('/api/get-reports?limit=501'));
    expect(JSON.parse(body)).toMatchObject({
      message: 'The field "limit" must be at most 500',
      fields: { limit: 'The field "limit" must be at most 500' },
    });
  });

  test.each([
    ['an object 11 deep', '"more":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":1}}}}}}}}}}'],
    ['a number beyond the range of numbers', '"more":1e400'],
    ['the same name twice', '"name":"a"'],
    ['a NUL', '"more":"\\u0000"'],
    ['a NUL in a name', '"mo\\u0000re":1'],
    ['a control character', '"more":"\\u001b[31m"'],
    ['half a character', '"more":"\\ud83d"'],
  ])('a report with %s is rejected, even where no schema reads that value', async (_, more) => {
    const body = JSON.stringify(await newReport(staff)).replace(/}$/, `,${more}}`);
    expectError(await post(staff, report, body), 400);
  });

  test('a JSON body nested 10 levels deep is accepted', async () => {
    const body = JSON.stringify(await newReport(staff)).replace(/}$/, `,"more":${'['.repeat(9)}${']'.repeat(9)}}`);
    expect((await post(staff, report, body)).status).toBe(201);
  });

  test('brackets inside texts do not count as levels of a JSON body', async () => {
    const details = `${'[{"'.repeat(50)}\\" "name":1, \\`;
    const body = JSON.stringify(await newReport(staff, { details }));
    expect((await post(staff, report, body)).status).toBe(201);
  });

  test('an invalid request body gets an immediate response', async () => {
    const invalidBodies: [number, string][] = [
      [400, `${'['.repeat(60_000)}${']'.repeat(60_000)}`],
      [413, `{${Array.from({ length: 10_000 }, (_, at) => `"${at}":1`)}}`],
      [400, `{"a":"${'\\"'.repeat(60_000)}"}`],
      [400, `{"a":${'9'.repeat(120_000)}}`],
      [400, `{"contactNumber":"${'0'.repeat(120_000)}"}`],
      [400, `{"date":"${' '.repeat(120_000)}x"}`],
    ];
    for (const [status, bomb] of invalidBodies) {
      const started = performance.now();
      expectError(await post(staff, report, bomb), status);
      expect(performance.now() - started).toBeLessThan(1000);
    }
  });

  test.each([
    ['text/plain', 'text/plain', '{}'],
    ['a form', 'application/x-www-form-urlencoded', 'username=admin&password=x'],
    ['a multipart form', 'multipart/form-data; boundary=x', '--x--\r\n'],
    ['another media type for JSON', 'text/json', '{}'],
    ['several media types', 'application/json, text/plain', '{}'],
    ['no media type', '', '{}'],
  ])('a JSON endpoint rejects %s', async (_, type, body) => {
    for (const [client, path] of [
      [staff, report],
      [server.anonymous, api.login.path],
      [staff, api.logout.path],
    ] as const) {
      const response = await sendRaw(
        server.url,
        createRawRequest(
          `POST ${path} HTTP/1.1\n${type && `Content-Type: ${type}\n`}Cookie: ${client.cookie}\nContent-Length: ${body.length}`,
          body,
        ),
      );
      expectError(response, 415);
    }
    expect((await staff.fetch(api.getSession.path)).status).toBe(200);
  });

  test.each(['gzip', 'deflate', 'br', 'gzip, identity', 'x'])(
    'a request body with the Content-Encoding "%s" is rejected',
    async (encoding) => {
      expectError(await post(staff, report, '{}', { ...json, 'content-encoding': encoding }), 415);
    },
  );

  test('a compressed request body without a session gets a 401', async () => {
    expectError(await post(server.anonymous, report, '{}', { ...json, 'content-encoding': 'gzip' }), 401);
  });

  test.each([
    ['q', '%00'],
    ['q', 'a%00b'],
    ['q', '%1b[31m'],
    ['month', '%00'],
    ['after', '%00'],
    ['limit', '0'],
    ['limit', '501'],
    ['limit', '1e400'],
    ['limit', ''],
    ['limit', '1&limit=2'],
    ['reportType', 'constructor'],
    ['q', 'a'.repeat(201)],
  ])('a query with %s=%s is rejected', async (name, value) => {
    expectError(await readResponse(await reviewer.fetch(`/api/get-reports?${name}=${value}`)), 400);
  });

  test('a report field with a wrong value is rejected, and the error names the field', async () => {
    for (const [field, values] of Object.entries({
      age: [null, '', false, true, 1.5, -1, 121, '1e1', '0x10', [], [5], {}, '１２'],
      date: [null, '', 0, 20260314, '2026-02-30', '14/3', 'today'],
      time: [null, '', 1405, '24:00', '14:05:61'],
      name: [null, 5, ['a'], {}, '   ', 'a'.repeat(121)],
      mediaFiles: [
        null,
        {},
        [],
        'x',
        [null],
        [{}],
        [{ path: 'data:image/png;base64,AAAA' }],
        [{ path: 'http://x/y.jpg' }],
      ],
      signature: [null, '', {}, { path: '/uploads/../../etc/passwd' }],
      selectedPlace: ['', 'Nowhere', null, ['Lido Beach']],
    }))
      for (const value of values) {
        const response = await post(staff, report, JSON.stringify({ ...(await getValidReport()), [field]: value }));
        expectError(response, 400);
        expect(Object.keys(JSON.parse(response.body).fields).every((name) => name.startsWith(field))).toBe(true);
      }
  });
  let validReport: Promise<object> | undefined;
  const getValidReport = () => (validReport ??= newReport(staff));
});

describe('a request without a session', () => {
  test('a body of 20 MB without a session is rejected before a byte is read', async () => {
    for (const path of [api.uploadImage.path, api.submitAccident.path]) {
      const connection = openRawConnection(server.url);
      const type = path === api.uploadImage.path ? 'multipart/form-data; boundary=x' : 'application/json';
      connection.write(createRawRequest(`POST ${path} HTTP/1.1\nContent-Type: ${type}\nContent-Length: 20000000`));
      expectError(await connection.readResponse(), 401);
      connection.socket.destroy();
    }
  });

  test('an invalid request without a session gets a 401, not a 400', async () => {
    for (const body of ['{', '{"__proto__":1}', '[]'])
      expectError(await post(server.anonymous, api.submitAccident.path, body), 401);
    expectError(await post(server.anonymous, api.submitAccident.path, 'x', { 'content-type': 'text/plain' }), 401);
    expectError(await post(server.anonymous, api.submitAccident.path, '{}', { ...json, 'idempotency-key': 'x' }), 401);
  });
});

test('slow and silent connections do not block other requests', async () => {
  const { hostname, port } = new URL(server.url);
  const silentConnections = Array.from({ length: 300 }, (_, at) => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.write(
      at % 2
        ? 'GET /api/protected HTTP/1.1\r\nHost: a\r\nX-Slow: '
        : createRawRequest('POST /api/login HTTP/1.1\nContent-Type: application/json\nContent-Length: 50', '{'),
    );
    return socket;
  });
  const started = performance.now();
  await Promise.all(Array.from({ length: 20 }, () => staff(api.getSession)));
  expect(performance.now() - started).toBeLessThan(3000);
  for (const socket of silentConnections) socket.destroy();
  const { headersTimeout, requestTimeout, keepAliveTimeout, timeout } = server.running.server.server;
  expect({ headersTimeout, requestTimeout, keepAliveTimeout, timeout }).toEqual({
    headersTimeout: 15_000,
    requestTimeout: 660_000,
    keepAliveTimeout: 30_000,
    timeout: 120_000,
  });
});

test('the response to an internal error reveals nothing about the server', async () => {
  await server.db.schema.alterTable('reports').renameTo('reports_away').execute();
  try {
    expectError(await readResponse(await reviewer.fetch('/api/report-months?reportType=accident&q=pool')), 500);
  } finally {
    await server.db.schema.alterTable('reports_away').renameTo('reports').execute();
  }
});

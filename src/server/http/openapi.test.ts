// The OpenAPI 3.1 document for other programs: complete and valid.
import { beforeAll, expect, test } from 'vitest';
import { type api, contract } from '#shared/api.ts';
import { type Endpoint, isMultipart } from '#shared/contract.ts';
import { startTestServer } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

type Schema = { [key: string]: unknown };
type Operation = {
  operationId: string;
  parameters: { name: string; in: string; required: boolean; schema: Schema }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, { description: string; content: Record<string, { schema: Schema }> }>;
  security?: unknown[];
};
type Document = {
  openapi: string;
  info: Schema;
  paths: Record<string, Record<string, Operation>>;
  components: { [kind: string]: Schema };
};

let document: Document;
const { server } = createTestServer('sqlite');
beforeAll(async () => {
  const response = await server.anonymous.fetch('/api/openapi.json');
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  document = (await response.json()) as Document;
});

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      call: `${method.toUpperCase()} ${path}`,
      path,
      ...operation,
    })),
  );

test('the OpenAPI document has exactly the endpoints of the contract, each with its own id', () => {
  expect(document.openapi).toMatch(/^3\.1\.\d$/);
  expect(document.info).toMatchObject({ title: expect.any(String), version: expect.any(String) });
  const rows = Object.entries<Endpoint>(contract).map(([name, endpoint]) => [
    name,
    `${endpoint.method} ${endpoint.path}`,
  ]);
  expect(
    operations()
      .map(({ operationId, call }) => [operationId, call])
      .toSorted(),
  ).toEqual(rows.toSorted());
});

test('each operation of the OpenAPI document describes its request and responses', () => {
  for (const { operationId, path, parameters, requestBody, responses, security } of operations()) {
    const endpoint: Endpoint = contract[operationId as keyof typeof api];
    const pathParameters = parameters.filter((parameter) => parameter.in === 'path');
    expect(pathParameters.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
    expect(pathParameters.every(({ required }) => required)).toBe(true);
    const names = parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
    expect(new Set(names).size).toBe(names.length);
    expect(Object.keys(requestBody?.content ?? {})).toEqual(
      endpoint.body ? [isMultipart(endpoint.body) ? 'multipart/form-data' : 'application/json'] : [],
    );
    expect(Object.keys(responses).toSorted()).toEqual([String(endpoint.status), 'default']);
    expect(Object.keys(responses[endpoint.status]?.content ?? {})).toEqual([
      { pdf: 'application/pdf', file: 'application/octet-stream' }[String(endpoint.reply)] ?? 'application/json',
    ]);
    expect(security === undefined).toBe(endpoint.access !== 'anyone');
    for (const { description } of Object.values(responses)) expect(description).toBeTruthy();
  }
});

const types = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']);

/** Checks a JSON Schema (draft 2020-12) with all its parts. Throws if one is invalid. */
function checkSchema(schema: unknown, at: string): void {
  if (typeof schema === 'boolean') return;
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) throw new Error(`${at} is no schema`);
  const {
    type,
    properties,
    required,
    items,
    anyOf,
    oneOf,
    allOf,
    enum: values,
    pattern,
    $ref,
    additionalProperties,
    prefixItems,
    not,
    propertyNames,
    $defs,
  } = schema as Schema;
  if ($ref !== undefined && find(String($ref)) === undefined) throw new Error(`${at}: ${$ref} is nowhere`);
  if (type !== undefined && ![type].flat().every((each) => types.has(String(each))))
    throw new Error(`${at}: type ${type}`);
  if (values !== undefined && (!Array.isArray(values) || values.length === 0)) throw new Error(`${at}: enum`);
  if (pattern !== undefined) new RegExp(String(pattern), 'u');
  if ('nullable' in schema || 'example' in schema || 'definitions' in schema) throw new Error(`${at}: words of 3.0`);
  for (const name of (required ?? []) as string[])
    if (!Object.hasOwn(Object(properties), name)) throw new Error(`${at}: ${name} is required and unknown`);
  for (const [name, each] of Object.entries({ ...Object(properties), ...Object($defs) }))
    checkSchema(each, `${at}.${name}`);
  for (const [name, each] of Object.entries({ items, additionalProperties, not, propertyNames }))
    if (each !== undefined) checkSchema(each, `${at}.${name}`);
  for (const list of [anyOf, oneOf, allOf, prefixItems])
    for (const [index, each] of ((list ?? []) as unknown[]).entries()) checkSchema(each, `${at}[${index}]`);
}

const find = (ref: string) =>
  ref.startsWith('#/')
    ? ref
        .slice(2)
        .split('/')
        .reduce<unknown>((at, name) => Object(at)[name.replaceAll('~1', '/').replaceAll('~0', '~')], document)
    : undefined;

test('every schema of the OpenAPI document is valid, and every reference resolves', () => {
  for (const [name, schema] of Object.entries(document.components.schemas ?? {})) checkSchema(schema, name);
  for (const { operationId, parameters, requestBody, responses } of operations()) {
    for (const { name, schema } of parameters) checkSchema(schema, `${operationId} ${name}`);
    for (const { content } of [requestBody, ...Object.values(responses)].filter((each) => each !== undefined))
      for (const [type, { schema }] of Object.entries(content)) checkSchema(schema, `${operationId} ${type}`);
  }
});

test('the OpenAPI document contains no settings of this server', () => {
  const text = JSON.stringify(document);
  for (const secret of [server.folder, server.url, 'password_hash']) expect(text).not.toContain(secret);
});

test('the OpenAPI document has the required fields of a report, and the pattern of its photo paths', () => {
  const report = document.paths['/api/submit-accident']?.post?.requestBody?.content['application/json']?.schema as {
    required: string[];
    properties: Record<string, Schema>;
  };
  expect(report.required.toSorted()).toEqual(
    'affectedUserSignature age contactNumber date details emergencyService employmentStatus location mediaFiles name reporter selectedPlace signature time type'.split(
      ' ',
    ),
  );
  const { pattern } =
    (report.properties.mediaFiles as { items: { properties: Record<string, Schema> } }).items.properties.path ?? {};
  expect(new RegExp(String(pattern), 'u').test('/uploads/2026/01/aaaaaaaaaaaaaaaaaaaaaaaaaa.jpg')).toBe(true);
});

test('the OpenAPI document names the session cookie, which has another name over https', async () => {
  await using secureServer = await startTestServer('sqlite', { PUBLIC_URL: 'https://reports.example.com' });
  const { components } = (await (await secureServer.anonymous.fetch('/api/openapi.json')).json()) as Document;
  expect(components.securitySchemes?.session).toMatchObject({ in: 'cookie', name: '__Host-hs_session' });
  expect(document.components.securitySchemes?.session).toMatchObject({ in: 'cookie', name: 'hs_session' });
});

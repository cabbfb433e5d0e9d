// The contract as an OpenAPI 3.1 document.
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { contract } from '#shared/api.ts';
import { type Endpoint, isMultipart } from '#shared/contract.ts';
import { getCookieName } from '../sign-in/session/session.ts';
import { version } from '../version.ts';

const securityByAccess = {
  anyone: 'Anyone',
  signedIn: 'Signed in',
  reviewer: 'Admin or Health & Safety Manager',
  admin: 'Admin',
  adminOfAllParks: 'Admin of all parks',
};

const toOpenApiSchema = (schema: z.ZodMiniType, io: 'input' | 'output') => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
};

function createRequestBody({ body }: Endpoint) {
  if (!body) return {};
  if (!isMultipart(body))
    return {
      requestBody: { required: true, content: { 'application/json': { schema: toOpenApiSchema(body, 'input') } } },
    };
  const fields = toOpenApiSchema(body.fields, 'input') as { properties?: object; required?: string[] };
  const schema = {
    type: 'object',
    properties: { ...fields.properties, [body.file]: { type: 'string', format: 'binary' } },
    required: [...(fields.required ?? []), ...(body.required ? [body.file] : [])],
  };
  return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } };
}

function listParameters(endpoint: Endpoint) {
  const pathParameters = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,40}$' },
  }));
  const query = endpoint.query
    ? (toOpenApiSchema(endpoint.query, 'input') as { properties?: Record<string, object> })
    : {};
  const queryParameters = Object.entries(query.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema,
  }));
  const key = endpoint.idempotent ? [createHeader('Idempotency-Key', { type: 'string', format: 'uuid' })] : [];
  const version = endpoint.method === 'PUT' ? [createHeader('If-Match')] : [];
  return [
    ...pathParameters,
    ...queryParameters,
    ...key,
    ...(endpoint.forAnotherUser ? headersForOtherUsers : []),
    ...version,
  ];
}

const createHeader = (name: string, schema: object = { type: 'string' }, description?: string) => ({
  name,
  in: 'header',
  required: false,
  ...(description && { description }),
  schema,
});

const headersForOtherUsers = Object.entries({
  'X-Submitted-For':
    'The id of a user whose account was deleted before this could be sent. A reviewer sends it, and the record names both. Audits can only be created and completed in this way.',
  'X-Device-User': 'The id of the user for whom a shared device sends this, with the cookie of the device.',
  'X-Made-At': 'When it was submitted on the shared device. The user must have signed in there before.',
}).map(([name, description]) => createHeader(name, { type: 'string' }, description));

const binaryTypes = { pdf: 'application/pdf', file: 'application/octet-stream' } as const;

function createOperation(name: string, endpoint: Endpoint) {
  const content =
    typeof endpoint.reply === 'string'
      ? { [binaryTypes[endpoint.reply]]: { schema: { type: 'string', format: 'binary' } } }
      : { 'application/json': { schema: toOpenApiSchema(endpoint.reply, 'output') } };
  return {
    operationId: name,
    summary: endpoint.summary,
    description: `Who may: ${securityByAccess[endpoint.access]}.`,
    ...(endpoint.access === 'anyone' && { security: [] }),
    parameters: listParameters(endpoint),
    ...createRequestBody(endpoint),
    responses: {
      [endpoint.status]: { description: 'Done', content },
      default: {
        description: 'Rejected',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

/** Creates the document. `isSecure` determines the name of the session cookie. */
function createOpenApiDocument(isSecure: boolean) {
  const paths: Record<string, Record<string, object>> = {};
  for (const [name, endpoint] of Object.entries<Endpoint>(contract)) {
    paths[endpoint.path] ??= {};
    Object.assign(paths[endpoint.path] as object, { [endpoint.method.toLowerCase()]: createOperation(name, endpoint) });
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Park reports',
      version,
      description: 'Accident and incident reports, checklists and audits of a group of holiday parks.',
    },
    security: [{ session: [] }],
    paths,
    components: {
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: getCookieName(isSecure) } },
      schemas: {
        Error: {
          type: 'object',
          required: ['success', 'message', 'code', 'requestId'],
          properties: {
            success: { const: false },
            message: { type: 'string', description: 'For the person at the screen' },
            code: { type: 'string' },
            requestId: { type: 'string' },
            fields: { type: 'object', additionalProperties: { type: 'string' } },
          },
        },
      },
    },
  };
}

export function registerOpenApi(server: FastifyInstance, isSecure: boolean): void {
  let document: ReturnType<typeof createOpenApiDocument> | undefined;
  server.get('/api/openapi.json', async () => {
    document ??= createOpenApiDocument(isSecure);
    return document;
  });
}

// Parses the path, query and body of a request with the endpoint's schemas.
import type { FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';
import { type Endpoint, isMultipart } from '#shared/contract.ts';
import { HttpError } from '../errors/http-error.ts';
import { getValidationMessage, notAnObjectMessage } from '../errors/validation-messages.ts';
import { deleteTemporary } from '../files/temporary-files.ts';
import { applyIfMatch } from './etag.ts';
import type { ReceivedFile, Services } from './handler-context.ts';
import { assertValidJson } from './json.ts';
import { parseMultipart } from './multipart.ts';

const idPattern = /^[A-Za-z0-9_-]{1,40}$/;

/** Everything a request sent, checked by the endpoint's schemas. */
export type ParsedRequest = {
  params: Record<string, string>;
  query: unknown;
  body: unknown;
  file: ReceivedFile | undefined;
};

/** Receives the body; throws 400 with a message per invalid field. */
export async function parseRequest(
  services: Pick<Services, 'receiver' | 'temporaryFiles'>,
  endpoint: Endpoint,
  request: FastifyRequest,
): Promise<ParsedRequest> {
  const params = parseParams(endpoint, request);
  return { params, ...(await parseContent(services, endpoint, request)) };
}

async function parseContent(
  services: Pick<Services, 'receiver' | 'temporaryFiles'>,
  endpoint: Endpoint,
  request: FastifyRequest,
) {
  assertValidJson(request.query);
  const query = endpoint.query ? validate(endpoint.query, joinParks(request.query)) : undefined;
  if (!isMultipart(endpoint.body)) {
    assertJsonContentType(request);
    // Treat a missing body as `{}`. Anything else must be an object.
    const { body: sentBody = {} } = request;
    if (!isObject(sentBody)) throw new HttpError(400, notAnObjectMessage, { code: 'INVALID' });
    const body = endpoint.body && validate(endpoint.body, sentBody);
    return {
      query,
      body: endpoint.method === 'PUT' ? applyIfMatch(body, request.headers['if-match']) : body,
      file: undefined,
    };
  }
  const { file, fields } = await parseMultipart(services, request, endpoint.body);
  try {
    assertValidJson(fields);
    return { query, body: validate(endpoint.body.fields, fields), file };
  } catch (error) {
    await deleteTemporary(file?.path);
    throw error;
  }
}

/** Several parks may each have a parameter, or be separated by commas: no park has one in its name. */
const joinParks = (query: unknown) => {
  const { park } = query as { park?: unknown };
  return Array.isArray(park) ? { ...Object(query), park: park.join() } : query;
};

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Throws 415 for other types. Other sites can send forms without CORS, so JSON endpoints must not
 * accept them.
 */
function assertJsonContentType({ headers }: FastifyRequest): void {
  const type = headers['content-type'];
  if (type !== undefined && !/^application\/json\s*(?:;|$)/i.test(type))
    throw new HttpError(415, 'This type of content is not accepted');
}

/** Returns the parsed value; throws 400 with a message per invalid field. */
function validate(schema: z.ZodMiniType, value: unknown): unknown {
  const read = schema.safeParse(value, { error: getValidationMessage });
  if (read.success) return read.data;
  const fields: Record<string, string> = {};
  for (const issue of read.error.issues) fields[issue.path.join('.')] ??= issue.message;
  throw new HttpError(400, read.error.issues[0]?.message ?? 'Please check what you entered', {
    code: 'INVALID',
    fields,
  });
}

/**
 * Returns the path parameters. Throws 404 for a malformed id, because no record can have it, unless
 * the endpoint declares another error.
 */
function parseParams(endpoint: Endpoint, request: FastifyRequest): Record<string, string> {
  const params = request.params as Record<string, string>;
  if (Object.values(params).every((value) => idPattern.test(value))) return params;
  throw endpoint.invalidId
    ? new HttpError(endpoint.invalidId.status, endpoint.invalidId.message)
    : new HttpError(404, 'Not found');
}

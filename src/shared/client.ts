// Sends a request to an endpoint with any fetch: the browser's, or a test's.
import { type Body, type ClientEndpoint, isMultipart, type Params, type Query, type Reply } from './contract.ts';

type OptionalIfEmpty<Name extends string, T> = [T] extends [undefined]
  ? unknown
  : Record<never, never> extends T
    ? { [K in Name]?: T }
    : { [K in Name]: T };

export type EndpointInput<R extends ClientEndpoint> = OptionalIfEmpty<
  'params',
  keyof Params<R> extends never ? undefined : Params<R>
> &
  OptionalIfEmpty<'query', Partial<Query<R, 'input'>>> &
  OptionalIfEmpty<'body', Body<R, 'input'>> &
  RequestOptions;

type RequestOptions = {
  /** The file of a multipart request. */
  file?: Blob;
  fileName?: string;
  /** The Idempotency-Key. */
  key?: string;
  /**
   * The id of the user who must be signed in. With another user's session the server responds
   * with 401 and changes nothing.
   */
  userId?: string;
  /** The id of a deleted user whose input a reviewer sends. */
  submittedFor?: string;
  /** For input that a shared device sends with its own cookie: its user, and when it was submitted (ISO 8601). */
  fromDevice?: { userId: string; madeAt: string };
  /** Whether nobody caused this request by using the page. It then does not extend the session. */
  isBackground?: boolean;
  signal?: AbortSignal;
};

/** Says that this page knows the types of questions that came after the first ones, and the operator's list of parks. */
const versionHeaders = { 'x-types': '2', 'x-parks': '1' };

export const backgroundHeaders = { 'x-background': '1' };

/** An error response, or no response (`status` 0). `message` is shown to the user. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** Whether the app's server sent it, not a proxy or a guest network on the way. */
  readonly isFromServer: boolean;
  readonly fields: Record<string, string>;
  /** The raw body. */
  readonly text: string;
  readonly body: Record<string, unknown>;
  /** Seconds after which the server accepts another attempt. */
  readonly retryAfter: number | undefined;

  constructor(status: number, text: string, retryAfter?: number) {
    const body = parseBody(text);
    super(typeof body.message === 'string' ? body.message : '');
    this.status = status;
    this.text = text;
    this.body = body;
    this.code = typeof body.code === 'string' ? body.code : '';
    this.isFromServer = body.success === false && this.code !== '';
    this.fields = (body.fields ?? {}) as Record<string, string>;
    this.retryAfter = retryAfter;
  }
}

function parseBody(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

/** The input of an endpoint that is not known until run time. */
type AnyEndpointInput = RequestOptions & {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
};

/** Returns an endpoint's URL with its parameters: one for each park of a list with commas. */
export function endpointUrl(
  endpoint: ClientEndpoint,
  { params = {}, query = {} }: Pick<AnyEndpointInput, 'params' | 'query'> = {},
): string {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const text = String(value ?? '');
    if (text) for (const part of name === 'park' ? text.split(',') : [text]) search.append(name, part);
  }
  return search.size > 0 ? `${path}?${search}` : path;
}

function createRequestBody(endpoint: ClientEndpoint, { body, file, fileName }: AnyEndpointInput) {
  if (isMultipart(endpoint.body)) {
    const form = new FormData();
    for (const [name, value] of Object.entries(Object(body))) form.set(name, String(value));
    if (file) form.set(endpoint.body.file, file, fileName);
    return { body: form };
  }
  return body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}

/** Sends the request. Resolves with the endpoint's reply; rejects with ApiError. */
export async function sendRequest<R extends ClientEndpoint>(
  fetch: typeof globalThis.fetch,
  endpoint: R,
  input: EndpointInput<R>,
): Promise<Reply<R>> {
  const { key, userId, submittedFor, fromDevice, isBackground, signal, ...rest } = input as AnyEndpointInput;
  const { headers, ...sent } = createRequestBody(endpoint, rest) as {
    headers?: Record<string, string>;
    body?: BodyInit;
  };
  // The connection may fail before or during the response.
  const unreachable = (error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiError(0, '');
  };
  const response = await fetch(endpointUrl(endpoint, rest), {
    method: endpoint.method,
    credentials: 'same-origin',
    headers: {
      ...headers,
      ...versionHeaders,
      ...(key && { 'idempotency-key': key }),
      ...(userId && { 'x-user-id': userId }),
      ...(submittedFor && { 'x-submitted-for': submittedFor }),
      ...(fromDevice && { 'x-device-user': fromDevice.userId, 'x-made-at': fromDevice.madeAt }),
      ...(isBackground && backgroundHeaders),
    },
    ...sent,
    ...(signal && { signal }),
  }).catch(unreachable);
  if (!response.ok)
    throw new ApiError(
      response.status,
      await response.text().catch(unreachable),
      Number(response.headers.get('retry-after')) || undefined,
    );
  const answer: Promise<unknown> =
    typeof endpoint.reply === 'string'
      ? response.arrayBuffer().then((bytes) => new Uint8Array(bytes))
      : response.json();
  return (await answer.catch(unreachable)) as Reply<R>;
}

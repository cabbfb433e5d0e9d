// How a row of the table of calls is written, and the types that follow from it.
import type * as z from 'zod/mini';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Who may make a call. `reviewer` is Admin or Health & Safety Manager. */
export type AccessLevel = 'anyone' | 'signedIn' | 'reviewer' | 'admin';

/** A body of multipart/form-data: at most one file, in the field named, and the text fields of the schema beside it. */
export type Multipart<Fields extends z.ZodMiniType = z.ZodMiniType> = {
  file: string;
  required: boolean;
  /** Bytes the file may have, and what to say of a larger one. */
  limit: number;
  tooLarge: string;
  fields: Fields;
};

/** Bytes of a body of JSON, and entries in it: members of objects and elements of lists, in all. */
export type JsonLimits = { bytes: number; entries: number };

export const defaultJsonLimits: JsonLimits = { bytes: 4 * 1024, entries: 500 };

type EndpointOptions = {
  access?: AccessLevel;
  query?: z.ZodMiniType;
  body?: z.ZodMiniType | Multipart;
  /** What leaves the server: a schema (all else is left out), a `pdf` to look at, or a `file` to keep. */
  reply: z.ZodMiniType | 'pdf' | 'file';
  status?: 200 | 201;
  /** May carry an Idempotency-Key: sent twice with the same key, done once. */
  idempotent?: true;
  /** Calls a minute, for each signed-in person (or address, for `anyone`); past it, 429. */
  perMinute?: number;
  /** May cost the server much: each user has two such calls at once, further ones wait. */
  isHeavy?: true;
  /** Open to who signed in with a one-time password and has not chosen their own yet. */
  allowedBeforePasswordChange?: true;
  /** How large a body of JSON may be; `defaultJsonLimits` unless said. */
  json?: Partial<JsonLimits>;
  /** What a malformed `{id}` means here; by default 404. */
  invalidId?: { status: 400; message: string };
  /** For the OpenAPI document. */
  summary: string;
};

export type Endpoint<Path extends string = string, Options extends EndpointOptions = EndpointOptions> = Options & {
  method: Method;
  path: Path;
  access: AccessLevel;
  status: 200 | 201;
};

/** One row: `endpoint('GET /api/audits/{id}', { … })`. Signed in, and answered with 200, unless it says otherwise. */
export function endpoint<M extends Method, Path extends string, const Options extends EndpointOptions>(
  operation: `${M} ${Path}`,
  options: Options,
): Endpoint<Path, Options> {
  const [method, path] = operation.split(' ') as [M, Path];
  return { access: 'signedIn', status: 200, ...options, method, path };
}

export function isMultipart(body: EndpointOptions['body']): body is Multipart {
  return body !== undefined && 'file' in body;
}

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;
type Shape<S, Direction extends 'input' | 'output'> = S extends z.ZodMiniType
  ? Direction extends 'input'
    ? z.input<S>
    : z.output<S>
  : undefined;

export type Params<R extends Endpoint> = { [Name in ParamNames<R['path']>]: string };
export type Query<R extends Endpoint, D extends 'input' | 'output' = 'output'> = Shape<R['query'], D>;
export type Body<R extends Endpoint, D extends 'input' | 'output' = 'output'> =
  R['body'] extends Multipart<infer Fields> ? Shape<Fields, D> : Shape<R['body'], D>;
/** What a handler returns and a caller receives. */
export type Reply<R extends Endpoint> = R['reply'] extends 'pdf' | 'file' ? Uint8Array : Shape<R['reply'], 'output'>;

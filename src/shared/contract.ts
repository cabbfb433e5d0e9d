// Declares endpoints, and the types inferred from them.
import type * as z from 'zod/mini';
import { SuccessReply } from './replies.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * Who may use an endpoint. `reviewer` is Admin or Health & Safety Manager; `admin` includes the Admins
 * of some parks.
 */
export type AccessLevel = 'anyone' | 'signedIn' | 'reviewer' | 'admin' | 'adminOfAllParks';

/**
 * A multipart/form-data body: at most one file in the named field, and text fields of the schema.
 */
export type Multipart<Fields extends z.ZodMiniType = z.ZodMiniType> = {
  file: string;
  required: boolean;
  /** The file's maximum bytes, and the message for a larger one. */
  limit: number;
  tooLarge: string;
  fields: Fields;
};

/** Limits of a JSON body: bytes, entries (object members and list elements in total), and elements of one list. */
export type JsonLimits = { bytes: number; entries: number; list: number };

export const defaultJsonLimits: JsonLimits = { bytes: 4 * 1024, entries: 500, list: 500 };

type ReplyFormat = z.ZodMiniType | 'pdf' | 'file';

type EndpointOptions = {
  access?: AccessLevel;
  query?: z.ZodMiniType;
  body?: z.ZodMiniType | Multipart;
  /** The reply: a schema (other fields are removed), a `pdf` to view, or a `file` to download; by default `SuccessReply`. */
  reply?: ReplyFormat;
  status?: 200 | 201;
  /**
   * Accepts an Idempotency-Key: a repeated request has one effect. Its reply is stored beside the id of a record, which
   * is this member of the reply, or the `{id}` of the path, and is deleted with that record.
   */
  idempotent?: 'reply.id' | 'reply.filePath' | 'path.id' | 'noRecord';
  /**
   * A reviewer may send it for a deleted user (X-Submitted-For), and a shared device for its users
   * (X-Device-User, X-Made-At), which only learns that it has arrived; elsewhere these headers are errors.
   */
  forAnotherUser?: true;
  /** Requests a minute per caller (see `authenticateRequests`); beyond it, 429. */
  perMinute?: number;
  /** An expensive endpoint: each user has two such requests at once, further ones wait. */
  isHeavy?: true;
  /** Allowed before a user has replaced their one-time password. */
  allowedBeforePasswordChange?: true;
  /** The user must have confirmed their identity, for example with their password, in the last ten minutes. */
  needsConfirmation?: true;
  /**
   * It adds or changes how someone signs in. Not with the token that a session had before its user confirmed their
   * identity, which other requests may use for 30 seconds more. So does `needsConfirmation`.
   */
  changesSignIn?: true;
  /**
   * Not in a session that was started with a PIN, because it concerns how people sign in. So do `needsConfirmation` and
   * `changesSignIn`.
   */
  notByPin?: true;
  /** Limits of its JSON body; by default `defaultJsonLimits`. */
  json?: Partial<JsonLimits>;
  /** The response to a malformed `{id}`; by default 404. */
  invalidId?: { status: 400; message: string };
  /** For the OpenAPI document. */
  summary: string;
};

export type Endpoint<Path extends string = string, Options extends EndpointOptions = EndpointOptions> = Omit<
  Options,
  'reply'
> & {
  method: Method;
  path: Path;
  access: AccessLevel;
  status: 200 | 201;
  reply: Options extends { reply: infer Format extends ReplyFormat }
    ? Format
    : EndpointOptions extends Options
      ? ReplyFormat
      : typeof SuccessReply;
};

/**
 * Declares an endpoint: `endpoint('GET /api/audits/{id}', { … })`. Defaults: signed in, status 200, `SuccessReply`.
 */
export function endpoint<M extends Method, Path extends string, const Options extends EndpointOptions>(
  operation: `${M} ${Path}`,
  options: Options,
): Endpoint<Path, Options> {
  const [method, path] = operation.split(' ') as [M, Path];
  const { needsConfirmation, changesSignIn } = options;
  const concernsSignIn = (needsConfirmation || changesSignIn) && { notByPin: true };
  const defaults = { access: 'signedIn', status: 200, reply: SuccessReply, ...concernsSignIn };
  return { ...defaults, ...options, method, path } as unknown as Endpoint<Path, Options>;
}

/**
 * An endpoint as clients see it. Its schemas stay on the server; their types are in a property that
 * has no value.
 */
export type ClientEndpoint = {
  method: Method;
  path: string;
  body?: object;
  reply?: unknown;
  readonly '~endpoint'?: Endpoint;
};

/**
 * The contract for clients: `reply` only if it is `pdf` or `file`, and `body` only if it is a form.
 */
export type ClientApi<Contract extends Record<string, Endpoint>> = {
  [Name in keyof Contract]: ToClientEndpoint<Contract[Name]>;
};
type ToClientEndpoint<E extends Endpoint> = {
  method: Method;
  path: E['path'];
  readonly '~endpoint'?: E;
} & (E['reply'] extends string ? { reply: E['reply'] } : unknown) &
  (E['body'] extends Multipart ? { body: Pick<E['body'], 'file'> } : unknown);

export const isMultipart = <Body extends object>(body: Body | undefined): body is Body & Multipart =>
  body !== undefined && 'file' in body;

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;
type SchemaType<S, Direction extends 'input' | 'output'> = S extends z.ZodMiniType
  ? Direction extends 'input'
    ? z.input<S>
    : z.output<S>
  : undefined;

/** The endpoint with the types of its schemas. */
type FullEndpoint<R extends ClientEndpoint> = R extends Endpoint ? R : NonNullable<R['~endpoint']>;

export type Params<R extends ClientEndpoint> = { [Name in ParamNames<R['path']>]: string };
export type Query<R extends ClientEndpoint, D extends 'input' | 'output' = 'output'> = SchemaType<
  FullEndpoint<R>['query'],
  D
>;
export type Body<R extends ClientEndpoint, D extends 'input' | 'output' = 'output'> =
  FullEndpoint<R>['body'] extends Multipart<infer Fields>
    ? SchemaType<Fields, D>
    : SchemaType<FullEndpoint<R>['body'], D>;
/** What a handler returns and a client receives. */
export type Reply<R extends ClientEndpoint> = FullEndpoint<R>['reply'] extends 'pdf' | 'file'
  ? Uint8Array
  : SchemaType<FullEndpoint<R>['reply'], 'output'>;

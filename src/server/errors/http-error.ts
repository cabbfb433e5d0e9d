// The one way to say no: a Refusal, thrown anywhere, becomes an HTTP answer in one place (error-handler.ts).

/** The machine-readable `code` of each status. */
const codes: Record<number, string> = {
  400: 'BAD_REQUEST',
  401: 'NOT_SIGNED_IN',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  408: 'TOO_SLOW',
  409: 'CONFLICT',
  413: 'TOO_LARGE',
  415: 'UNSUPPORTED_TYPE',
  417: 'UNEXPECTED',
  422: 'UNPROCESSABLE',
  429: 'TOO_MANY_REQUESTS',
  431: 'HEADERS_TOO_LARGE',
  500: 'INTERNAL_ERROR',
  503: 'UNAVAILABLE',
  507: 'STORAGE_FULL',
};

type HttpErrorDetails = {
  /** Machine-readable; by default the one that belongs to the status. */
  code?: string;
  /** A message for each faulty field, by its name in the payload. */
  fields?: Record<string, string>;
  /** Seconds until it is worth trying again; sent as `Retry-After`. */
  retryAfter?: number;
  /** More members for the body, such as the `current` record of an edit conflict. */
  body?: Record<string, unknown>;
};

/** A request that will not be carried out. `message` is written for the person at the screen. */
export class HttpError extends Error {
  readonly status: number;
  readonly details: HttpErrorDetails;

  constructor(status: number, message: string, details: HttpErrorDetails = {}) {
    super(message);
    this.status = status;
    this.details = details;
  }
}

/** The body of every error answer. */
export function createErrorBody(httpError: HttpError, requestId: string) {
  const { fields, body, code = codes[httpError.status] ?? 'ERROR' } = httpError.details;
  return { success: false, message: httpError.message, code, requestId, ...(fields && { fields }), ...body };
}

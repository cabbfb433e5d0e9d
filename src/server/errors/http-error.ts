// The only way to report a failed request: an HttpError, thrown anywhere, becomes a response in
// error-handler.ts.

/** The machine-readable `code` per status. */
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
  416: 'NO_SUCH_PART',
  417: 'UNEXPECTED',
  422: 'UNPROCESSABLE',
  429: 'TOO_MANY_REQUESTS',
  431: 'HEADERS_TOO_LARGE',
  500: 'INTERNAL_ERROR',
  503: 'UNAVAILABLE',
  507: 'STORAGE_FULL',
};

type HttpErrorDetails = {
  /** A machine-readable code; by default that of the status. */
  code?: string;
  /** Messages for invalid fields, by the field's path in the payload. */
  fields?: Record<string, string>;
  /** Seconds until a retry makes sense; sent as `Retry-After`. */
  retryAfter?: number;
  /** Additional members of the body, such as the `current` record of an edit conflict. */
  body?: Record<string, unknown>;
};

/** An error response. `message` is shown to the user. */
export class HttpError extends Error {
  readonly status: number;
  readonly details: HttpErrorDetails;

  constructor(status: number, message: string, details: HttpErrorDetails = {}) {
    super(message);
    this.status = status;
    this.details = details;
  }
}

export const createFieldError = (field: string, message: string) =>
  new HttpError(400, message, { code: 'INVALID', fields: { [field]: message } });

/** Returns a 409 for a change of an earlier version, with the record as it is now. */
export const createStaleError = (message: string, current: unknown) =>
  new HttpError(409, message, { code: 'STALE', body: { current } });

export const createBusyError = () =>
  new HttpError(503, 'The server is busy. Please try again in a moment.', { retryAfter: 5 });

/** Returns the JSON body of the API's error responses. */
export function createErrorBody(httpError: HttpError, requestId: string) {
  const { fields, body, code = codes[httpError.status] ?? 'ERROR' } = httpError.details;
  return { success: false, message: httpError.message, code, requestId, ...(fields && { fields }), ...body };
}

/** Returns what was looked up. Throws 404 with the message if there is nothing, or if it is false. */
export function required<Found>(found: Found | undefined | null | false, message: string): Found {
  if (found === undefined || found === null || found === false) throw new HttpError(404, message);
  return found;
}

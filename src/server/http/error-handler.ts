// Turns every error into a response of one shape. Messages of libraries are never sent.
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { toConnectionError } from '../db/connect.ts';
import { createBusyError, createErrorBody, HttpError } from '../errors/http-error.ts';
import { toStorageError } from '../files/disk-space.ts';
import { newId } from '../ids.ts';
import { JobError } from '../workers/pool.ts';
import { isFromSharedDevice } from './authorise.ts';
import { createApiHeaders, errorPageCsp } from './headers.ts';
import { escapeHtml } from './html.ts';

const json = 'application/json; charset=utf-8';
const tooSlowMessage = 'The request took too long. Please try again.';
const unreadableMessage = 'The request could not be read';

/** Sends an error response: converts errors of libraries to an HttpError first. */
export function sendError(error: FastifyError | JobError | HttpError, request: FastifyRequest, reply: FastifyReply) {
  const httpError = toHttpError(toConnectionError(toStorageError(error)) as typeof error);
  // If the client has closed the connection, the request has not failed, so no error is logged.
  const isAborted = reply.raw.destroyed && error instanceof HttpError;
  if (httpError.status >= 500 && !isAborted) request.log.error({ err: error }, 'failed');
  if (httpError.details.retryAfter) reply.header('retry-after', String(httpError.details.retryAfter));
  if (httpError.status === 408) reply.header('connection', 'close');
  reply.removeHeader('content-encoding'); // set for a streamed list that failed before its first byte
  reply.code(httpError.status);
  // The browser opens a link to a PDF or photo, so send the error as a page.
  if (request.headers['sec-fetch-mode'] === 'navigate')
    return reply
      .header('content-security-policy', errorPageCsp)
      .type('text/html; charset=utf-8')
      .serializer(String)
      .send(renderErrorPage(httpError));
  // The cookie of a shared device reads no records.
  const { current, ...body } = createErrorBody(httpError, request.id) as { current?: unknown };
  const isShown = current !== undefined && !isFromSharedDevice(request);
  return reply
    .type(json)
    .serializer(JSON.stringify)
    .send({ ...body, ...(isShown && { current }) });
}

const renderErrorPage = ({ message }: HttpError) => `<!doctype html>
<html lang="en-GB">
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<link rel="icon" href="/icons/favicon.png" sizes="48x48">
<title>${escapeHtml(message)}</title>
<h1>${escapeHtml(message)}</h1>
<p><a href="/">Go to the first screen</a></p>
</html>
`;

/** Converts errors of Fastify, its parsers and worker processes to an HttpError with our message and code. */
export function toHttpError(error: FastifyError | JobError | HttpError): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof JobError)
    return new HttpError(503, 'This file could not be created. Please try again.', { retryAfter: 5 });
  switch (error.statusCode) {
    case 400:
      return new HttpError(400, unreadableMessage);
    case 404:
      return new HttpError(404, 'Not found');
    case 408:
      return new HttpError(408, tooSlowMessage);
    case 413:
      return new HttpError(413, 'This is too large to send');
    case 415:
      return new HttpError(415, 'This type of content is not accepted');
    case 429:
      return new HttpError(429, 'Too many requests. Please wait a moment and try again.');
    case 503:
      return createBusyError();
    default:
      return new HttpError(500, 'Something went wrong. Please try again.');
  }
}

/** Responds to an undecodable URL: Fastify detects it before hooks could set headers. */
export const handleBadUrl = (isSecure: boolean) => (_: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
  void sendError(new HttpError(400, unreadableMessage), request, reply.headers(createApiHeaders(isSecure)));

/** Responds to data that is not an HTTP request, and closes the connection. */
export const handleMalformedRequest = (isSecure: boolean) => (error: Error & { code?: string }, socket: Socket) => {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const httpError =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? new HttpError(431, 'The headers are too large')
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? new HttpError(408, tooSlowMessage)
        : new HttpError(400, unreadableMessage);
  const body = JSON.stringify(createErrorBody(httpError, newId()));
  const headers = { ...createErrorHeaders(body, isSecure), connection: 'close' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${httpError.status} ${STATUS_CODES[httpError.status]}\r\n${lines.join('')}\r\n${body}`);
};

/** Rejects `Expect` headers other than 100-continue. */
export const handleExpectation = (isSecure: boolean) => (_: IncomingMessage, response: ServerResponse) => {
  const body = JSON.stringify(createErrorBody(new HttpError(417, unreadableMessage), newId()));
  response.writeHead(417, createErrorHeaders(body, isSecure)).end(body);
};

const createErrorHeaders = (body: string, isSecure: boolean) => ({
  ...createApiHeaders(isSecure),
  'content-type': json,
  'content-length': String(Buffer.byteLength(body)),
});

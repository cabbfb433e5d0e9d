// Where whatever went wrong becomes an answer, in the one shape. Nothing of a library's own text leaves.
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { refusalOfBroken } from '../db/connect.ts';
import { refusalOfDisk } from '../files/space.ts';
import { newId } from '../ids.ts';
import { JobFailed } from '../workers/pool.ts';
import { errorBody, Refusal } from './errors.ts';
import { headersOfData } from './headers.ts';
import { escapeHtml } from './html.ts';

const json = 'application/json; charset=utf-8';
const tooSlow = 'The request took too long. Please try again.';
const unreadable = 'The request could not be read';

/** Answers a request with the refusal that the error is, or stands for. */
export function answerError(error: FastifyError | JobFailed | Refusal, request: FastifyRequest, reply: FastifyReply) {
  const refusal = refusalOf(refusalOfBroken(refusalOfDisk(error)) as typeof error);
  if (refusal.status >= 500) request.log.error({ err: error }, 'failed');
  if (refusal.details.retryAfter) reply.header('retry-after', String(refusal.details.retryAfter));
  if (refusal.status === 408) reply.header('connection', 'close');
  reply.removeHeader('content-encoding'); // of a list that broke off before it had begun
  reply.code(refusal.status);
  // A link was followed, to a PDF or a photo: somebody is going to read it.
  if (request.headers['sec-fetch-mode'] === 'navigate')
    return reply.type('text/html; charset=utf-8').serializer(String).send(pageFor(refusal));
  return reply.type(json).serializer(JSON.stringify).send(errorBody(refusal, request.id));
}

const pageFor = ({ message }: Refusal) => `<!doctype html>
<html lang="en-GB">
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>${escapeHtml(message)}</title>
<h1>${escapeHtml(message)}</h1>
<p><a href="/">Go to the first screen</a></p>
</html>
`;

/** What Fastify and its parsers object to, in our words and with our codes. */
function refusalOf(error: FastifyError | JobFailed | Refusal): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof JobFailed)
    return new Refusal(503, 'This could not be made just now. Please try again.', { retryAfter: 5 });
  switch (error.statusCode) {
    case 400:
      return new Refusal(400, unreadable);
    case 404:
      return new Refusal(404, 'Not found');
    case 408:
      return new Refusal(408, tooSlow);
    case 413:
      return new Refusal(413, 'This is too large to send');
    case 415:
      return new Refusal(415, 'This type of content is not accepted');
    case 429:
      return new Refusal(429, 'Too many requests. Please wait a moment and try again.');
    case 503:
      return new Refusal(503, 'The server is busy. Please try again in a moment.', { retryAfter: 5 });
    default:
      return new Refusal(500, 'Something went wrong. Please try again.');
  }
}

/** Answers an address that cannot be decoded: Fastify finds that out before any hook could have set the headers. */
export const answerBadAddress =
  (isSecure: boolean) => (_: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
    void answerError(new Refusal(400, unreadable), request, reply.headers(headersOfData(isSecure)));

/** Answers what is so malformed that it never becomes a request, and hangs up. */
export const answerMalformed = (isSecure: boolean) => (error: Error & { code?: string }, socket: Socket) => {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const refusal =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? new Refusal(431, 'The headers are too large')
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? new Refusal(408, tooSlow)
        : new Refusal(400, unreadable);
  const body = JSON.stringify(errorBody(refusal, newId()));
  const headers = { ...headersOf(body, isSecure), connection: 'close' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${lines.join('')}\r\n${body}`);
};

/** Answers an `Expect` header that expects anything but 100-continue. */
export const answerExpectation = (isSecure: boolean) => (_: IncomingMessage, response: ServerResponse) => {
  const body = JSON.stringify(errorBody(new Refusal(417, unreadable), newId()));
  response.writeHead(417, headersOf(body, isSecure)).end(body);
};

const headersOf = (body: string, isSecure: boolean) => ({
  ...headersOfData(isSecure),
  'content-type': json,
  'content-length': String(Buffer.byteLength(body)),
});

// Sends the reply of a handler.
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Endpoint } from '#shared/contract.ts';
import { durable } from '../db/connect.ts';
import type { Replay } from '../db/idempotency.ts';
import { ReadyJson } from '../db/json-rows.ts';
import type { Database } from '../db/schema.ts';
import { createContentDisposition } from './content-disposition.ts';
import { setETag } from './etag.ts';
import type { FileReply } from './handler-context.ts';
import { pdfCsp } from './headers.ts';

/**
 * Sends what a handler returned: a PDF, a file, JSON text, a list in pages, or an object to
 * serialise with the reply's schema.
 */
export function sendReply(db: Database, endpoint: Endpoint, reply: FastifyReply, result: unknown) {
  reply.code(endpoint.status);
  if (endpoint.reply === 'pdf') {
    const { pdf, fileName } = result as { pdf: Uint8Array; fileName: string };
    return reply
      .type('application/pdf')
      .header('content-security-policy', pdfCsp)
      .header('content-disposition', createContentDisposition(fileName))
      .send(Buffer.from(pdf));
  }
  if (endpoint.reply === 'file') {
    const { content, type, fileName } = result as FileReply;
    return reply.type(type).header('content-disposition', `attachment; filename="${fileName}"`).send(content);
  }
  reply.type('application/json; charset=utf-8');
  if (result instanceof ReadyJson) return reply.serializer(String).send(result.text);
  setETag(reply, result);
  if (!isPages(result)) return reply.send(result);
  const list = streamJsonList(db, result, getSerializer(reply, endpoint.status));
  // By default a stream reads 16 chunks ahead, and each may have a megabyte.
  return reply.send(Readable.from(list, { highWaterMark: 1 }));
}

/** Sends the stored reply of a repeated request exactly as it was. */
export const sendReplay = (reply: FastifyReply, { status, body }: Replay) =>
  reply
    .code(status)
    .header('idempotency-replayed', 'true')
    .type('application/json; charset=utf-8')
    .serializer(String)
    .send(body);

/** The endpoint's own serialiser; Fastify's types find it only by content type. */
const getSerializer = (reply: FastifyReply, status: number) =>
  reply.getSerializationFunction(String(status)) as unknown as (page: unknown) => string;

const isPages = (result: unknown): result is AsyncIterable<unknown[] | ReadyJson> =>
  typeof result === 'object' && result !== null && Symbol.asyncIterator in result;

/** Streams one JSON array page by page. Each page is sent after everything it shows is on disk. */
async function* streamJsonList(
  db: Database,
  pages: AsyncIterable<unknown[] | ReadyJson>,
  serialize: (page: unknown) => string,
) {
  let separator = '[';
  for await (const page of pages) {
    const rows = (page instanceof ReadyJson ? page.text : serialize(page)).slice(1, -1);
    if (rows === '') continue;
    await durable(db);
    yield separator + rows;
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}

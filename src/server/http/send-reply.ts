// Sends the reply of a handler.
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import * as z from 'zod/mini';
import type { Endpoint } from '#shared/contract.ts';
import { Upload } from '#shared/uploads.ts';
import { waitUntilDurable } from '../db/connect.ts';
import type { Replay } from '../db/idempotency.ts';
import type { Database } from '../db/schema.ts';
import { createContentDisposition } from './content-disposition.ts';
import { setETag } from './etag.ts';
import type { FileReply } from './handler-context.ts';
import { pdfCsp } from './headers.ts';

/**
 * Sends what a handler returned: a PDF, a file, JSON, a list in pages, or an object to serialise with
 * the reply's schema.
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
    return reply
      .type(type)
      .header('content-disposition', createContentDisposition(fileName, 'attachment'))
      .send(content);
  }
  reply.type('application/json; charset=utf-8');
  if (result instanceof Buffer) return reply.send(result);
  setETag(reply, result);
  const serialize = getSerializer(endpoint, reply);
  if (!isPages(result)) return reply.serializer(serialize).send(result);
  const list = streamJsonList(db, result, serialize);
  // Read one chunk ahead instead of the default 16, because each may have a megabyte.
  return reply.send(Readable.from(list, { highWaterMark: 1 }));
}

/** The fields of a reply that a shared device gets. Its cookie reads no records. */
const receiptFields = [...['success', 'id', 'number', 'version', 'photos', 'signatures'], ...Object.keys(Upload.shape)];

/** Tells a shared device that its request has arrived, without the record. */
export const sendReceipt = (endpoint: Endpoint, reply: FastifyReply, result: unknown) =>
  reply
    .code(endpoint.status)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send({
      success: true,
      ...Object.fromEntries(Object.entries(Object(result)).filter(([name]) => receiptFields.includes(name))),
    });

/**
 * Sends the stored reply of a repeated request, with a header that says so. What is stored may have more fields than
 * the first reply had.
 */
export function sendReplay(endpoint: Endpoint, reply: FastifyReply, { status, body }: Replay, isReceipt: boolean) {
  reply.header('idempotency-replayed', 'true');
  if (isReceipt) return sendReceipt(endpoint, reply, JSON.parse(body));
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .serializer(getSerializer(endpoint, reply))
    .send(JSON.parse(body));
}

/** The JSON Schema of each endpoint's reply, once it is created. */
const schemas = new WeakMap<Endpoint, object>();

/**
 * Returns the serialiser of the endpoint's replies, which leaves out fields that the schema does
 * not have. It is created when first used: creating all of them took more than half of the server's
 * start.
 */
function getSerializer(endpoint: Endpoint, reply: FastifyReply) {
  const schema = schemas.get(endpoint) ?? z.toJSONSchema(endpoint.reply as z.ZodMiniType, { target: 'draft-7' });
  schemas.set(endpoint, schema);
  return reply.compileSerializationSchema(schema as Record<string, unknown>) as (result: unknown) => string;
}

type Page = unknown[] | Buffer;

const isPages = (result: unknown): result is AsyncIterable<Page> =>
  typeof result === 'object' && result !== null && Symbol.asyncIterator in result;

/** Streams one JSON array page by page. Each page is sent after everything it shows is on disk. */
async function* streamJsonList(db: Database, pages: AsyncIterable<Page>, serialize: (page: unknown) => string) {
  let separator = '[';
  for await (const page of pages) {
    if (page instanceof Buffer) {
      if (page.length === '[]'.length) continue;
      await waitUntilDurable(db);
      page.write(separator);
      yield page.subarray(0, -1);
    } else {
      const rows = serialize(page).slice(1, -1);
      if (rows === '') continue;
      await waitUntilDurable(db);
      yield separator + rows;
    }
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}

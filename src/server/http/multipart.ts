// Parses a form with one file, within its limits and as strictly as JSON.
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { Multipart } from '#shared/contract.ts';
import { HttpError } from '../errors/http-error.ts';
import { toStorageError } from '../files/disk-space.ts';
import { headBytes } from '../files/image-processor.ts';
import { deleteTemporary } from '../files/temporary-files.ts';
import type { ReceivedFile, Services } from './handler-context.ts';

const maxFieldBytes = 16 * 1024;
const maxFields = 6;

export const multipartLimits = { parts: 8, headerPairs: 32 };

/** The maximum bytes of a form besides its file: its fields and the headers of its parts. */
const maxOtherBytes = (maxFields + 1) * (maxFieldBytes + 4 * 1024);

/**
 * The number of bytes to collect before each write, because a small write takes as much CPU time as
 * a large one.
 */
const bytesPerWrite = 256 * 1024;

/**
 * Buffers of finished uploads, to be used again: with new buffers for each upload, garbage
 * collection took a tenth of an upload's CPU time.
 */
const unusedBuffers: Buffer[] = [];
const maxUnusedBuffers = 8;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

type Form = { file: ReceivedFile | undefined; fields: Record<string, string> };

/**
 * Called with the fields that came before a file, and the file's name, before the file is read. May
 * reject it.
 */
type BeforeFile = (fields: Form['fields'], fileName: string) => Promise<void>;

/**
 * Returns the endpoint's file and text fields; the caller deletes the file. Throws on a second file,
 * a file too large, or an invalid form. With `beforeFile`, which limits uploads itself, the form does not
 * wait for other uploads of the sender, and may take a minute at most.
 */
export async function parseMultipart(
  { receiver, temporaryFiles }: Pick<Services, 'receiver' | 'temporaryFiles'>,
  request: FastifyRequest,
  multipart: Multipart,
  beforeFile?: BeforeFile,
): Promise<Form> {
  if (!request.isMultipart()) throw new HttpError(415, 'Send a form with a file (multipart/form-data)');
  const boundary = /boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(request.headers['content-type'] ?? '');
  if ((boundary?.[1] ?? boundary?.[2] ?? '').length > 70) throw createUnreadableError();
  if (!beforeFile && isTooLong(request, multipart)) throw createTooLargeError(multipart);
  const path = temporaryFiles.newPath();
  const controller = new AbortController();
  try {
    return await receiver.receive(request, beforeFile ? 'small' : 'large', () =>
      parseParts(request, multipart, path, controller.signal, beforeFile),
    );
  } catch (error) {
    controller.abort();
    if (error instanceof HttpError) throw error;
    throw createUnreadableError();
  }
}

/** Whether the form is longer than a form with the largest allowed file can be. */
const isTooLong = ({ headers }: FastifyRequest, { limit }: Multipart) =>
  Number(headers['content-length']) > limit + maxOtherBytes;

/** Reads the parts of a form. Deletes the file if the form is invalid or was aborted. */
async function parseParts(...parameters: Parameters<typeof readParts>): Promise<Form> {
  const [request, , path, aborted] = parameters;
  try {
    const form = await readParts(...parameters);
    aborted.throwIfAborted();
    return form;
  } catch (error) {
    // Stop the library, which would parse the rest of a form that it has rejected: megabytes of
    // empty parts took seconds.
    request.raw.unpipe();
    await deleteTemporary(path);
    throw error;
  }
}

async function readParts(
  request: FastifyRequest,
  multipart: Multipart,
  path: string,
  aborted: AbortSignal,
  beforeFile?: BeforeFile,
): Promise<Form> {
  let file: ReceivedFile | undefined;
  const fields = new Map<string, string>();
  // Read all parts as byte streams, because the library would accept invalid text in fields.
  const limits = { ...multipartLimits, fileSize: multipart.limit };
  for await (const part of request.parts({ limits, isPartAFile: () => true } as never)) {
    if (part.type !== 'file') throw createUnreadableError();
    const isFile = part.filename !== undefined || part.mimetype === 'application/octet-stream';
    if (isFile) {
      if (file || part.fieldname !== multipart.file) {
        for await (const _ of part.file); // read to the end, so that the connection stays usable
        throw new HttpError(400, `Send one file, in the field "${multipart.file}"`);
      }
      await beforeFile?.(Object.fromEntries(fields), part.filename ?? '');
      if (isTooLong(request, multipart)) throw createTooLargeError(multipart);
      file = { ...(await receiveFile(part.file, multipart, path, aborted)), path, name: part.filename ?? '' };
      continue;
    }
    if (part.mimetype !== 'text/plain' || fields.has(part.fieldname) || fields.size === maxFields)
      throw createUnreadableError();
    // A form's lines end in CRLF; stored text uses LF.
    fields.set(part.fieldname, (await readText(part.file)).replaceAll('\r\n', '\n'));
  }
  if (multipart.required && !file) throw new HttpError(400, `Send one file, in the field "${multipart.file}"`);
  return { file, fields: Object.fromEntries(fields) };
}

/** Writes a file as it arrives, so that it takes no memory. */
async function receiveFile(content: MultipartFile['file'], multipart: Multipart, path: string, aborted: AbortSignal) {
  // Stop reading when the request is aborted: after its response, the request itself emits no event
  // when the connection closes.
  addAbortSignal(aborted, content);
  const hash = createHash('sha256');
  let size = 0;
  let head: Buffer | undefined;
  let usedBytes = 0;
  const file = await open(path, 'wx', 0o600).catch(throwStorageError);
  const writeBuffer = unusedBuffers.pop() ?? Buffer.allocUnsafe(bytesPerWrite);
  const write = async () => {
    head ??= Buffer.from(writeBuffer.subarray(0, Math.min(usedBytes, headBytes)));
    await file.writeFile(writeBuffer.subarray(0, usedBytes)).catch(throwStorageError);
    usedBytes = 0;
  };
  try {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      if (content.truncated) continue; // read to the end, so that the connection stays usable
      hash.update(chunk);
      size += chunk.length;
      for (let at = 0; at < chunk.length; ) {
        if (usedBytes === bytesPerWrite) await write();
        const copiedBytes = chunk.copy(writeBuffer, usedBytes, at);
        usedBytes += copiedBytes;
        at += copiedBytes;
      }
    }
    await write();
  } finally {
    await file.close();
    if (unusedBuffers.length < maxUnusedBuffers) unusedBuffers.push(writeBuffer);
  }
  if (content.truncated) throw createTooLargeError(multipart);
  return { size, sha256: hash.digest('hex'), head: head ?? Buffer.alloc(0) };
}

function throwStorageError(error: unknown): never {
  throw toStorageError(error);
}

async function readText(content: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes > maxFieldBytes) throw createUnreadableError();
    chunks.push(chunk);
  }
  return utf8.decode(Buffer.concat(chunks));
}

const createUnreadableError = () => new HttpError(400, 'The form could not be read');
const createTooLargeError = (multipart: Multipart) =>
  new HttpError(413, multipart.tooLarge, { code: 'FILE_TOO_LARGE' });

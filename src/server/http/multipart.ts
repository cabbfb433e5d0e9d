// Reads a form with one file: whole, within its limits, and never slower than a phone on one bar of signal.
import type { FastifyRequest } from 'fastify';
import type { Multipart } from '#shared/contract.ts';
import type { ReceivedFile } from './call.ts';
import { Refusal } from './errors.ts';

export const multipartLimits = {
  fileSize: 10 * 1024 * 1024,
  files: 2,
  fields: 5,
  fieldSize: 16 * 1024,
  parts: 8,
  headerPairs: 32,
};

const patienceMs = 10_000;
const slowestBytesPerSecond = 10 * 1024;

/** What all forms being received at once may come to: 300 photos as the app sends them, or 25 of the largest. */
const mostBytesAtOnce = 256 * 1024 * 1024;
let bytesAtOnce = 0;

type Form = { file: ReceivedFile | undefined; fields: Record<string, string> };

/** Takes the file of the row and the text fields beside it. Refuses a second file, a file too large, and what is no form. */
export async function readForm(request: FastifyRequest, row: Multipart): Promise<Form> {
  if (!request.isMultipart()) throw new Refusal(415, 'Send a form with a file (multipart/form-data)');
  const boundary = /boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(request.headers['content-type'] ?? '');
  if ((boundary?.[1] ?? boundary?.[2] ?? '').length > 70) throw new Refusal(400, 'The form could not be read');
  // What does not say its length is taken for the longest there may be.
  const size = Math.min(Number(request.headers['content-length'] ?? Infinity), row.limit);
  if (bytesAtOnce + size > mostBytesAtOnce)
    throw new Refusal(503, 'The server is busy. Please try again in a moment.', { retryAfter: 5 });
  bytesAtOnce += size;
  const watch = watchPace(request);
  try {
    return await Promise.race([readParts(request, row), watch.tooSlow]);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    if (codeOf(error) === 'FST_REQ_FILE_TOO_LARGE') throw new Refusal(413, row.tooLarge, { code: 'FILE_TOO_LARGE' });
    throw new Refusal(400, 'The form could not be read');
  } finally {
    watch.stop();
    bytesAtOnce -= size;
  }
}

async function readParts(request: FastifyRequest, row: Multipart): Promise<Form> {
  let file: ReceivedFile | undefined;
  const fields: Record<string, string> = {};
  for await (const part of request.parts({ limits: { ...multipartLimits, fileSize: row.limit } })) {
    if (part.type === 'field') {
      if (part.valueTruncated) throw new Refusal(400, 'The form could not be read');
      // By its own rule a form's lines end in CRLF; ours in LF.
      fields[part.fieldname] = String(part.value).replaceAll('\r\n', '\n');
      continue;
    }
    const bytes = await part.toBuffer();
    if (file || part.fieldname !== row.file) throw new Refusal(400, `Send one file, in the field "${row.file}"`);
    file = { bytes, name: part.filename ?? '' };
  }
  if (row.required && !file) throw new Refusal(400, `Send one file, in the field "${row.file}"`);
  return { file, fields };
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined);

/** `tooSlow` rejects when the sender falls below the pace; the answer then hangs up, which ends the reading. */
function watchPace({ raw: { socket } }: FastifyRequest) {
  const started = Date.now();
  const before = socket.bytesRead;
  const { promise: tooSlow, reject } = Promise.withResolvers<never>();
  const timer = setInterval(() => {
    const elapsed = Date.now() - started;
    const bytes = socket.bytesRead - before;
    if (elapsed >= patienceMs && bytes / (elapsed / 1000) < slowestBytesPerSecond)
      reject(new Refusal(408, 'The upload was too slow. Please try again.'));
  }, 1000);
  return { tooSlow, stop: () => clearInterval(timer) };
}

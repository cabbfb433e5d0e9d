// Sends HTTP byte by byte, for requests that client libraries would not send.
import { connect } from 'node:net';

export type RawResponse = { status: number; headers: Record<string, string>; body: string };

/**
 * A connection: `write` sends raw bytes; `readResponse` resolves with the next complete response and
 * rejects if the server closes first.
 */
export function openRawConnection(url: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let receivedBytes = Buffer.alloc(0);
  let isOver = false;
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  let notifyReader = () => {};
  socket.on('data', (bytes: Buffer) => {
    receivedBytes = Buffer.concat([receivedBytes, bytes]);
    notifyReader();
  });
  socket.on('error', () => undefined); // a reset is treated like a close
  socket.once('close', () => {
    isOver = true;
    notifyReader();
  });
  return {
    socket,
    /** Resolves when the server has closed the connection. */
    closed,
    write: (bytes: string | Uint8Array) => void socket.write(bytes),
    /** `withBody` false: for HEAD, whose Content-Length has no body. */
    async readResponse(withBody = true): Promise<RawResponse> {
      for (;;) {
        const parsed = parseResponse(receivedBytes, withBody);
        if (parsed) {
          receivedBytes = receivedBytes.subarray(parsed.length);
          return parsed.response;
        }
        if (isOver) throw new Error(`The server hung up after ${receivedBytes.length} bytes`);
        await new Promise<void>((resolve) => {
          notifyReader = resolve;
        });
      }
    },
  };
}

/** Sends one request on its own connection. */
export async function sendRaw(url: string, ...pieces: (string | Uint8Array)[]): Promise<RawResponse> {
  const connection = openRawConnection(url);
  for (const piece of pieces) connection.write(piece);
  try {
    return await connection.readResponse(!String(pieces[0]).startsWith('HEAD '));
  } finally {
    connection.socket.destroy();
  }
}

/** Builds a request: `head` is its first line and headers, without Host. */
export const createRawRequest = (head: string, body = '') =>
  `${head.trim().replaceAll('\n', '\r\n')}\r\nHost: park.example\r\n\r\n${body}`;

function parseResponse(bytes: Buffer, withBody: boolean): { response: RawResponse; length: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const status = Number(first.split(' ')[1]);
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const start = end + 4;
  if (status === 100) {
    const finalResponse = parseResponse(bytes.subarray(start), withBody);
    return finalResponse && { ...finalResponse, length: finalResponse.length + start };
  }
  if (!withBody) return { response: { status, headers, body: '' }, length: start };
  if (headers['transfer-encoding'] === 'chunked') {
    const chunks = parseChunks(bytes, start);
    return chunks && { response: { status, headers, body: chunks.body }, length: chunks.end };
  }
  const length = Number(headers['content-length'] ?? 0);
  if (bytes.length < start + length) return undefined;
  return { response: { status, headers, body: bytes.toString('utf8', start, start + length) }, length: start + length };
}

function parseChunks(bytes: Buffer, start: number) {
  const parts: Buffer[] = [];
  for (let at = start; ; ) {
    const line = bytes.indexOf('\r\n', at);
    if (line < 0) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16);
    if (bytes.length < line + 4 + size) return undefined;
    if (size === 0) return { body: Buffer.concat(parts).toString('utf8'), end: line + 4 };
    parts.push(bytes.subarray(line + 2, line + 2 + size));
    at = line + 4 + size;
  }
}

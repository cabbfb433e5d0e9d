// Sends requests as a user's browser does: with a session, over at most six connections, and again
// after the time in Retry-After.
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type { Recorder } from './figures.ts';

type RequestOptions = {
  method?: 'GET' | 'POST' | 'PUT';
  path: string;
  json?: unknown;
  photo?: Photo;
  key?: string;
};
/** A photo as a browser's form would send it. */
export type Photo = { body: Buffer; type: string };

export type Client = {
  /** Returns the response's JSON, or undefined if it failed, which is recorded. */
  json<T>(kind: string, options: RequestOptions): Promise<T | undefined>;
  /** Sends a request whose response's content does not matter. Returns whether it succeeded. */
  send(kind: string, options: RequestOptions): Promise<boolean>;
  signIn(username: string, password: string): Promise<boolean>;
  cookie(): string;
  close(): void;
};

const maxAttempts = 8;
const decompress = promisify(brotliDecompress);

export function createClient(url: string, recorder: Recorder): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 6 });
  let cookie = '';

  function sendOnce(options: RequestOptions): Promise<{ response: IncomingMessage; body: Buffer }> {
    const { method = 'GET', path, json, photo, key } = options;
    const content = photo?.body ?? (json === undefined ? undefined : JSON.stringify(json));
    const headers = {
      'accept-encoding': 'br, gzip',
      'sec-fetch-site': 'same-origin',
      'x-types': '2',
      ...(cookie && { cookie }),
      ...(content !== undefined && {
        'content-type': photo?.type ?? 'application/json',
        'content-length': Buffer.byteLength(content),
      }),
      ...(key && { 'idempotency-key': key }),
    };
    return new Promise((resolve, reject) => {
      const clientRequest = request(url + path, { method, agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('end', () => resolve({ response, body: Buffer.concat(chunks) }));
        response.once('error', reject);
      });
      // Retries as browsers do: the server may close a connection just when it is used again.
      clientRequest.once('error', (error) => (clientRequest.reusedSocket ? resolve(sendOnce(options)) : reject(error)));
      clientRequest.end(content);
    });
  }

  async function sendWithRetry(kind: string, options: RequestOptions): Promise<Buffer | undefined> {
    const started = performance.now();
    for (let attempt = 1; ; attempt++) {
      const reply = await sendOnce(options).catch((error: Error) => error.message);
      if (typeof reply === 'string') return void recorder.addError(kind, reply);
      const { response, body } = reply;
      const status = response.statusCode ?? 0;
      const text = response.headers['content-encoding'] === 'br' ? await decompress(body) : body;
      if (status < 300) {
        recorder.addTime(kind, performance.now() - started);
        cookie = response.headers['set-cookie']?.[0]?.split(';')[0] ?? cookie;
        return text;
      }
      const retryAfterSeconds = Number(response.headers['retry-after']);
      if ((status !== 503 && status !== 429) || !retryAfterSeconds || attempt === maxAttempts)
        return void recorder.addError(kind, `${status} ${text.toString().slice(0, 200)}`);
      recorder.addWait(kind);
      await wait(retryAfterSeconds * 1000 * (1 + Math.random()));
    }
  }

  return {
    async json<T>(kind: string, options: RequestOptions) {
      const text = await sendWithRetry(kind, options);
      return text && (JSON.parse(text.toString()) as T);
    },
    send: async (kind, options) => (await sendWithRetry(kind, options)) !== undefined,
    async signIn(username, password) {
      const options = { method: 'POST', path: '/api/login', json: { username, password } } as const;
      return (await sendWithRetry('sign in', options)) !== undefined;
    },
    cookie: () => cookie,
    close: () => agent.destroy(),
  };
}

/** Returns a multipart form, created once and sent many times. */
export function createPhotoForm(bytes: Buffer, name: string): Photo {
  const boundary = '----load-7f3a9c';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="image"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  return {
    body: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    type: `multipart/form-data; boundary=${boundary}`,
  };
}

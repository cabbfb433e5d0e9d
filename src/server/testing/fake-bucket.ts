// The part of an S3-compatible store that the server uses, in memory, with failures on demand.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

type Failure =
  /** Responds 500 to everything. */
  | 'fails'
  /** Accepts requests and never responds. */
  | 'hangs'
  /** Ends responses halfway, and connections after receiving a body. */
  | 'cuts responses off'
  /** Sends half a response, then nothing. */
  | 'stops halfway'
  /** Keeps half of each file, and says that all is well. */
  | 'keeps half'
  /** Responds 404 as a gateway in front of the store would, without an error name. */
  | 'is hidden by a gateway';

export type FakeBucket = Awaited<ReturnType<typeof openFakeBucket>>;

/** Starts a local server. Its `settings` are the environment variables that select this bucket. */
export async function openFakeBucket() {
  const objects = new Map<string, { bytes: Buffer; hash: string; at: Date }>();
  let failure: Failure | undefined;

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const requestBody = await buffer(request);
    const url = new URL(request.url ?? '', 'http://bucket');
    const key = decodeURIComponent(url.pathname).split('/').slice(2).join('/');
    if (failure === 'hangs') return;
    if (failure === 'fails') return respond(response, 500, '<Error><Code>InternalError</Code></Error>');
    if (failure === 'is hidden by a gateway')
      return respond(response, 404, '<html><body>default backend</body></html>');
    const isInterrupted = failure === 'cuts responses off' || failure === 'stops halfway';
    if (request.method === 'PUT') {
      if (request.headers['content-md5'] !== createHash('md5').update(requestBody).digest('base64'))
        return respond(response, 400, '<Error><Code>BadDigest</Code></Error>');
      const bytes = failure === 'keeps half' ? requestBody.subarray(0, requestBody.length / 2) : requestBody;
      objects.set(key, { bytes, hash: String(request.headers['x-amz-meta-sha256']), at: new Date() });
    }
    if (isInterrupted && request.method !== 'GET')
      return failure === 'cuts responses off' ? request.socket.destroy() : undefined;
    if (request.method === 'PUT') return respond(response, 200, '');
    if (request.method === 'DELETE') {
      objects.delete(key);
      return response.writeHead(204).end();
    }
    if (!key) return respond(response, 200, formatListing(url.searchParams.get('prefix') ?? ''));
    const object = objects.get(key);
    if (!object) return respond(response, 404, '<Error><Code>NoSuchKey</Code></Error>');
    const { bytes, hash } = object;
    response.writeHead(200, { 'content-length': bytes.length, 'x-amz-meta-sha256': hash });
    if (request.method === 'HEAD') return response.end();
    if (!isInterrupted) return response.end(bytes);
    response.write(bytes.subarray(0, bytes.length / 2), () => {
      if (failure === 'cuts responses off') request.socket.destroy();
    });
  }

  const formatListing = (prefix: string) => {
    const contents = [...objects]
      .filter(([key]) => key.startsWith(prefix))
      .map(
        ([key, { bytes, at }]) =>
          `<Contents><Key>${key}</Key><Size>${bytes.length}</Size><LastModified>${at.toISOString()}</LastModified></Contents>`,
      );
    return `<ListBucketResult><IsTruncated>false</IsTruncated>${contents.join('')}</ListBucketResult>`;
  };

  const server = createServer((request, response) => void handle(request, response).catch(() => request.destroy()));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    objects,
    settings: {
      S3_BUCKET: 'photos',
      S3_ENDPOINT: url,
      S3_ACCESS_KEY_ID: 'tests',
      S3_SECRET_ACCESS_KEY: 'tests',
    },
    setFailure(next: Failure | undefined) {
      failure = next;
      // End requests that wait for a response.
      if (!next) server.closeAllConnections();
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function respond(response: ServerResponse, status: number, body: string) {
  response
    .writeHead(status, { 'content-type': 'application/xml', 'content-length': Buffer.byteLength(body) })
    .end(body);
}

// A client with its own connection: its nth response is the nth to its port in the recording.
import { Agent, request } from 'node:http';

/** Identifies a response in the recording, which contains when the server sent it. */
export type Receipt = { port: number; index: number };
export type ClientResponse = {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  body: string;
  receipt: Receipt;
};

export function createClient(url: string, cookie: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const counts = new Map<number, number>();
  const send = (method: string, path: string, headers: Record<string, string>, body?: string | Buffer) =>
    new Promise<ClientResponse>((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const sent = request(url + path, { method, agent, headers: { cookie, ...headers, ...length } }, (response) => {
        const port = response.socket.localPort ?? 0;
        const index = counts.get(port) ?? 0;
        counts.set(port, index + 1);
        let text = '';
        response.setEncoding('utf8').on('data', (more: string) => {
          text += more;
        });
        const { statusCode: status = 0, headers } = response;
        response.once('end', () => resolve({ status, headers, body: text, receipt: { port, index } }));
        response.once('error', reject);
      });
      sent.once('error', reject);
      sent.end(body);
    });
  return {
    get: (path: string) => send('GET', path, {}),
    /** Sent without the cookie, so that the server creates another session. */
    signIn: (body: object) =>
      send('POST', '/api/login', { 'content-type': 'application/json', cookie: '' }, JSON.stringify(body)),
    send: (method: string, path: string, body: object, key?: string) =>
      send(
        method,
        path,
        { 'content-type': 'application/json', ...(key && { 'idempotency-key': key }) },
        JSON.stringify(body),
      ),
    upload(bytes: Buffer, query: string) {
      const head =
        '--x\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n';
      const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--x--\r\n')]);
      return send('POST', `/api/upload/image${query}`, { 'content-type': 'multipart/form-data; boundary=x' }, body);
    },
    close: () => agent.destroy(),
  };
}

export type Client = ReturnType<typeof createClient>;

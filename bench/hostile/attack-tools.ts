// How the attacks send requests and hold connections open.
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** The server under attack, and the sessions, records and files that the attacks use. */
export type Target = {
  host: string;
  port: number;
  /** Session cookies: two of park staff, two of reviewers. */
  staff: string[];
  reviewers: string[];
  admin: string;
  /** A checklist with 200 texts. */
  textChecklistId: string;
  /** The listener for guests, and the codes of labels. */
  guests: { port: number; labels: string[] };
  /** Images: one as the app prepares it, and one of 49 megapixels. */
  files: { photo: Buffer; heavyPng: Buffer };
};

export type Attack = { isShort?: boolean; run(target: Target): Promise<unknown> };

/** Other IP addresses than that of the legitimate users. */
export const attackerAddresses = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'];
const agent = new Agent({ keepAlive: true, maxSockets: 500 });

type AttackRequest = {
  method?: string;
  path: string;
  cookie?: string;
  body?: string | Buffer;
  contentType?: string;
  localAddress?: string | undefined;
};

/** Sends a request and reads its response to the end. Ignores errors, which are expected here. */
export function send(
  { host, port }: Target,
  { method = 'POST', path, cookie = '', body, contentType, localAddress = attackerAddresses[0] }: AttackRequest,
): Promise<number> {
  const headers = {
    cookie,
    'accept-encoding': 'br, gzip',
    ...(body !== undefined && {
      'content-type': contentType ?? 'application/json',
      'content-length': Buffer.byteLength(body),
    }),
  };
  return new Promise((resolve) => {
    const options = { host, port, method, path, headers, agent, localAddress };
    const clientRequest = request(options, (response: IncomingMessage) => {
      response.resume().once('close', () => resolve(response.statusCode ?? 0));
    });
    clientRequest.once('error', () => resolve(0));
    clientRequest.end(body);
  });
}
export const sendGet = (target: Target, path: string, cookie = '') => send(target, { method: 'GET', path, cookie });

/**
 * Repeats a request, this many at a time, until the attack ends; a rejected request waits a moment.
 */
export const repeatUntilEnd = (maxConcurrent: number, sendOne: (index: number) => Promise<number>) =>
  Promise.all(
    Array.from({ length: maxConcurrent }, async (_, index) => {
      for (;;) {
        const status = await sendOne(index);
        if (status === 0 || status >= 400) await wait(50);
      }
    }),
  );

/**
 * Opens connections that send `firstText` and then stay open, or send `repeatedText` now and then.
 * Closed ones are opened again.
 */
export const holdConnectionsOpen = (
  { host, port }: Target,
  count: number,
  {
    firstText = '',
    repeatedText = '',
    intervalMs = 5000,
    isReading = true,
    addresses = attackerAddresses,
  }: {
    firstText?: string | Buffer;
    repeatedText?: string;
    intervalMs?: number;
    isReading?: boolean;
    addresses?: string[];
  },
) =>
  Promise.all(
    Array.from({ length: count }, async (_, index) => {
      for (;;) {
        await new Promise<void>((resolve) => {
          const localAddress = addresses[index % addresses.length] as string;
          const socket = connect({ host, port, localAddress });
          const timer = repeatedText ? setInterval(() => socket.write(repeatedText), intervalMs) : undefined;
          socket.once('connect', () => socket.write(firstText));
          if (isReading) socket.resume();
          else socket.pause();
          socket.once('error', () => undefined).once('close', () => resolve(clearInterval(timer)));
        });
        await wait(200);
      }
    }),
  );

export const createHttpHead = (line: string, ...headers: string[]) =>
  `${line} HTTP/1.1\r\nHost: a\r\n${headers.join('\r\n')}${headers.length ? '\r\n' : ''}\r\n`;
export const createJsonMembers = (count: number) => Array.from({ length: count }, (_, at) => `"${at}":"a"`).join();
export const boundary = 'xyz';
export const formContentType = `multipart/form-data; boundary=${boundary}`;
export const formHead = `--${boundary}\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n`;
export const createFormWith = (file: Buffer, head = formHead) =>
  Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]);
/** Repeats a GET request, with these cookies in turn, until the attack ends. */
export const repeatGet = (target: Target, maxConcurrent: number, cookies: string[], path: string) =>
  repeatUntilEnd(maxConcurrent, (index) => sendGet(target, path, pickCookie(cookies, index)));
/**
 * Repeats a POST request, with these cookies in turn, until the attack ends. A buffer is sent as a
 * form with a file.
 */
export const repeatPost = (
  target: Target,
  maxConcurrent: number,
  cookies: string[],
  path: string,
  body: string | Buffer,
) =>
  repeatUntilEnd(maxConcurrent, (index) =>
    send(target, {
      path,
      cookie: pickCookie(cookies, index),
      body,
      ...(typeof body !== 'string' && { contentType: formContentType }),
    }),
  );
export const pickCookie = (cookies: string[], index: number) => cookies[index % cookies.length] ?? '';

// A push service for a test: checks the sender's signature and decrypts as a browser does (RFC 8188,
// 8291, 8292).
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

type ReceivedPush = { device: string; message: Record<string, string>; urgency: string };

export async function startPushService() {
  const received: ReceivedPush[] = [];
  const problems: string[] = [];
  /** The names of devices that have ended their subscription. */
  const gone = new Set<string>();
  /** The names of devices whose messages are redirected, with the name of the other device. */
  const moved = new Map<string, string>();
  const devices = new Map<string, ReturnType<typeof createDevice>>();
  let origin = '';
  const server = createServer(async (request, response) => {
    const name = request.url?.slice(1) ?? '';
    const body = await buffer(request);
    const device = devices.get(name);
    if (moved.has(name)) return void response.writeHead(307, { location: `${origin}/${moved.get(name)}` }).end();
    if (!device || gone.has(name)) return void response.writeHead(410).end();
    try {
      checkSignature(request.headers.authorization ?? '', origin);
      const urgency = String(request.headers.urgency);
      received.push({ device: name, message: JSON.parse(device.decrypt(body)), urgency });
      response.writeHead(201).end();
    } catch (error) {
      problems.push(String(error));
      response.writeHead(400).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return {
    received,
    problems,
    gone,
    moved,
    settings: { PUSH_ORIGINS: origin },
    /** Subscribes a device; returns what a browser would send to the server. */
    subscribe(name: string) {
      const device = createDevice();
      devices.set(name, device);
      return { endpoint: `${origin}/${name}`, keys: device.keys };
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function createDevice() {
  const ecdh = createECDH('prime256v1');
  ecdh.generateKeys();
  const auth = randomBytes(16);
  const devicePublicKey = ecdh.getPublicKey();
  return {
    keys: { p256dh: devicePublicKey.toString('base64url'), auth: auth.toString('base64url') },
    decrypt(body: Buffer): string {
      const salt = body.subarray(0, 16);
      const senderKey = body.subarray(21, 21 + (body[20] ?? 0));
      const secret = ecdh.computeSecret(senderKey);
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), devicePublicKey, senderKey]);
      const ikm = Buffer.from(hkdfSync('sha256', secret, auth, info, 32));
      const derive = (label: string, length: number) =>
        Buffer.from(hkdfSync('sha256', ikm, salt, Buffer.from(`Content-Encoding: ${label}\0`), length));
      const content = body.subarray(21 + senderKey.length);
      const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
      decipher.setAuthTag(content.subarray(-16));
      const paddedContent = Buffer.concat([decipher.update(content.subarray(0, -16)), decipher.final()]);
      return paddedContent.subarray(0, paddedContent.lastIndexOf(2)).toString('utf8');
    },
  };
}

/**
 * Throws unless the header contains a token for this origin, signed with the key that it also
 * contains.
 */
function checkSignature(header: string, audience: string): void {
  const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=(.+)$/.exec(header) ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const raw = Buffer.from(key, 'base64url');
  const [x, y] = [raw.subarray(1, 33), raw.subarray(33)].map((part) => part.toString('base64url'));
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, format: 'jwk' });
  const signed = Buffer.from(`${head}.${claims}`);
  const isSigned = verify(
    'sha256',
    signed,
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>;
  if (!isSigned) throw new Error('The signature is wrong');
  if (aud !== audience || !(Number(exp) > Date.now() / 1000) || !/^(?:https|mailto):/.test(String(sub)))
    throw new Error(`The token is wrong: ${aud} ${exp} ${sub}`);
}

// The environment, read and checked once. Everything has a working default.
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import proxyAddr from '@fastify/proxy-addr';
import * as z from 'zod/mini';
import { describeRequirement } from './errors/validation-messages.ts';

const number = (fallback: number, minimum = 0) =>
  z._default(z.coerce.number().check(z.int(), z.minimum(minimum)), fallback);
const text = (fallback = '') => z._default(z.string(), fallback);
const address = () =>
  z._default(z.url({ protocol: /^https?$/, error: 'must be an address that begins with https:// or http://' }), '');

const Environment = z.object({
  PORT: number(3000),
  HOST: text('0.0.0.0'),
  DATA_DIR: text('./data'),
  DATABASE_URL: text(),
  /** The address people open, for example https://reports.example.com. Decides whether the cookie is Secure. */
  PUBLIC_URL: address(),
  /** Addresses or networks of proxies in front, comma-separated. Others' X-Forwarded-For is ignored. */
  TRUST_PROXY: z._default(
    z
      .string()
      .check(
        z.refine(
          (list) => parseEntries(list).every(isNetwork),
          'must be addresses or networks such as 10.0.0.4, 192.168.0.0/16',
        ),
      ),
    '',
  ),
  ADMIN_PASSWORD: text(),
  OPERATOR_NAME: text('Holiday Parks'),
  /** A PNG, JPEG or SVG file. */
  OPERATOR_LOGO: text(),
  /** The address of the operator's own privacy notice: linked where people sign in and where they type what is personal. */
  PRIVACY_NOTICE_URL: address(),
  /** `0` takes the screens off the devices that keep them, in case the service worker must go. */
  OFFLINE: z._default(z.enum(['0', '1']), '1'),
  LOG_LEVEL: z._default(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), 'info'),
  STAFF_IDLE_MINUTES: number(12 * 60, 1),
  STAFF_SESSION_HOURS: number(7 * 24, 1),
  REVIEWER_IDLE_MINUTES: number(60, 1),
  REVIEWER_SESSION_HOURS: number(12, 1),
  /** Longer passwords, as OWASP and NIST ask where there is no second factor. */
  STRICT: z._default(z.enum(['0', '1']), '0'),
  RATE_PER_SESSION: number(600, 1),
  RATE_PER_ADDRESS: number(1200, 1),
  UPLOADS_PER_DAY: number(500, 1),
  /** Open connections: in all, and from one network that is not in TRUST_PROXY. */
  CONNECTIONS: number(1000, 1),
  CONNECTIONS_PER_NETWORK: number(256, 1),
  /** Multiplies every limit of calls a minute that the table of calls gives. */
  RATE_SCALE: number(1, 1),
  /** Where Prometheus may read figures; off without a port. */
  METRICS_PORT: z.optional(z.coerce.number().check(z.int(), z.minimum(0))),
  METRICS_HOST: text('127.0.0.1'),
  /** Files rest in this bucket where it is set, else in the data folder. */
  S3_BUCKET: text(),
  S3_ENDPOINT: text(),
  S3_REGION: text('us-east-1'),
  S3_ACCESS_KEY_ID: text(),
  S3_SECRET_ACCESS_KEY: text(),
  S3_PREFIX: text(),
  /** How long anything asked of the bucket may take. */
  S3_SECONDS: number(20, 1),
  /** How long a call that has come in whole may wait for its answer to begin. */
  ANSWER_SECONDS: number(30, 1),
  /** Backups go under it, and are read with it: the text itself, or a file with it. */
  BACKUP_PASSPHRASE: text(),
  BACKUP_PASSPHRASE_FILE: text(),
  /** `0` lets the server bring an older database up to date without a backup of its own. */
  BACKUP_BEFORE_UPGRADE: z._default(z.enum(['0', '1']), '1'),
  BALLAST_MB: number(64),
  UPLOAD_FREE_MB: number(512),
  WRITE_FREE_MB: number(128),
  /** The ballast file is made where more than this is free. */
  BALLAST_ROOM_MB: number(1024),
});

export type Config = ReturnType<typeof parseConfig>;

/** Reads the settings; throws an Error that names each bad one and what it takes. */
export function parseConfig(environment: NodeJS.ProcessEnv = process.env) {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const read = Environment.safeParse(set, { error: describeRequirement });
  if (!read.success) {
    const errors = read.error.issues.map(({ path, message }) => `  ${path.join('.')} ${message}`);
    throw new Error(`These settings cannot be used:\n${errors.join('\n')}`);
  }
  const env = read.data;
  const minutes = 60_000;
  return {
    port: env.PORT,
    host: env.HOST,
    dataDir: resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    publicUrl: env.PUBLIC_URL && new URL(env.PUBLIC_URL).origin,
    isSecure: /^https:/i.test(env.PUBLIC_URL),
    trustProxy: env.TRUST_PROXY ? parseEntries(env.TRUST_PROXY) : (false as const),
    connections: { most: env.CONNECTIONS, perNetwork: env.CONNECTIONS_PER_NETWORK },
    adminPassword: env.ADMIN_PASSWORD,
    operator: {
      name: env.OPERATOR_NAME,
      logo: env.OPERATOR_LOGO && resolve(env.OPERATOR_LOGO),
      privacyNotice: env.PRIVACY_NOTICE_URL,
    },
    isKeptOffline: env.OFFLINE === '1',
    logLevel: env.LOG_LEVEL,
    sessions: {
      staff: { idleMs: env.STAFF_IDLE_MINUTES * minutes, absoluteMs: env.STAFF_SESSION_HOURS * 60 * minutes },
      reviewer: { idleMs: env.REVIEWER_IDLE_MINUTES * minutes, absoluteMs: env.REVIEWER_SESSION_HOURS * 60 * minutes },
    },
    passwordMin: env.STRICT === '1' ? 15 : 8,
    rates: {
      perSession: env.RATE_PER_SESSION,
      perAddress: env.RATE_PER_ADDRESS,
      uploadsPerDay: env.UPLOADS_PER_DAY,
      scale: env.RATE_SCALE,
    },
    metrics: { port: env.METRICS_PORT, host: env.METRICS_HOST },
    bucket: {
      bucket: env.S3_BUCKET,
      endpoint: env.S3_ENDPOINT,
      region: env.S3_REGION,
      accessKeyId: env.S3_ACCESS_KEY_ID,
      secretAccessKey: env.S3_SECRET_ACCESS_KEY,
      prefix: env.S3_PREFIX && `${env.S3_PREFIX.replace(/\/+$/, '')}/`,
      timeoutMs: env.S3_SECONDS * 1000,
    },
    answerMs: env.ANSWER_SECONDS * 1000,
    backup: {
      passphrase: env.BACKUP_PASSPHRASE,
      passphraseFile: env.BACKUP_PASSPHRASE_FILE && resolve(env.BACKUP_PASSPHRASE_FILE),
      /** Of scrypt, as a power of two: about a second for each guess at a passphrase. */
      work: 18,
      isBeforeUpgrade: env.BACKUP_BEFORE_UPGRADE === '1',
    },
    space: {
      ballastMb: env.BALLAST_MB,
      ballastRoomMb: env.BALLAST_ROOM_MB,
      uploadFreeMb: env.UPLOAD_FREE_MB,
      writeFreeMb: env.WRITE_FREE_MB,
    },
  };
}

const parseEntries = (list: string) => list.split(',').map((entry) => entry.trim());

const isNamed = (entry: string) => ['loopback', 'linklocal', 'uniquelocal'].includes(entry);

/** As Fastify reads them: an address, a network with its length or mask, or a name for private ones. */
function isNetwork(entry: string): boolean {
  try {
    proxyAddr.compile(entry);
    // The library also takes an address with numbers left out.
    return isNamed(entry) || isIP(entry.replace(/\/.*/, '')) !== 0;
  } catch {
    return false;
  }
}

/** What is in the file that a setting names. Rejects with a sentence that names the setting. */
export async function readSettingFile(setting: string, path: string): Promise<Buffer> {
  return readFile(path).catch((cause: NodeJS.ErrnoException) => {
    throw new Error(`${setting} cannot be read (${cause.code}): ${path}`, { cause });
  });
}

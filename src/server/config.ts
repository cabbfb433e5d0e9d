// Settings from environment variables, read and checked once. Everything has a working default.
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import proxyAddr from '@fastify/proxy-addr';
import * as z from 'zod/mini';
import { retentionMinimums } from '#shared/people/retention.ts';
import { describeRequirement } from './errors/validation-messages.ts';
import { createSettingsError, ProviderEnvironment, readProvider } from './provider-settings.ts';

/** Until the operator sets a name. */
export const defaultOperatorName = 'Holiday Parks';

const number = (fallback: number, minimum = 0) =>
  z._default(z.coerce.number().check(z.int(), z.minimum(minimum)), fallback);
const text = (fallback = '') => z._default(z.string(), fallback);
const url = () =>
  z._default(z.url({ protocol: /^https?$/, error: 'must be an address that begins with https:// or http://' }), '');

const Environment = z.object({
  PORT: number(3000),
  HOST: text('0.0.0.0'),
  DATA_DIR: text('./data'),
  DATABASE_URL: text(),
  /**
   * The public URL, for example https://reports.example.com. Decides whether the cookie is Secure.
   */
  PUBLIC_URL: url(),
  /**
   * IP addresses or networks of proxies in front, comma-separated. X-Forwarded-For of others is
   * ignored.
   */
  TRUST_PROXY: z._default(
    z
      .string()
      .check(
        z.refine(
          (list) => parseEntries(list).every(isProxyEntry),
          'must be IP addresses or networks such as 10.0.0.4, 192.168.0.0/16',
        ),
      ),
    '',
  ),
  ADMIN_PASSWORD: text(),
  OPERATOR_NAME: text(defaultOperatorName),
  /** A file with the names of the parks, one on each line; by default the usual 20. */
  PARKS_FILE: text(),
  /** A PNG, JPEG or SVG file. */
  OPERATOR_LOGO: text(),
  /** The URL of the operator's privacy notice, linked at sign-in and above report forms. */
  PRIVACY_NOTICE_URL: url(),
  /**
   * `1` gives places labels for guests, who send messages at GUEST_URL: a host of its own, such as
   * https://safe.example.com, which the server answers on GUEST_PORT.
   */
  GUEST_REPORTS: z._default(z.enum(['0', '1']), '0'),
  GUEST_URL: url(),
  GUEST_PORT: number(3001),
  /** `0` removes the cached screens from devices, in case the service worker must be turned off. */
  OFFLINE: z._default(z.enum(['0', '1']), '1'),
  LOG_LEVEL: z._default(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), 'info'),
  STAFF_IDLE_MINUTES: number(12 * 60, 1),
  STAFF_SESSION_HOURS: number(7 * 24, 1),
  REVIEWER_IDLE_MINUTES: number(60, 1),
  REVIEWER_SESSION_HOURS: number(12, 1),
  /** After how many minutes without a touch a shared device asks who uses it. */
  SHARED_DEVICE_IDLE_MINUTES: number(5, 1),
  /** `1` requires longer passwords, as OWASP and NIST do for sign-in without a second factor. */
  STRICT: z._default(z.enum(['0', '1']), '0'),
  /** Who must sign in with a second factor; by default reviewers, if PUBLIC_URL begins with https. */
  REQUIRE_SECOND_FACTOR: z.optional(z.enum(['off', 'reviewers', 'everyone'])),
  /** Requests a minute: of a user, and of a network without a session. */
  RATE_PER_SESSION: number(600, 1),
  RATE_PER_ADDRESS: number(1200, 1),
  UPLOADS_PER_DAY: number(500, 1),
  /** Open connections: in total, and per network that is not in TRUST_PROXY. */
  CONNECTIONS: number(1000, 1),
  CONNECTIONS_PER_NETWORK: number(256, 1),
  /** Multiplies the per-minute limits of all endpoints. */
  RATE_SCALE: number(1, 1),
  /** The port of the Prometheus metrics; no metrics without it. */
  METRICS_PORT: z.optional(z.coerce.number().check(z.int(), z.minimum(0))),
  METRICS_HOST: text('127.0.0.1'),
  /** Files are stored in this bucket if set, otherwise in the data folder. */
  S3_BUCKET: text(),
  S3_ENDPOINT: text(),
  S3_REGION: text('us-east-1'),
  S3_ACCESS_KEY_ID: text(),
  S3_SECRET_ACCESS_KEY: text(),
  S3_PREFIX: text(),
  /**
   * The key of stored secrets: 32 bytes in Base64. Without it, the first start creates
   * `secrets.key` in the data folder.
   */
  SECRETS_KEY: z.optional(
    z.string().check(z.refine((text) => Buffer.from(text, 'base64').length === 32, 'must be 32 bytes in Base64')),
  ),
  /** Timeout in seconds of requests to the bucket. */
  S3_SECONDS: number(20, 1),
  /** Seconds that a completely received request may wait until its response starts. */
  ANSWER_SECONDS: number(30, 1),
  /** Passphrase for backups: the text, or a file that contains it. */
  BACKUP_PASSPHRASE: text(),
  BACKUP_PASSPHRASE_FILE: text(),
  /** `0` migrates an older database without a backup first. */
  BACKUP_BEFORE_UPGRADE: z._default(z.enum(['0', '1']), '1'),
  /** Years for which records are kept. Values below the legal minimum are rejected. */
  RETENTION_YEARS: number(6, retentionMinimums.years),
  /** A child's record is kept until they would be this old. */
  RETENTION_CHILD_AGE: number(22, retentionMinimums.childAge),
  RETENTION_DEATH_YEARS: number(6, retentionMinimums.deathYears),
  /** Years for which an access request is kept after it was answered. */
  RETENTION_ACCESS_YEARS: number(3, 1),
  /** The mail server, `smtps://user:password@mail.example.com`; without it no email is sent. */
  SMTP_URL: text(),
  /** The sender of emails: an address, or a name with an address in angle brackets. */
  MAIL_FROM: text(),
  /** `1` allows a mail server on another machine without an encrypted connection. */
  SMTP_INSECURE: z._default(z.enum(['0', '1']), '0'),
  ...ProviderEnvironment,
  /** Origins of further push services beside those of the known browsers, comma-separated. */
  PUSH_ORIGINS: text(),
  /**
   * The path of the ledger of destroyed records, by default in the data folder. It should be beside
   * the backups.
   */
  RETENTION_LEDGER: text(),
  /** Megabytes of the ballast file, and free megabytes below which uploads and writes are rejected. */
  BALLAST_MB: number(64),
  UPLOAD_FREE_MB: number(512),
  WRITE_FREE_MB: number(128),
  /** The ballast file is created only if more megabytes than this are free. */
  BALLAST_ROOM_MB: number(1024),
});

export const settingNames = Object.keys(Environment.shape);

export type Config = ReturnType<typeof parseConfig>;

/** Parses the settings. Throws an Error that names each invalid one and what it accepts. */
export function parseConfig(environment: NodeJS.ProcessEnv = process.env) {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const read = Environment.safeParse(set, { error: describeRequirement });
  if (!read.success)
    throw createSettingsError(...read.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`));
  const env = read.data;
  if (env.GUEST_REPORTS === '1' && !env.GUEST_URL)
    throw createSettingsError('GUEST_URL must be set if GUEST_REPORTS is 1');
  const minutes = 60_000;
  const isSecure = /^https:/i.test(env.PUBLIC_URL);
  return {
    port: env.PORT,
    host: env.HOST,
    dataDir: resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    publicUrl: env.PUBLIC_URL && new URL(env.PUBLIC_URL).origin,
    passkeyHost: getPasskeyHost(env.PUBLIC_URL || 'http://localhost'),
    isSecure,
    secondFactorFor: env.REQUIRE_SECOND_FACTOR ?? (isSecure ? 'reviewers' : 'off'),
    provider: readProvider(env),
    localSignInFor: env.LOCAL_SIGN_IN,
    trustProxy: env.TRUST_PROXY ? parseEntries(env.TRUST_PROXY) : (false as const),
    connections: { total: env.CONNECTIONS, perNetwork: env.CONNECTIONS_PER_NETWORK },
    adminPassword: env.ADMIN_PASSWORD,
    parksFile: env.PARKS_FILE && resolve(env.PARKS_FILE),
    operator: {
      name: env.OPERATOR_NAME,
      logo: env.OPERATOR_LOGO && resolve(env.OPERATOR_LOGO),
      privacyNotice: env.PRIVACY_NOTICE_URL,
    },
    /** '' if guests cannot send messages. */
    guestUrl: env.GUEST_REPORTS === '1' ? new URL(env.GUEST_URL).origin : '',
    guestPort: env.GUEST_PORT,
    isOfflineEnabled: env.OFFLINE === '1',
    logLevel: env.LOG_LEVEL,
    sessions: {
      staff: { idleMs: env.STAFF_IDLE_MINUTES * minutes, absoluteMs: env.STAFF_SESSION_HOURS * 60 * minutes },
      reviewer: { idleMs: env.REVIEWER_IDLE_MINUTES * minutes, absoluteMs: env.REVIEWER_SESSION_HOURS * 60 * minutes },
    },
    sharedDeviceIdleMinutes: env.SHARED_DEVICE_IDLE_MINUTES,
    passwordMin: env.STRICT === '1' ? 15 : 8,
    rates: {
      perUser: env.RATE_PER_SESSION,
      perNetwork: env.RATE_PER_ADDRESS,
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
    secretsKey: env.SECRETS_KEY === undefined ? undefined : Buffer.from(env.SECRETS_KEY, 'base64'),
    responseTimeoutMs: env.ANSWER_SECONDS * 1000,
    backup: {
      passphrase: env.BACKUP_PASSPHRASE,
      passphraseFile: env.BACKUP_PASSPHRASE_FILE && resolve(env.BACKUP_PASSPHRASE_FILE),
      /** The cost of scrypt as a power of two: each guess at a passphrase takes about a second. */
      scryptWorkFactor: 18,
      isCreatedBeforeUpgrade: env.BACKUP_BEFORE_UPGRADE === '1',
    },
    retention: {
      years: env.RETENTION_YEARS,
      childAge: env.RETENTION_CHILD_AGE,
      deathYears: env.RETENTION_DEATH_YEARS,
      accessRequestYears: env.RETENTION_ACCESS_YEARS,
      ledger: resolve(env.RETENTION_LEDGER || join(env.DATA_DIR, 'destroyed.jsonl')),
    },
    mail: { url: env.SMTP_URL.trim(), from: env.MAIL_FROM.trim(), isInsecureAllowed: env.SMTP_INSECURE === '1' },
    pushOrigins: env.PUSH_ORIGINS ? parseEntries(env.PUSH_ORIGINS) : [],
    space: {
      ballastMb: env.BALLAST_MB,
      ballastRoomMb: env.BALLAST_ROOM_MB,
      uploadFreeMb: env.UPLOAD_FREE_MB,
      writeFreeMb: env.WRITE_FREE_MB,
    },
  };
}

/**
 * Returns the host name for passkeys; '' if browsers offer none at this URL, because it is neither HTTPS with a
 * host name nor `localhost`.
 */
function getPasskeyHost(url: string): string {
  const { hostname, protocol } = new URL(url);
  const isPossible = hostname === 'localhost' || (protocol === 'https:' && isIP(hostname.replace(/[[\]]/g, '')) === 0);
  return isPossible ? hostname : '';
}

const parseEntries = (list: string) => list.split(',').map((entry) => entry.trim());

const isNamedRange = (entry: string) => ['loopback', 'linklocal', 'uniquelocal'].includes(entry);

/**
 * Whether Fastify accepts the entry as a trusted proxy: an IP address, a network with its prefix
 * length or mask, or the name of a range such as `loopback`.
 */
function isProxyEntry(entry: string): boolean {
  try {
    proxyAddr.compile(entry);
    // Check addresses with `isIP`, because the library also accepts incomplete ones, such as
    // `10.1`.
    return isNamedRange(entry) || isIP(entry.replace(/\/.*/, '')) !== 0;
  } catch {
    return false;
  }
}

/** Reads the file that a setting names. Rejects with a sentence that names the setting. */
export async function readSettingFile(setting: string, path: string): Promise<Buffer> {
  return readFile(path).catch((cause: NodeJS.ErrnoException) => {
    throw new Error(`${setting} cannot be read (${cause.code}): ${path}`, { cause });
  });
}

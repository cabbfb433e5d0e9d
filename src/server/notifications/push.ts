// Web push: subscriptions of devices, the server's keys, and sending.
import type { Config } from '../config.ts';
import type { Database, Tables } from '../db/schema.ts';
import { HttpError } from '../errors/http-error.ts';
import { newId } from '../ids.ts';
import type { Secrets } from '../secrets/secrets.ts';

export type Subscription = Tables['push_subscriptions'];

/** Loaded at first use, because most servers send nothing to devices. */
const loadWebPush = async () => (await import('web-push')).default;

/** The push services of Chrome and Edge on Android, Firefox, Safari, and Edge on Windows. */
const pushHosts = [
  /^fcm\.googleapis\.com$/,
  /^(?:[\w-]+\.)?push\.services\.mozilla\.com$/,
  /^(?:[\w-]+\.)*push\.apple\.com$/,
  /^(?:[\w-]+\.)+notify\.windows\.com$/,
];

/**
 * Whether the endpoint is one of a known push service, so that the server never sends requests to a URL invented
 * by a user.
 */
function isKnownPushService(endpoint: string, extraOrigins: string[]): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, hostname, origin, port } = new URL(endpoint);
  if (extraOrigins.includes(origin)) return true;
  return protocol === 'https:' && port === '' && pushHosts.some((host) => host.test(hostname));
}

/** Returns the server's keys; creates them at the first call. All instances share them. */
export async function getPushKeys(db: Database, secrets: Secrets): Promise<{ publicKey: string; privateKey: string }> {
  const selectKeys = () => db.selectFrom('push_keys').selectAll().where('id', '=', 1).executeTakeFirst();
  const storedKeys = await selectKeys();
  if (storedKeys) return { publicKey: storedKeys.public_key, privateKey: secrets.decrypt(storedKeys.private_key, '1') };
  const { publicKey, privateKey } = (await loadWebPush()).generateVAPIDKeys();
  await db
    .insertInto('push_keys')
    .values({ id: 1, public_key: publicKey, private_key: secrets.encrypt(privateKey, '1') })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  return getPushKeys(db, secrets);
}

const devicesPerUser = 10;

/**
 * Subscribes a device; a subscription used by another user before is moved to this one. Deletes the oldest
 * subscriptions of a user with more than ten. Throws 400 for an unknown push service.
 */
export async function addSubscription(
  db: Database,
  user: { id: string; tokenHash: string },
  { endpoint, keys }: { endpoint: string; keys: { p256dh: string; auth: string } },
  extraOrigins: string[],
  now: Date,
): Promise<void> {
  if (!isKnownPushService(endpoint, extraOrigins))
    throw new HttpError(400, 'The push service of this browser is not supported', { code: 'INVALID' });
  await removeSubscription(db, endpoint);
  const subscriptions = await db
    .selectFrom('push_subscriptions')
    .select('id')
    .where('user_id', '=', user.id)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  const surplusIds = subscriptions.slice(devicesPerUser - 1).map(({ id }) => id);
  if (surplusIds.length > 0) await db.deleteFrom('push_subscriptions').where('id', 'in', surplusIds).execute();
  await db
    .insertInto('push_subscriptions')
    .values({
      id: newId(),
      user_id: user.id,
      session: user.tokenHash,
      endpoint,
      ...keys,
      created_at: now.toISOString(),
    })
    .execute();
}

/** Unsubscribes a device. With `userId`, only if the device is subscribed by that user. */
export async function removeSubscription(db: Database, endpoint: string, userId?: string): Promise<void> {
  await db
    .deleteFrom('push_subscriptions')
    .where('endpoint', '=', endpoint)
    .$if(userId !== undefined, (qb) => qb.where('user_id', '=', userId ?? ''))
    .execute();
}

/**
 * Unsubscribes all devices of a user who was deleted or has another role, park or password, except
 * that of the given session.
 */
export async function removeUserSubscriptions(db: Database, userId: string, except = ''): Promise<void> {
  await db.deleteFrom('push_subscriptions').where('user_id', '=', userId).where('session', '!=', except).execute();
}

/** Keeps the device of a session subscribed when it gets a new token. */
export async function moveSessionSubscription(db: Database, tokenHash: string, newHash: string): Promise<void> {
  await db.updateTable('push_subscriptions').set({ session: newHash }).where('session', '=', tokenHash).execute();
}

/** Unsubscribes the device of a session that signs out. */
export async function removeSessionSubscription(db: Database, tokenHash: string): Promise<void> {
  await db.deleteFrom('push_subscriptions').where('session', '=', tokenHash).execute();
}

type PushMessage = { title: string; body: string; link: string; tag: string };

/** The push service responded that the device is no longer subscribed, or is no longer a known one. */
export class SubscriptionGoneError extends Error {}

/** Encrypts and sends a message. Resolves with the push service's response. */
export async function sendPush(
  {
    db,
    config,
    secrets,
  }: { db: Database; config: Pick<Config, 'publicUrl' | 'mail' | 'pushOrigins'>; secrets: Secrets },
  { endpoint, p256dh, auth }: Subscription,
  message: PushMessage,
  isUrgent: boolean,
): Promise<string> {
  // Check again, because the list of known services may have changed since the device subscribed.
  if (!isKnownPushService(endpoint, config.pushOrigins)) throw new SubscriptionGoneError('not a known push service');
  const { publicKey, privateKey } = await getPushKeys(db, secrets);
  const webPush = await loadWebPush();
  const details = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, JSON.stringify(message), {
    vapidDetails: { subject: getContact(config), publicKey, privateKey },
    TTL: 24 * 60 * 60,
    urgency: isUrgent ? 'high' : 'normal',
    contentEncoding: 'aes128gcm',
  });
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: details.headers as Record<string, string>,
    body: new Uint8Array(details.body),
    redirect: 'manual',
    signal: AbortSignal.timeout(20_000),
  });
  const answer = `${response.status} ${response.statusText}`.trim();
  await response.body?.cancel();
  if (response.status === 404 || response.status === 410) throw new SubscriptionGoneError(answer);
  if (!response.ok) throw new Error(answer);
  return answer;
}

/** Returns the contact URL that the standard requires in requests to a push service. */
const getContact = ({ publicUrl, mail }: Pick<Config, 'publicUrl' | 'mail'>) =>
  publicUrl.startsWith('https:')
    ? publicUrl
    : `mailto:${/[^@\s<]+@[^@\s>]+/.exec(mail.from)?.[0] ?? 'push@example.com'}`;

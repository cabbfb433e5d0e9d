// Sends waiting rows of `deliveries`. Any number of instances may run it: each message is claimed
// with a lease before it is sent, and no transaction is open while it is sent.
import { sql } from 'kysely';
import { waitUntilDurable } from '../db/connect.ts';
import { incrementCounter, setCounter } from '../db/counters.ts';
import type { Database, Tables } from '../db/schema.ts';
import type { Services } from '../http/handler-context.ts';
import { newId } from '../ids.ts';
import { poll } from '../workers/poll.ts';
import { createMailer, findMailProblem, isMailSetUp, type Mailer } from './email.ts';
import { emailFlagName } from './notify.ts';
import { type Subscription, SubscriptionGoneError, sendPush } from './push.ts';
import { canSee } from './visible.ts';

type SenderServices = Pick<Services, 'db' | 'config' | 'clock' | 'log' | 'secrets'>;
type DeliveryRow = Tables['deliveries'];

const defaultPollMs = 1000;
const leaseMs = 2 * 60_000;
/** Shorter than the lease, so that a message that hangs is not sent by another instance too. */
const sendTimeoutMs = 90_000;
const maxConcurrent = 5;

/** Minutes from each failed attempt to the next: together 8 attempts within 24 hours. */
const retryMinutes = [1, 4, 15, 40, 2 * 60, 6 * 60, 15 * 60];

/** Starts sending; returns a function that stops it and waits for messages in flight. */
export async function startSender(services: SenderServices, pollMs = defaultPollMs): Promise<() => Promise<void>> {
  const { db, config, log } = services;
  const problem = findMailProblem(config.mail);
  if (problem) log.error(problem);
  const mailer = isMailSetUp(config.mail) ? createMailer(config.mail) : undefined;
  await setCounter(db, emailFlagName, mailer ? 1 : 0);
  const stop = new AbortController();
  const polling = poll({
    work: async () => (await sendDue(services, mailer)) > 0,
    onError: (error) => log.error({ err: error }, 'sending notifications failed'),
    pauseMs: pollMs,
    signal: stop.signal,
  });
  return async () => {
    stop.abort();
    await polling;
    mailer?.close();
  };
}

/** Sends messages that are due, a few at a time; returns the number of attempts. */
export async function sendDue(services: SenderServices, mailer: Mailer | undefined): Promise<number> {
  const messages = await claimMessages(services.db, services.clock());
  if (messages.length === 0) return 0;
  // Wait until the changes are on disk, so that nobody is notified of a change that a power cut
  // could undo.
  await waitUntilDurable(services.db);
  await Promise.all(messages.map((message) => sendMessage(services, mailer, message)));
  return messages.length;
}

/** The name of a recipient's queue for a channel. The messages of a queue are sent in order. */
const queueName = sql<string>`channel || ' ' || user_id || ' ' || subscription_id`;
const getQueueName = ({
  user_id,
  channel,
  subscription_id,
}: Pick<DeliveryRow, 'user_id' | 'channel' | 'subscription_id'>) => `${channel} ${user_id} ${subscription_id}`;

/**
 * Claims the oldest due message of a few queues. Each result is a list of deliveries that are sent
 * together as one message.
 */
async function claimMessages(db: Database, now: Date): Promise<DeliveryRow[][]> {
  const at = now.toISOString();
  const waiting = db.selectFrom('deliveries').where('state', '=', 'waiting');
  if (!(await waiting.select('id').where('due_at', '<=', at).limit(1).executeTakeFirst())) return [];
  return db.transaction().execute(async (db) => {
    // One instance claims at a time: this row is locked until the transaction ends.
    await incrementCounter(db, 'delivery claims');
    const waiting = db.selectFrom('deliveries').selectAll().where('state', '=', 'waiting');
    // Queues with a message that is being sent or waits for a retry: no later message may overtake
    // it.
    const blocked = db
      .selectFrom('deliveries')
      .select(queueName.as('lane'))
      .where('state', '=', 'waiting')
      .where((eb) => eb.or([eb('leased_until', '>', at), eb.and([eb('attempts', '>', 0), eb('due_at', '>', at)])]));
    // Exclude blocked queues before the limit applies, so that thousands of messages to one
    // recipient do not delay other recipients.
    const due = await waiting
      .where('due_at', '<=', at)
      .where(queueName, 'not in', blocked)
      .orderBy('position')
      .limit(500)
      .execute();
    const deliveriesByQueue = Map.groupBy(due, getQueueName);
    const messages = [...deliveriesByQueue.values()].slice(0, maxConcurrent).map((rows) => {
      const [first] = rows;
      return rows.filter((row) => row.kind === first?.kind && row.is_urgent === first.is_urgent);
    });
    const ids = messages.flat().map(({ id }) => id);
    const leased_until = new Date(now.getTime() + leaseMs).toISOString();
    if (ids.length > 0) await db.updateTable('deliveries').set({ leased_until }).where('id', 'in', ids).execute();
    return messages.map((rows) => rows.map((row) => ({ ...row, leased_until })));
  });
}

type SendOutcome = { state: 'sent' | 'failed' | 'dropped'; answer: string };

async function sendMessage(services: SenderServices, mailer: Mailer | undefined, rows: DeliveryRow[]): Promise<void> {
  const { db, clock, log } = services;
  const failed = (error: unknown): SendOutcome => ({ state: 'failed', answer: describeError(error) });
  const [first] = rows;
  const user = first && (await findRecipient(db, first));
  const visibleRows = user ? rows.filter((row) => canSee(user, row)) : [];
  const hiddenRows = rows.filter((row) => !visibleRows.includes(row));
  const reason = user ? 'the user may no longer see this' : 'the user was deleted';
  if (hiddenRows.length > 0) await record(db, hiddenRows, { state: 'dropped', answer: reason }, clock());
  if (!user || visibleRows.length === 0) return;
  const outcome = await sendQueued(services, mailer, user, visibleRows).catch(failed);
  const answer = removeAddresses(outcome.answer);
  if (outcome.state === 'failed') log.warn({ answer, channel: first.channel }, 'a message failed');
  await record(db, visibleRows, { ...outcome, answer }, clock());
}

const findRecipient = (db: Database, { user_id }: DeliveryRow) =>
  db
    .selectFrom('users')
    .select(['email', 'role', 'park'])
    .where('id', '=', user_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();

async function sendQueued(
  { db, config, secrets }: SenderServices,
  mailer: Mailer | undefined,
  { email }: { email: string },
  rows: DeliveryRow[],
): Promise<SendOutcome> {
  const [first] = rows;
  if (!first) throw new Error('an empty message');
  const send = first.channel === 'email' ? sendEmail : sendToDevice;
  return withTimeout(sendTimeoutMs, send({ db, config, secrets, mailer, email, first, rows }));
}

type SendInput = {
  db: Database;
  config: SenderServices['config'];
  secrets: SenderServices['secrets'];
  mailer: Mailer | undefined;
  email: string;
  first: DeliveryRow;
  rows: DeliveryRow[];
};

async function sendEmail({ config, mailer, email, first, rows }: SendInput): Promise<SendOutcome> {
  if (!mailer) return { state: 'dropped', answer: 'email is not set up' };
  if (!email) return { state: 'dropped', answer: 'the user has no email address' };
  const subject = `${config.operator.name}: ${getHeadline(rows)}`;
  const lines = rows.map(({ line, link }) => (config.publicUrl ? `${line}\n${config.publicUrl}${link}` : line));
  const footer = 'You can choose what you are told under Notification Settings, in the menu under your name.';
  const text = `${lines.join('\n\n')}\n\n${footer}\n`;
  // The same message id for each attempt, so that a mail program shows an email that was sent twice
  // only once.
  return { state: 'sent', answer: await mailer.send({ to: email, subject, text, messageId: first.id }) };
}

async function sendToDevice({ db, config, secrets, first, rows }: SendInput): Promise<SendOutcome> {
  const device: Subscription | undefined = await db
    .selectFrom('push_subscriptions')
    .selectAll()
    .where('id', '=', first.subscription_id)
    .where('user_id', '=', first.user_id)
    .executeTakeFirst();
  if (!device) return { state: 'dropped', answer: 'the device is no longer subscribed' };
  const [only] = rows;
  const message = {
    title: config.operator.name,
    body: getHeadline(rows),
    link: rows.length === 1 ? (only?.link ?? '/notifications') : '/notifications',
    tag: first.id,
  };
  try {
    return { state: 'sent', answer: await sendPush({ db, config, secrets }, device, message, first.is_urgent === 1) };
  } catch (error) {
    if (!(error instanceof SubscriptionGoneError)) throw error;
    await db.deleteFrom('push_subscriptions').where('id', '=', device.id).execute();
    return { state: 'dropped', answer: `the device is no longer subscribed (${error.message})` };
  }
}

const getHeadline = (rows: DeliveryRow[]) =>
  rows.length === 1 ? (rows[0]?.line ?? '') : `${rows[0]?.line} and ${rows.length - 1} more`;

async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), ms);
  });
  try {
    return await Promise.race([work, timedOut]);
  } finally {
    clearTimeout(timer);
  }
}

/** Stores the result, unless the lease expired and another instance took over. */
async function record(db: Database, rows: DeliveryRow[], { state, answer }: SendOutcome, now: Date): Promise<void> {
  const at = now.toISOString();
  const message_id = rows[0]?.id ?? '';
  await db.transaction().execute(async (db) => {
    for (const { id, channel, attempts, leased_until } of rows) {
      const attemptCount = attempts + 1;
      const delayMinutes = retryMinutes[attempts];
      const next =
        state === 'failed' && delayMinutes !== undefined
          ? { state: 'waiting' as const, due_at: new Date(now.getTime() + delayMinutes * 60_000).toISOString() }
          : { state };
      await db
        .updateTable('deliveries')
        .set({ ...next, attempts: attemptCount, leased_until: '' })
        .where('id', '=', id)
        .where('state', '=', 'waiting')
        .where('leased_until', '=', leased_until)
        .execute();
      const is_accepted = state === 'sent' ? 1 : 0;
      await db
        .insertInto('delivery_attempts')
        .values({ id: newId(), delivery_id: id, message_id, channel, at, is_accepted, answer })
        .execute();
    }
  });
}

/** Removes email addresses from the mail server's response, because other users can see it. */
const removeAddresses = (answer: string) => answer.replace(/<?[^\s<>@]+@[^\s<>@]+>?/g, '(address)').slice(0, 500);

function describeError(error: unknown): string {
  const { code, responseCode, response, message, cause } = Object(error) as Record<string, unknown>;
  const reason =
    typeof response === 'string'
      ? response
      : [code ?? Object(cause).code, responseCode, message].filter(Boolean).join(' ');
  return reason || 'unknown error';
}

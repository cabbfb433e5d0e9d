// Sends waiting rows of `deliveries`. Any number of instances may run it: each message is claimed
// with a lease before it is sent, and no transaction is open while it is sent.
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Role } from '#shared/access.ts';
import { waitUntilDurable } from '../db/connect.ts';
import { incrementCounter, setCounter } from '../db/counters.ts';
import { findsRow } from '../db/queries.ts';
import type { Database, Tables } from '../db/schema.ts';
import type { Services } from '../http/handler-context.ts';
import { newId } from '../ids.ts';
import { findRoleOnDevice } from '../sign-in/session/factor-policy.ts';
import { parseStoredParks } from '../user-parks.ts';
import { poll } from '../workers/poll.ts';
import {
  createMailer,
  encryptionProblem,
  findMailProblem,
  isEncryptionMissing,
  isMailSetUp,
  type Mailer,
} from './email.ts';
import { addMs, emailFlagName, emailFlags, maxDelayMs } from './notify.ts';
import { type Subscription, SubscriptionGoneError, sendPush } from './push.ts';
import { canSee } from './visible.ts';

type SenderServices = Pick<Services, 'db' | 'config' | 'clock' | 'log' | 'secrets'>;
type DeliveryRow = Tables['deliveries'];

const defaultPollMs = 1000;
const leaseMs = 2 * 60_000;
/** Shorter than the lease, so that a message that hangs is not sent by another instance too. */
const sendTimeoutMs = 90_000;
const maxConcurrent = 5;
/** The most lines of an email; the others are in the app. */
const maxLines = 30;
const encryptionCheckMs = 10 * 60_000;

/** Minutes from each failed attempt to the next: together 8 attempts within 24 hours. */
const retryMinutes = [1, 4, 15, 40, 2 * 60, 6 * 60, 15 * 60];

/** Starts sending; returns a function that stops it and waits for messages in flight. */
export async function startSender(services: SenderServices, pollMs = defaultPollMs): Promise<() => Promise<void>> {
  const { db, config, log } = services;
  const problem = findMailProblem(config.mail);
  if (problem) log.error(problem);
  const mailer = isMailSetUp(config.mail) ? createMailer(config.mail) : undefined;
  await setCounter(db, emailFlagName, mailer ? emailFlags.on : emailFlags.off);
  const stop = new AbortController();
  const checkingEncryption = mailer && keepCheckingEncryption(services, stop.signal);
  // One loop for each channel, so that a mail server that hangs does not delay devices.
  const sending = (['email', 'push'] as const).map((channel) =>
    poll({
      work: async () => (await sendDue(services, mailer, channel)) > 0,
      onError: (error) => log.error({ err: error }, 'sending notifications failed'),
      pauseMs: pollMs,
      signal: stop.signal,
    }),
  );
  return async () => {
    stop.abort();
    await Promise.all([...sending, checkingEncryption]);
    mailer?.close();
  };
}

/** Switches email off while the mail server offers no encrypted connection. */
async function keepCheckingEncryption({ db, config, log }: SenderServices, signal: AbortSignal): Promise<void> {
  let isMissing = false;
  await poll({
    async work() {
      const wasMissing = isMissing;
      isMissing = await isEncryptionMissing(config.mail);
      if (isMissing && !wasMissing) log.error(encryptionProblem);
      if (isMissing !== wasMissing)
        await setCounter(db, emailFlagName, isMissing ? emailFlags.notEncrypted : emailFlags.on);
      return false;
    },
    onError: (error) => log.error({ err: error }, 'the mail server could not be checked'),
    pauseMs: encryptionCheckMs,
    signal,
  });
}

/** Sends messages that are due, a few at a time; returns the number of attempts. */
export async function sendDue(
  services: SenderServices,
  mailer: Mailer | undefined,
  channel: DeliveryRow['channel'] = 'email',
): Promise<number> {
  const messages = await claimMessages(services.db, services.clock(), channel);
  if (messages.length === 0) return 0;
  // Wait until the changes are on disk, so that nobody is notified of a change that a power cut
  // could undo.
  await waitUntilDurable(services.db);
  await Promise.all(messages.map((message) => sendMessage(services, mailer, message)));
  return messages.length;
}

/**
 * Claims the first due messages of a channel. Each result is a list of deliveries that are sent as
 * one message.
 */
async function claimMessages(db: Database, now: Date, channel: DeliveryRow['channel']): Promise<DeliveryRow[][]> {
  const selectWaiting = (db: Database) =>
    db.selectFrom('deliveries').where('state', '=', 'waiting').where('channel', '=', channel);
  if (!(await findsRow(selectWaiting(db).where(isDue(now))))) return [];
  return db.transaction().execute(async (db) => {
    // One instance claims at a time: this row is locked until the transaction ends.
    await incrementCounter(db, 'delivery claims');
    // Exclude blocked lanes before the limit applies, so that thousands of messages about one record
    // do not delay others.
    const due = await selectWaiting(db)
      .selectAll()
      .where(isDue(now))
      .where(laneName, 'not in', selectWaiting(db).select(laneName.as('lane')).where(isBlocking(now)))
      .orderBy('is_urgent', 'desc')
      .orderBy('position')
      .limit(500)
      .execute();
    const messages = combineDeliveries(due).slice(0, maxConcurrent);
    const ids = messages.flat().map(({ id }) => id);
    const leased_until = addMs(now, leaseMs);
    if (ids.length > 0) await db.updateTable('deliveries').set({ leased_until }).where('id', 'in', ids).execute();
    return messages.map((rows) => rows.map((row) => ({ ...row, leased_until })));
  });
}

type Condition = (eb: ExpressionBuilder<Tables, 'deliveries'>) => Expression<SqlBool>;

/** Due now, or more than a day ahead: such a message was planned while the clock was ahead. */
const isDue =
  (now: Date): Condition =>
  (eb) =>
    eb.or([eb('due_at', '<=', now.toISOString()), eb('due_at', '>', addMs(now, maxDelayMs))]);

/** Being sent or waiting for a retry, so that no later message may overtake it. */
const isBlocking =
  (now: Date): Condition =>
  (eb) =>
    eb.or([
      eb.and([eb('leased_until', '>', now.toISOString()), eb('leased_until', '<=', addMs(now, leaseMs))]),
      eb.and([eb('attempts', '>', 0), eb.not(isDue(now)(eb))]),
    ]);

/** The messages about one record to one recipient are sent in order; others do not wait for them. */
const laneName = sql<string>`user_id || ' ' || subscription_id || ' ' || address || ' ' || thing || ' ' || thing_id`;
const getRecipient = ({ user_id, subscription_id, address }: DeliveryRow) => `${user_id} ${subscription_id} ${address}`;
const getLane = (row: DeliveryRow) => `${getRecipient(row)} ${row.thing} ${row.thing_id}`;

/**
 * Combines deliveries to a recipient that are about one record, of one kind or caused by one change.
 * Each joins the message of the first such one that waits. Urgent messages come first.
 */
function combineDeliveries(rows: DeliveryRow[]): DeliveryRow[][] {
  const messages: DeliveryRow[][] = [];
  const messageByKey = new Map<string, DeliveryRow[]>();
  for (const row of rows.toSorted((a, b) => a.position - b.position)) {
    const recipient = getRecipient(row);
    // The record comes first, so that no message overtakes an earlier one about it.
    const keys = [getLane(row), `${recipient} ${row.kind} ${row.is_urgent}`, `${recipient} ${row.created_at}`];
    const message = keys.map((key) => messageByKey.get(key)).find(Boolean) ?? [];
    if (message.length === 0) messages.push(message);
    message.push(row);
    for (const key of keys) if (!messageByKey.has(key)) messageByKey.set(key, message);
  }
  const isUrgent = (message: DeliveryRow[]) => message.some(({ is_urgent }) => is_urgent === 1);
  return messages.sort((a, b) => Number(isUrgent(b)) - Number(isUrgent(a)));
}

type SendOutcome = { state: 'sent' | 'failed' | 'dropped'; answer: string };

async function sendMessage(services: SenderServices, mailer: Mailer | undefined, rows: DeliveryRow[]): Promise<void> {
  const { db, clock, log } = services;
  const toFailure = (error: unknown): SendOutcome => ({ state: 'failed', answer: describeError(error) });
  const [first] = rows;
  const user = first && (await findRecipient(services, first));
  const visibleRows = user ? rows.filter((row) => canSee(user, row)) : [];
  const hiddenRows = rows.filter((row) => !visibleRows.includes(row));
  const reason = user ? 'the user may no longer see this' : 'the user was deleted';
  if (hiddenRows.length > 0) await storeOutcome(db, hiddenRows, { state: 'dropped', answer: reason }, clock());
  if (!user || visibleRows.length === 0) return;
  const outcome = await sendWithTimeout(services, mailer, user, visibleRows).catch(toFailure);
  const answer = removeAddresses(outcome.answer);
  if (outcome.state === 'failed') log.warn({ answer, channel: first.channel }, 'a message failed');
  await storeOutcome(db, visibleRows, { ...outcome, answer }, clock());
}

/** Returns the user. On a device on which they lack the second factor that is required, with the role of staff. */
async function findRecipient({ db, config, clock }: SenderServices, { user_id, subscription_id }: DeliveryRow) {
  const row = await db
    .selectFrom('users')
    .select(['email', 'role', 'parks'])
    .where('id', '=', user_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!row) return undefined;
  const user = { ...row, role: row.role as Role, parks: parseStoredParks(row.parks) };
  const device = db.selectFrom('push_subscriptions').select('session').where('id', '=', subscription_id);
  const { session: tokenHash } = (await device.executeTakeFirst()) ?? {};
  if (tokenHash === undefined) return user;
  const role = await findRoleOnDevice(db, config, { userId: user_id, role: user.role, tokenHash }, clock());
  return { ...user, role };
}

async function sendWithTimeout(
  { db, config, secrets }: SenderServices,
  mailer: Mailer | undefined,
  { email }: { email: string },
  rows: DeliveryRow[],
): Promise<SendOutcome> {
  const [first] = rows;
  if (!first) throw new Error('an empty message');
  const send = first.channel === 'email' ? sendEmail : sendToDevice;
  return withTimeout(sendTimeoutMs, send({ db, config, secrets, mailer, email: first.address || email, first, rows }));
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
  const lines = composeLines(rows);
  const subject = `${config.operator.name}: ${getHeadline(lines)}`;
  const listed = lines.length > maxLines ? lines.slice(0, maxLines - 1) : lines;
  const rest = lines.length - listed.length;
  if (rest > 0) listed.push({ line: `and ${rest} more`, link: '/notifications' });
  const paragraphs = listed.map(({ line, link }) => (config.publicUrl ? `${line}\n${config.publicUrl}${link}` : line));
  const footer = 'Choose which messages you get under Notification Settings, in the menu under your name.';
  const text = `${paragraphs.join('\n\n')}\n\n${footer}\n`;
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
  const lines = composeLines(rows);
  const [only] = lines;
  const message = {
    title: config.operator.name,
    body: getHeadline(lines),
    link: lines.length === 1 ? (only?.link ?? '/notifications') : '/notifications',
    tag: first.id,
  };
  const isUrgent = rows.some(({ is_urgent }) => is_urgent === 1);
  try {
    return { state: 'sent', answer: await sendPush({ db, config, secrets }, device, message, isUrgent) };
  } catch (error) {
    if (!(error instanceof SubscriptionGoneError)) throw error;
    await db.deleteFrom('push_subscriptions').where('id', '=', device.id).execute();
    return { state: 'dropped', answer: `the device is no longer subscribed (${error.message})` };
  }
}

type Line = Pick<DeliveryRow, 'line' | 'link'>;

/** Returns what a message says: the same thing once, and the missed checks of a park as a number. */
function composeLines(rows: DeliveryRow[]): Line[] {
  const lines = new Map<string, Line>();
  const missedChecks = Map.groupBy(
    rows.filter(({ kind }) => kind === 'checkMissed'),
    ({ park }) => park,
  );
  for (const { kind, park, line, link } of rows) {
    const missed = kind === 'checkMissed' ? (missedChecks.get(park)?.length ?? 1) : 1;
    const words = missed > 1 ? `${missed} scheduled checks missed at ${park}` : line;
    lines.set(`${words} ${link}`, { line: words, link });
  }
  return [...lines.values()];
}

const getHeadline = (lines: Line[]) =>
  lines.length === 1 ? (lines[0]?.line ?? '') : `${lines[0]?.line} and ${lines.length - 1} more`;

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

/** Stores the attempt, and its outcome unless the lease expired and another instance took over. */
async function storeOutcome(
  db: Database,
  rows: DeliveryRow[],
  { state, answer }: SendOutcome,
  now: Date,
): Promise<void> {
  const at = now.toISOString();
  const message_id = rows[0]?.id ?? '';
  await db.transaction().execute(async (db) => {
    for (const { id, channel, attempts, leased_until } of rows) {
      const attemptCount = attempts + 1;
      const delayMinutes = retryMinutes[attempts];
      const next =
        state === 'failed' && delayMinutes !== undefined
          ? { state: 'waiting' as const, due_at: new Date(now.getTime() + delayMinutes * 60_000).toISOString() }
          : { state, address: '' };
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

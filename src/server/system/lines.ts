// What is set up and what is wrong: a line for each part of the system.
import { sql } from 'kysely';
import { formatInstant } from '#shared/dates.ts';
import { isOpenPark, listOpenParks, listParks } from '#shared/park-list.ts';
import { pluralise } from '#shared/pluralise.ts';
import { getHost, type SystemLine, sortByState } from '#shared/system/system.ts';
import { getEngine } from '../db/connect.ts';
import { getCounter } from '../db/counters.ts';
import { countRows } from '../db/queries.ts';
import type { Services } from '../http/handler-context.ts';
import { canSendLinks, encryptionProblem, findMailProblem, isMailSetUp } from '../notifications/email.ts';
import { emailFlagName, emailFlags } from '../notifications/notify.ts';
import { findEmailFailure } from '../notifications/store.ts';
import { findEndOfGrace, isRequired } from '../sign-in/session/factor-policy.ts';
import { version } from '../version.ts';

type System = Pick<Services, 'config' | 'db' | 'files' | 'space' | 'integrity'> & { now: Date };

/** Of backups; written by the commands, in seconds since 1970. */
export const backupCounters = { made: 'last backup', verified: 'last verified backup' };

const dayMs = 24 * 60 * 60_000;
/** Backups are made every night. One that was begun a little later than yesterday's is in time. */
const maxBackupAgeMs = 2 * dayMs;
export const maxVerifiedAgeMs = 8 * dayMs;
const maxNames = 10;
const GB = 1e9;

/** Returns a line for each part, those that are wrong first. */
export async function listSystemLines(system: System): Promise<SystemLine[]> {
  const lines = await Promise.all(describers.map((describe) => describe(system)));
  return sortByState(lines);
}

/** Returns a sentence for each part that is wrong. */
export const listSystemProblems = async (system: System): Promise<string[]> =>
  (await listSystemLines(system)).filter(({ state }) => state === 'wrong').map(({ text }) => getFirstSentence(text));

const getFirstSentence = (text: string) => /^.*?\.(?=\s|$)/.exec(text)?.[0] ?? text;

type Describe = (system: System) => SystemLine | Promise<SystemLine>;

const describeEmail: Describe = async ({ config, db, now }) => {
  const { mail } = config;
  const line = { title: 'Email', settings: ['SMTP_URL', 'MAIL_FROM', 'PUBLIC_URL'] };
  const isUnencrypted = (await getCounter(db, emailFlagName)) === emailFlags.notEncrypted;
  const problem = findMailProblem(mail) || (isUnencrypted ? encryptionProblem : '');
  if (problem) return { ...line, state: 'wrong', text: problem };
  if (!isMailSetUp(mail))
    return { ...line, state: 'off', text: 'Users get no emails. They see notifications in the app.' };
  const host = getMailHost(mail.url);
  const since = await findEmailFailure(db, now);
  if (since)
    return {
      ...line,
      state: 'wrong',
      test: 'email',
      text: `Email has been failing since ${formatInstant(since)}. It goes to ${host}.`,
    };
  const links = canSendLinks(config) ? '' : ' Emails contain no links, because the address is not set.';
  return { ...line, state: 'on', test: 'email', text: `Emails go to ${host}.${links}` };
};

/** The host of a mail server, whose address is not one of the web. */
const getMailHost = (url: string) => getHost(url) || new URL(url).hostname;

const describePush: Describe = async ({ config, db }) => {
  const line = { title: 'Messages to Devices', settings: ['PUBLIC_URL', 'PUSH_ORIGINS'] };
  if (!config.isSecure)
    return { ...line, state: 'off', text: 'Browsers take messages only from an address with HTTPS.' };
  const count = await countRows(db.selectFrom('push_subscriptions'));
  return { ...line, state: 'on', text: `${pluralise(count, 'device')} get messages when the app is closed.` };
};

const describeProvider: Describe = ({ config: { provider } }) => {
  const line = { title: 'Single Sign-On', settings: ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] };
  if (!provider) return { ...line, state: 'off', text: 'Users sign in with a password or a passkey.' };
  const text = `Users can sign in with their account at ${getHost(provider.issuer)}.`;
  return { ...line, state: 'on', test: 'provider', text };
};

const describeSecondFactors: Describe = async ({ config, db, now }) => {
  const line = { title: 'Second Factors', settings: ['REQUIRE_SECOND_FACTOR'] };
  if (config.secondFactorFor === 'off')
    return { ...line, state: 'off', text: 'Each user decides whether they set up two-factor sign-in.' };
  const who = config.secondFactorFor === 'everyone' ? 'Everyone' : 'Everyone but park staff';
  const names = await listUsersWithoutFactor({ config, db });
  if (names.length === 0)
    return { ...line, state: 'on', text: `${who} must sign in with a second factor. No one is without.` };
  const list =
    names.slice(0, maxNames).join(', ') + (names.length > maxNames ? ` and ${names.length - maxNames} more` : '');
  const daysLeft = Math.ceil(((await findEndOfGrace(db)).getTime() - now.getTime()) / dayMs);
  if (daysLeft > 0)
    return {
      ...line,
      state: 'on',
      text: `${who} must sign in with a second factor. Without one, for ${pluralise(daysLeft, 'day')} more: ${list}.`,
    };
  return {
    ...line,
    state: 'wrong',
    text: `${pluralise(names.length, 'user')} must set up a second factor and ${names.length === 1 ? 'has' : 'have'} not. With a password alone they have the rights of park staff: ${list}.`,
  };
};

/** Users who can sign in with a password and have nothing else, though their role requires it. */
async function listUsersWithoutFactor({ config, db }: Pick<System, 'config' | 'db'>): Promise<string[]> {
  const users = await db
    .selectFrom('users')
    .select(['username', 'role'])
    .where('deleted_at', 'is', null)
    .where('password_hash', '!=', '')
    .where(sql<boolean>`not exists (select 1 from authenticators where user_id = users.id and is_confirmed = 1)`)
    .where(sql<boolean>`not exists (select 1 from passkeys where user_id = users.id and is_confirmed = 1)`)
    .where(sql<boolean>`not exists (select 1 from identity_links where user_id = users.id)`)
    .orderBy('username')
    .execute();
  return users
    .filter(({ role }) => isRequired(config, role as Parameters<typeof isRequired>[1]))
    .map(({ username }) => username);
}

const describeGuests: Describe = ({ config: { guestUrl } }) => {
  const line = { title: "Guests' Pages", settings: ['GUEST_REPORTS', 'GUEST_URL', 'GUEST_PORT'] };
  if (!guestUrl) return { ...line, state: 'off', text: 'Guests who scan a label cannot send messages.' };
  return { ...line, state: 'on', text: `Guests who scan a label come to ${getHost(guestUrl)}.` };
};

const describeStorage: Describe = async ({ config, files }) => {
  const isBucket = files.kind === 'bucket';
  const settings = isBucket ? ['S3_BUCKET', 'S3_ENDPOINT', 'S3_REGION'] : ['DATA_DIR', 'S3_BUCKET'];
  const line = { title: 'Storage of Photos', settings, test: 'storage' as const };
  const host = getHost(config.bucket.endpoint);
  const where = isBucket ? `in a bucket${host && ` at ${host}`}` : 'in the data folder of this server';
  if (!(await files.isAvailable()))
    return { ...line, state: 'wrong', text: `Photos cannot be read or stored. They are ${where}.` };
  return { ...line, state: 'on', text: `Photos are stored ${where}.` };
};

const describeDatabase: Describe = ({ config, db, integrity }) => {
  const line = { title: 'Database', settings: ['DATABASE_URL'] };
  if (integrity.problem)
    return {
      ...line,
      state: 'wrong',
      text: 'The database is damaged. Stop the server and restore the last backup.',
    };
  const host = getHost(config.databaseUrl) || getHost(config.databaseUrl.replace(/^\w+:/, 'http:'));
  const text =
    getEngine(db) === 'postgres'
      ? `Records are in PostgreSQL${host && ` at ${host}`}.`
      : 'Records are in SQLite, in the data folder of this server.';
  return { ...line, state: 'on', text };
};

const describeDisk: Describe = async ({ space }) => {
  const line = { title: 'Disk', settings: ['DATA_DIR', 'UPLOAD_FREE_MB', 'WRITE_FREE_MB'] };
  const disk = await space.getSpace().catch(() => undefined);
  if (!disk) return { ...line, state: 'wrong', text: 'The free space of the disk is not known.' };
  const text = `${format(disk.freeBytes)} of ${format(disk.totalBytes)} are free.`;
  if (await space.isFull()) return { ...line, state: 'wrong', text: `The disk is full: nothing can be saved. ${text}` };
  const isShort = await space.check('upload').then(
    () => false,
    () => true,
  );
  if (isShort) return { ...line, state: 'wrong', text: `The disk is nearly full: no photos can be stored. ${text}` };
  return { ...line, state: 'on', text };
};
const format = (bytes: number) => `${(bytes / GB).toFixed(1)} GB`;

const describeBackup: Describe = async ({ db, now }) => {
  const line = { title: 'Last Backup', settings: ['BACKUP_PASSPHRASE_FILE'] };
  const made = await findBackup(db, 'made');
  if (!made) return { ...line, state: 'wrong', text: 'No backup has been made. Run npm run backup every night.' };
  const at = formatInstant(made.toISOString());
  if (now.getTime() - made.getTime() > maxBackupAgeMs)
    return { ...line, state: 'wrong', text: `The last backup is of ${at}. Run npm run backup every night.` };
  return { ...line, state: 'on', text: `The last backup is of ${at}.` };
};

const describeVerifiedBackup: Describe = async ({ db, now }) => {
  const line = { title: 'Last Verified Backup', settings: [] };
  const verified = await findBackup(db, 'verified');
  const advice = 'Run npm run verify-backup every week.';
  if (!verified) return { ...line, state: 'wrong', text: `No backup has been verified. ${advice}` };
  const at = formatInstant(verified.toISOString());
  if (now.getTime() - verified.getTime() > maxVerifiedAgeMs)
    return { ...line, state: 'wrong', text: `No backup has been verified since ${at}. ${advice}` };
  return { ...line, state: 'on', text: `A backup was verified on ${at}.` };
};

async function findBackup(db: System['db'], which: keyof typeof backupCounters): Promise<Date | undefined> {
  const seconds = await getCounter(db, backupCounters[which]);
  return seconds > 0 ? new Date(seconds * 1000) : undefined;
}

const describeParks: Describe = () => {
  const [open, closed] = [listOpenParks(), listParks().filter((park) => !isOpenPark(park))];
  const text = [
    `There ${open.length === 1 ? 'is' : 'are'} ${pluralise(open.length, 'open park')}: ${open.join(', ')}.`,
    closed.length > 0 && `Closed: ${closed.join(', ')}.`,
    "To change them, write their names into a file, one a line, with 'closed:' before a closed one. Name the file in the setting.",
  ];
  return { title: 'Parks', state: 'on', text: text.filter(Boolean).join(' '), settings: ['PARKS_FILE'] };
};

const describeVersion: Describe = () => ({
  title: 'Version',
  state: 'on',
  text: `This is version ${version}.`,
  settings: [],
});

const describeInstances: Describe = ({ config, files }) => {
  const line = { title: 'Instances', settings: ['DATABASE_URL', 'S3_BUCKET'] };
  return config.databaseUrl && files.kind === 'bucket'
    ? { ...line, state: 'on', text: 'Several servers can run on this database and bucket.' }
    : { ...line, state: 'off', text: 'One server runs. Several need PostgreSQL and a bucket.' };
};

const describeAddress: Describe = ({ config: { publicUrl, isSecure } }) => {
  const line = { title: 'Address and HTTPS', settings: ['PUBLIC_URL', 'TRUST_PROXY'] };
  const loss = 'Phones need HTTPS for the camera, for use offline and for passkeys.';
  if (!publicUrl) return { ...line, state: 'off', text: `The address of this server is not set. ${loss}` };
  const host = getHost(publicUrl);
  if (!isSecure) return { ...line, state: 'wrong', text: `The address ${host} has no HTTPS. ${loss}` };
  return { ...line, state: 'on', text: `Users open https://${host}.` };
};

const describers = [
  describeEmail,
  describePush,
  describeProvider,
  describeSecondFactors,
  describeGuests,
  describeStorage,
  describeDatabase,
  describeDisk,
  describeBackup,
  describeVerifiedBackup,
  describeParks,
  describeVersion,
  describeInstances,
  describeAddress,
];

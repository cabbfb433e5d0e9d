// Prepares the product for the comparison: many reports, reviewers who read them, and staff with
// uploads to submit.
import { sql } from 'kysely';
import type { Role } from '#shared/access.ts';
import { parks } from '#shared/choices.ts';
import { getCookieName, insertSession } from '../../src/server/auth/session.ts';
import { connect } from '../../src/server/db/connect.ts';
import { migrate } from '../../src/server/db/migrate.ts';
import type { Database } from '../../src/server/db/schema.ts';
import { insertUser } from '../../src/server/users/store.ts';
import { startProduct } from '../product.ts';
import { seedReports, seedUploads } from '../seed.ts';

/** A user may have 100 unattached uploads: enough for this many reports and some photos. */
export const reportsPerUser = 20;
export const uploadsPerUser = 30;

export type Writer = { id: string; cookie: string; uploads: string[][] };
export type StorageLocation = { databaseUrl: string; dataDir: string };

/** Starts the product once, which creates the tables, and inserts the reports. */
export async function prepareProduct(location: StorageLocation, reports: number): Promise<void> {
  await (await startProduct(location.dataDir, getSettings(location))).stop();
  const db = await connect(location);
  const author = await db.selectFrom('users').select(['id', 'username']).executeTakeFirstOrThrow();
  await seedReports(db, reports, author);
  // PostgreSQL does it by itself within a minute; without it, it sorts all reports for the newest 50.
  if (location.databaseUrl) await sql`analyze`.execute(db);
  await db.destroy();
}

export const getSettings = ({ databaseUrl }: StorageLocation) => ({
  DATABASE_URL: databaseUrl,
  RATE_PER_SESSION: '100000000',
  RATE_PER_ADDRESS: '100000000',
  RATE_SCALE: '1000000',
  UPLOADS_PER_DAY: '1000000',
});

/** Creates staff with a session and uploads to submit. Call it before each round. */
export const addWriters = (location: StorageLocation, count: number, withUploads: boolean): Promise<Writer[]> =>
  addUsers(location, count, 'None', withUploads);

/**
 * Resolves with a function that returns the headers of each connection: each has its own user,
 * because requests per user are limited. The users have parks, as most reviewers do: a reviewer of
 * all parks is notified of each report.
 */
export async function addReaderSessions(location: StorageLocation): Promise<(index: number) => { cookie: string }> {
  const readers = await addUsers(location, 32, 'Admin', false);
  return (index) => ({ cookie: readers[index % readers.length]?.cookie ?? '' });
}

async function addUsers(location: StorageLocation, count: number, role: Role, withUploads: boolean): Promise<Writer[]> {
  const db = await connect(location);
  try {
    await migrate(db);
    return await insertUsers(db, count, role, withUploads);
  } finally {
    await db.destroy();
  }
}

async function insertUsers(db: Database, count: number, role: Role, withUploads: boolean): Promise<Writer[]> {
  const writers: Writer[] = [];
  const now = new Date();
  for (let index = 0; index < count; index++) {
    const username = `${role}${Math.random().toString(36).slice(2)}`;
    const park = parks[index % parks.length] ?? '';
    const id = await insertUser(db, { username, passwordHash: 'none', role, park, mustChangePassword: false }, now);
    const cookie = `${getCookieName(false)}=${await insertSession(db, id, now)}`;
    const paths = withUploads ? await seedUploads(db, reportsPerUser * 3, id) : [];
    const uploads = Array.from({ length: paths.length / 3 }, (_, at) => paths.slice(at * 3, at * 3 + 3));
    writers.push({ id, cookie, uploads });
  }
  return writers;
}

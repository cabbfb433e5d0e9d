// The product with many reports, and users with uploads to submit.

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
export type Place = { databaseUrl: string; dataDir: string };

/** Fills the database after a first start. */
export async function prepareProduct(place: Place, reports: number): Promise<void> {
  await (await startProduct(place.dataDir, settingsOf(place))).stop();
  const db = await connect(place);
  const author = await db.selectFrom('users').select(['id', 'username']).executeTakeFirstOrThrow();
  await seedReports(db, reports, author);
  await db.destroy();
}

export const settingsOf = ({ databaseUrl }: Place) => ({
  DATABASE_URL: databaseUrl,
  RATE_PER_SESSION: '100000000',
  RATE_PER_ADDRESS: '100000000',
  RATE_SCALE: '1000000',
  UPLOADS_PER_DAY: '1000000',
});

/** Creates users with a session and uploads to submit, before each round. */
export async function addWriters(place: Place, count: number, withUploads: boolean): Promise<Writer[]> {
  const db = await connect(place);
  try {
    await migrate(db);
    return await insertWriters(db, count, withUploads);
  } finally {
    await db.destroy();
  }
}

async function insertWriters(db: Database, count: number, withUploads: boolean): Promise<Writer[]> {
  const writers: Writer[] = [];
  const now = new Date();
  for (let index = 0; index < count; index++) {
    const username = `writer${Math.random().toString(36).slice(2)}`;
    const user = { username, passwordHash: 'none', role: 'Admin', park: '', mustChangePassword: false } as const;
    const id = await insertUser(db, user, now);
    const cookie = `${getCookieName(false)}=${await insertSession(db, id, now)}`;
    const paths = withUploads ? await seedUploads(db, reportsPerUser * 3, id) : [];
    const uploads = Array.from({ length: paths.length / 3 }, (_, at) => paths.slice(at * 3, at * 3 + 3));
    writers.push({ id, cookie, uploads });
  }
  return writers;
}

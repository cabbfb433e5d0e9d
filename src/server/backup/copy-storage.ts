// Copies data from SQLite to PostgreSQL and from a folder to a bucket. It compares the copies,
// deletes nothing, and can be run again.
import { sql } from 'kysely';
import { getEngine } from '../db/connect.ts';
import type { Database, Tables } from '../db/schema.ts';
import { listBackedUpTables } from '../db/tables.ts';
import type { FileStore } from '../files/store.ts';
import { getFilePath } from '../files/upload-path.ts';
import { sha256 } from '../hash.ts';
import { guestAccountId } from '../names/guest-account.ts';

/**
 * Tables with their primary keys, parents before children for the foreign keys. Sessions are not
 * copied: all users must sign in again.
 */
const orderedTables: {
  [Table in Exclude<
    keyof Tables,
    'sessions' | 'one_use_tokens' | 'guest_counters' | 'push_subscriptions' | 'email_changes' | 'report_months'
  >]: (keyof Tables[Table])[];
} = {
  users: ['id'],
  authenticators: ['user_id'],
  used_app_codes: ['user_id', 'step'],
  factor_resets: ['id'],
  browsers: ['user_id', 'token_hash'],
  shared_devices: ['id'],
  identity_links: ['identity_hash'],
  waiting_identities: ['id'],
  pins: ['user_id'],
  device_sign_ins: ['id'],
  passkeys: ['id'],
  recovery_codes: ['user_id', 'is_confirmed', 'number'],
  throttles: ['key'],
  replies: ['user_id', 'route', 'key'],
  counters: ['name'],
  uploads: ['path'],
  deletions: ['id'],
  reports: ['id'],
  assessments: ['id'],
  assessment_versions: ['id'],
  riddor_notices: ['id'],
  rule_sets: ['id'],
  holds: ['id'],
  releases: ['deletion_id'],
  access_requests: ['id'],
  park_settings: ['park'],
  packs: ['id'],
  pack_items: ['pack_id', 'thing', 'thing_id'],
  retention_lists: ['hash'],
  destroyed: ['id'],
  blanked: ['id'],
  record_statistics: ['kind', 'park', 'month', 'status', 'age_band', 'rules', 'outcome'],
  checklists: ['id'],
  checklist_versions: ['checklist_id', 'version'],
  submissions: ['id'],
  submission_signatures: ['submission_id', 'section'],
  submission_people: ['submission_id', 'section'],
  schedules: ['id'],
  park_closures: ['id'],
  due_checks: ['id'],
  folders: ['id'],
  investigations: ['id'],
  investigation_records: ['investigation_id', 'thing_id'],
  investigation_sections: ['id'],
  investigation_notes: ['id'],
  lessons: ['id'],
  places: ['id'],
  schedule_places: ['schedule_id', 'place_id'],
  passes_needed: ['place_id', 'checklist_id'],
  place_links: ['thing_id'],
  guest_messages: ['id'],
  audits: ['id'],
  audit_notes: ['id'],
  notifications: ['id'],
  notifications_off: ['user_id', 'kind', 'channel'],
  deliveries: ['id'],
  delivery_attempts: ['id'],
  push_keys: ['id'],
  secrets_key: ['id'],
  activity: ['seq'],
  activity_head: ['id'],
};
const tables = Object.keys(orderedTables) as (keyof typeof orderedTables)[];

const pageSize = 200;

/**
 * Copies all rows into an empty database of the same version, in one transaction, and compares each
 * table. Copies nothing into a database that is a copy already. Returns the number of rows.
 */
export async function copyRows(from: Database, to: Database): Promise<number> {
  await assertKnownTables(from);
  if (getEngine(to) !== 'postgres') throw new Error('Rows can be copied to PostgreSQL only.');
  return to.transaction().execute(async (to) => {
    const { seq: entryCount } = await to.selectFrom('activity_head').select('seq').executeTakeFirstOrThrow();
    const targetHashes = await hashRows(to);
    const hashesBefore = await hashRows(from);
    if (targetHashes.text === hashesBefore.text) return hashesBefore.rows;
    if (entryCount > 0)
      throw new Error('The PostgreSQL database is not empty, and is not a copy of this one. Name an empty one.');
    // Migrations have inserted these, so they are in the copied rows too.
    await to.deleteFrom('activity_head').execute();
    await to.deleteFrom('users').where('id', '=', guestAccountId).execute();
    for (const table of tables)
      for await (const rows of readPages(from, table))
        await to
          .insertInto(table)
          .values(rows as never)
          .execute();
    const hashesAfter = await hashRows(to);
    if (hashesAfter.text !== hashesBefore.text)
      throw new Error('The copy differs from the original, so it was discarded. Stop the server and try again.');
    return hashesAfter.rows;
  });
}

async function assertKnownTables(db: Database): Promise<void> {
  for (const name of await listBackedUpTables(db))
    if (!(name in orderedTables)) throw new Error(`The table ${name} is missing from the list of tables to copy.`);
}

/**
 * Returns all rows in pages, ordered by the whole primary key, so that no row is on two pages or
 * none. Nothing else writes during this time.
 */
async function* readPages(db: Database, table: keyof typeof orderedTables): AsyncGenerator<object[]> {
  const order = sql.join(orderedTables[table].map((column) => sql.ref(column)));
  for (let offset = 0; ; offset += pageSize) {
    const { rows } =
      await sql<object>`select * from ${sql.ref(table)} order by ${order} limit ${pageSize} offset ${offset}`.execute(
        db,
      );
    if (rows.length === 0) return;
    yield rows;
  }
}

/**
 * Hashes every value of every row of each table; the order of rows does not matter. Returns also
 * the number of rows.
 */
async function hashRows(db: Database) {
  let rows = 0;
  const hashByTable: Record<string, string> = {};
  for (const table of tables) {
    let sum = 0n;
    for await (const part of readPages(db, table))
      for (const row of part) {
        rows += 1;
        const values = JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)));
        sum = (sum + BigInt(`0x${sha256(values)}`)) % 2n ** 256n;
      }
    hashByTable[table] = sum.toString(16);
  }
  return { rows, text: JSON.stringify(hashByTable) };
}

/**
 * Copies every file that a row names and that is missing, and reads each back. Returns the number
 * of files.
 */
export async function copyFiles(db: Database, from: FileStore, to: FileStore): Promise<number> {
  const uploads = await db.selectFrom('uploads').select(['path', 'sha256_stored']).execute();
  const isCopied = async (path: string, hash: string) => {
    const bytes = await to.read(path);
    return bytes !== undefined && sha256(bytes) === hash;
  };
  for (const { path, sha256_stored } of uploads) {
    const name = getFilePath(path);
    if (await isCopied(name, sha256_stored)) continue;
    const bytes = await from.read(name);
    if (!bytes || sha256(bytes) !== sha256_stored) throw new Error(`The file ${path} is missing or damaged.`);
    await to.write(name, bytes);
    if (!(await isCopied(name, sha256_stored)))
      throw new Error(`The copy of the file ${path} differs from the original.`);
  }
  return uploads.length;
}

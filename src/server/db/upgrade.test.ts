// An upgrade changes no stored value, apart from those listed here. Databases of two earlier versions, with a row in each
// table, are compared before and after each migration.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { defaultParks } from '#shared/choices.ts';
import { type Config, parseConfig } from '../config.ts';
import { fillAsFirstRelease, startOnFirstRelease } from '../testing/first-release.ts';
import { fillWithFacilities, upgradedAt } from '../testing/named-facilities.ts';
import { writeParkList } from '../testing/park-list.ts';
import { engines, startTestServer } from '../testing/server.ts';
import { testSettings } from '../testing/settings.ts';
import { connectTo, createStorage } from '../testing/storage.ts';
import { connect, type Engine, getEngine } from './connect.ts';
import { listAppliedMigrations, migrate, migrations } from './migrate.ts';
import type { Database } from './schema.ts';

type Row = Record<string, string | number | null>;
/** The rows of each table, by their primary key. */
type Stored = Map<string, Map<string, Row>>;

/** What a migration changes, and why: `table.column`, or rows as `table: rows added` and `table: rows deleted`. */
type Change = {
  why: string;
  /** Reads the earlier value from the row as it is now, where it only moved or is written in another way. */
  find?: (row: Row, stored: Stored) => unknown;
};

const readOnlyPark = ({ parks }: Row) => (JSON.parse(String(parks)) as string[] | null)?.[0] ?? '';

const changes: Record<string, Record<string, Change>> = {
  '003-kept-replies': {
    'replies.body': { why: 'The first release deleted the text of replies after a week; it is restored' },
  },
  '004-report-search': {
    'reports.search_text': { why: 'What searches find; made of the other columns' },
  },
  '023-exposure-holds': {
    'holds.reason': { why: 'The sentence that the server wrote said something else than what it does' },
  },
  '029-several-parks': {
    'packs.park': { why: 'A list of parks instead of one', find: readOnlyPark },
    'users.park': { why: 'A list of parks instead of one', find: readOnlyPark },
  },
  '039-guest-messages': {
    'users: rows added': { why: 'The account to which photos of guests belong' },
  },
  '046-counted-at': {
    'throttles: rows deleted': { why: 'Counted while a clock was ahead; no record' },
  },
  '047-checks-of-places': {
    'activity: rows added': { why: 'Says which places were added' },
    'activity_head.hash': { why: 'The last entry of the activity log' },
    'activity_head.seq': { why: 'The last entry of the activity log' },
    'due_checks.failures': { why: 'Open checks are answered only by submissions of their place' },
    'due_checks.filled_in_at': { why: 'Open checks are answered only by submissions of their place' },
    'due_checks.received_at': { why: 'Open checks are answered only by submissions of their place' },
    'due_checks.submission_id': { why: 'Open checks are answered only by submissions of their place' },
    'place_links: rows added': { why: 'Submissions for the only facility of their checklist name its place' },
    'places.retired_at': { why: 'A place that a schedule opens is in use' },
    'places: rows added': { why: 'The facilities that schedules named' },
  },
  '049-used-app-codes': {
    'authenticators.last_step': {
      why: 'Every used code is stored, in a table of its own',
      find: ({ user_id }, stored) =>
        [...(stored.get('used_app_codes')?.values() ?? [])].find((row) => row.user_id === user_id)?.step,
    },
  },
  '053-pins-and-browsers': {
    'browsers: rows deleted': { why: 'A shared device is not a browser that its user knows; no record' },
    'pins.wrong_attempts': { why: 'No PIN is stopped for ever; no record' },
  },
  '055-states-in-columns': {
    'audit_notes.verified': { why: 'Two columns instead of one', find: ({ outcome, answer }) => outcome ?? answer },
    'guest_messages.media_files': {
      why: 'A removed photo is a column instead of a space',
      find: ({ photo_removed, media_files }) => (photo_removed ? '[ ]' : media_files),
    },
  },
  '057-audit-search': {
    'counters: rows added': { why: 'Numbers of audits, which order their list' },
  },
  '059-repeats': {
    'schedules.weekday': {
      why: 'Several weekdays instead of one',
      find: ({ weekdays }) => (JSON.parse(String(weekdays)) as number[])[0] ?? null,
    },
  },
};

/** The tables whose first row these columns name. */
const parents: Record<string, string> = {
  ...{ created_by: 'users', user_id: 'users', uploaded_by: 'users', deleted_by: 'users', checklist_id: 'checklists' },
  ...{ submission_id: 'submissions', folder_id: 'folders', schedule_id: 'schedules', place_id: 'places' },
  ...{ pack_id: 'packs' },
};

/** Other values of the rows that are added: those that a migration reads or changes. */
const values: Record<string, string | number | null> = {
  ...{ deletion_id: null, thumbnail: null, signature: null, affectedUserSignature: null, sections: '[]', data: '{}' },
  ...{ park: 'Lido Beach', parks: '["Lido Beach"]', weekday: 3, more_windows: '[]', verified: 'inOrder' },
  ...{ at: '2026-11-10T09:00:00.000Z', used_at: '2026-11-10T09:00:00.000Z', resets_at: '9999-12-31T00:00:00.000Z' },
  ...{ 'holds.reason': 'Exposure: review it each year. Empty the field if it has ended.' },
  ...{ 'guest_messages.media_files': '[ ]' },
};

const listTables = async (db: Database) =>
  (await db.introspection.getTables()).filter(
    ({ name, isView }) => !isView && !/_search|^kysely|^sqlite/.test(name) && !derivedTables.includes(name),
  );
/** Counted from the reports. */
const derivedTables = ['report_months'];

/** Adds a row to each table without any. */
async function fillEmptyTables(db: Database): Promise<void> {
  const tables = new Map((await listTables(db)).map((table) => [table.name, table]));
  const fill = async (name: string): Promise<Row> => {
    const { rows } = await sql<Row>`select * from ${sql.table(name)} limit 1`.execute(db);
    if (rows[0]) return rows[0];
    const row: Row = {};
    for (const { name: column, dataType, isNullable } of tables.get(name)?.columns ?? []) {
      const value = values[`${name}.${column}`] ?? values[column];
      const parent = parents[column];
      if (parent) row[column] = (await fill(parent)).id ?? null;
      else if (value !== undefined && (value !== null || isNullable)) row[column] = value;
      else row[column] = /text/i.test(dataType) ? `the ${column}` : 1;
    }
    await db
      .insertInto(name as 'users')
      .values(row as never)
      .execute();
    return row;
  };
  // The activity log is numbered by its head.
  for (const name of tables.keys()) if (name !== 'activity') await fill(name);
}

async function readKeyColumns(db: Database, table: string): Promise<string[]> {
  const query =
    getEngine(db) === 'postgres'
      ? sql<{ name: string }>`select attname as name from pg_index join pg_attribute
          on attrelid = indrelid and attnum = any(indkey) where indrelid = ${table}::regclass and indisprimary`
      : sql<{ name: string }>`select name from pragma_table_info(${table}) where pk > 0`;
  return (await query.execute(db)).rows.map(({ name }) => name);
}

async function readStored(db: Database): Promise<Stored> {
  const stored: Stored = new Map();
  for (const { name } of await listTables(db)) {
    const keys = await readKeyColumns(db, name);
    const { rows } = await sql<Row>`select * from ${sql.table(name)}`.execute(db);
    stored.set(name, new Map(rows.map((row) => [JSON.stringify(keys.map((key) => row[key])), row])));
  }
  return stored;
}

/** Returns what is no longer as it was; the values of a listed change must be found where it says. */
function compare(before: Stored, after: Stored, listed: Record<string, Change> = {}): string[] {
  const found = new Set<string>();
  for (const [table, rows] of before) {
    const now = after.get(table) ?? new Map<string, Row>();
    if ([...now.keys()].some((key) => !rows.has(key))) found.add(`${table}: rows added`);
    for (const [key, row] of rows) {
      const present = now.get(key);
      if (!present) found.add(`${table}: rows deleted`);
      else
        for (const [column, value] of Object.entries(row)) {
          const name = `${table}.${column}`;
          if (present[column] === value) continue;
          const { find } = listed[name] ?? {};
          found.add(find && find(present, after) !== value ? `${name} is lost` : name);
        }
    }
  }
  return [...found];
}

/** Leaves one reply as the first release left all of them after a week. */
async function fillWithEarlyReply(config: Config): Promise<void> {
  await fillAsFirstRelease(config);
  const db = await connect(config);
  await sql`update replies set body = null where route = 'submitIncident'`.execute(db);
  await db.destroy();
}

/** Fills a database as an earlier version did, and runs each later migration. Resolves with what each changed. */
async function upgrade(engine: Engine, fill: typeof fillAsFirstRelease): Promise<Record<string, string[]>> {
  const storage = await createStorage(engine);
  await fill(parseConfig({ ...testSettings, DATA_DIR: storage.dataDir, DATABASE_URL: storage.databaseUrl }));
  const db = await connectTo(storage);
  const applied = await listAppliedMigrations(db);
  const known = Object.entries(migrations);
  const found: Record<string, string[]> = {};
  for (const [index, [name]] of known.entries()) {
    if (applied.includes(name)) continue;
    await fillEmptyTables(db);
    const before = await readStored(db);
    await migrate(db, Object.fromEntries(known.slice(0, index + 1)));
    found[name] = compare(before, await readStored(db), changes[name]);
  }
  return found;
}

test.each(engines)(
  'an upgrade changes no stored value but those that are listed with a reason, on %s',
  async (engine) => {
    const upgrades = [await upgrade(engine, fillWithEarlyReply), await upgrade(engine, fillWithFacilities)];
    const found = Object.keys(migrations).flatMap((name) => {
      const changed = [...new Set(upgrades.flatMap((one) => one[name] ?? []))].sort();
      return changed.length > 0 ? [[name, changed]] : [];
    });
    const listed = Object.entries(changes).map(([name, change]) => [name, Object.keys(change).sort()]);
    expect(found).toEqual(listed);
  },
);

/** What a start with another list of parks changes. */
const startChanges = {
  'park_closures: rows added': 'A park that is not in the list counts as closed from the day of the start',
  'due_checks: rows deleted': 'No checks are due at a closed park',
  'schedules.changes': 'Says that the checks of the schedule changed',
};

test.each(engines)(
  'a start with another list of parks changes no record, and hides none, on %s',
  { timeout: 120_000 },
  async (engine) => {
    const list = writeParkList([...defaultParks]);
    const settings = { PARKS_FILE: list.path, BACKUP_BEFORE_UPGRADE: '0' };
    const found = new Set<string>();
    try {
      for (const start of [
        () => startOnFirstRelease(engine, settings),
        () => startTestServer(engine, settings, () => upgradedAt, undefined, fillWithFacilities),
      ]) {
        list.write([...defaultParks]);
        const server = await start();
        try {
          const reviewers = [
            await server.as('Health & Safety Manager', 'Lido Beach'),
            await server.as('Health & Safety Manager', ['Lido Beach', 'Robin Hood']),
            await server.as('Admin'),
          ];
          const readLists = () =>
            Promise.all(
              reviewers.map(async (reviewer) => [
                (await reviewer(api.listReports)).map(({ number, selectedPlace }) => [number, selectedPlace]),
                (await reviewer(api.listSubmissions)).map(({ number, park }) => [number, park]),
                await reviewer(api.listFolders),
              ]),
            );
          const [lists, stored] = [await readLists(), await readStored(server.db)];
          const isUnlisted = ({ selectedPlace, park }: Row) => (selectedPlace ?? park) === 'Lido Beach';
          const records = ['reports', 'submissions', 'folders'].flatMap((name) => [
            ...(stored.get(name)?.values() ?? []),
          ]);
          expect(records.filter(isUnlisted).length).toBeGreaterThan(0);
          expect(JSON.stringify(lists[0])).toContain('Lido Beach');
          list.write(['Old Mill']);
          await server.restart();
          const now = await readStored(server.db);
          for (const change of compare(stored, now)) found.add(change);
          for (const [key, { submission_id }] of stored.get('due_checks') ?? [])
            if (!now.get('due_checks')?.has(key)) expect(submission_id).toBeNull();
          expect(await readLists()).toEqual(lists);
        } finally {
          await server.stop();
        }
      }
    } finally {
      list.remove();
    }
    expect([...found].sort()).toEqual(Object.keys(startChanges).sort());
  },
);

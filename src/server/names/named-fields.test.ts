import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getErasureText, isErasable } from '#shared/people/name-erasure.ts';
import { gatherHits } from '../access-requests/gather.ts';
import { connect } from '../db/connect.ts';
import { migrate } from '../db/migrate.ts';
import type { Database } from '../db/schema.ts';
import { listBackedUpTables } from '../db/tables.ts';
import { sha256 } from '../hash.ts';
import { kindEntries } from '../records/kinds.ts';
import { eraseName, eraseNameAgain } from '../retention/erase-name.ts';
import { copyMigratedFile } from '../testing/databases.ts';
import { createTestFolder } from '../testing/folder.ts';
import { createDatabase, engines } from '../testing/server.ts';
import { accountColumns, isAccountNamed, type PersonalColumn, personalTables, type Row } from './named-fields.ts';

/** Text columns that cannot name a person, or only repeat a name from another column, by reason; `*` is any table. */
const columnsWithoutNames: Record<string, string> = {
  'ids, numbers, hashes, salts, paths and images': `
    *.id *.number *.hash *.key *.token_hash *.reason_salt *.salt *.fingerprint *.path *.report_id *.assessment_id
    *.checklist_id *.submission_id *.folder_id *.audit_id *.investigation_id investigation_notes.about
    guest_messages.form_id guest_messages.receipt_hash guest_messages.group_id guest_messages.last_form_hash
    guest_counters.ref *.deletion_id *.pack_id *.schedule_id *.thing_id *.delivery_id *.place_id places.joined_into
    submissions.place_sent *.source_id audits.follow_up_of *.attached_id *.signature *.affectedUserSignature
    *.data_url *.thumbnail *.sha256_received *.sha256_stored users.password_hash users.one_time_attempt
    *.subscription_id *.message_id *.event *.link packs.claim *.record push_subscriptions.session *.endpoint *.p256dh
    *.auth *.public_key *.private_key authenticators.secret recovery_codes.code_hash pins.pin_hash *.device_id
    sessions.shared_device_id sessions.earlier_hash passkeys.credential_id *.identity_hash passkeys.host`,
  'days, times and months': `
    *.created_at *.updated_at *.deleted_at *.decided_at *.saved_at *.lifted_at *.made_at *.last_sign_in_at
    *.last_seen_at *.confirmed_at *.used_at users.one_time_used_at *.last_used_at *.expires_at *.resets_at *.ends_at
    *.due_at *.read_at *.at *.submitted_at *.captured_at *.completed_at *.first_opened_at *.destroyed_at *.blanked_at
    *.opens_at *.closes_at *.ended_at *.filled_in_at *.received_at *.reason_at *.linked_at *.retired_at
    schedules.changed_at *.closed_at *.first_at *.told_at *.counted_at *.last_at *.claimed_until *.leased_until
    *.written_until *.until *.earlier_until *.review_on *.received_on *.paused_on *.closed_on *.on *.starts_on
    *.ends_on *.season_from *.season_to *.date *.time *.month *.day *.due *.verify_by *.answer_by
    schedules.more_windows schedules.weekdays`,
  'chosen from a list': `
    *.role *.park *.selectedPlace *.parks *.repeat *.reportType *.employmentStatus *.emergencyService *.thing
    *.source_thing *.attached_to *.kind *.channel *.state *.decision *.how *.authority *.age_band *.status *.outcome
    *.class *.why *.verified checklist_versions.notes guest_messages.hurt guest_messages.language audit_notes.answer
    *.section uploads.type counters.name replies.route sessions.method identity_links.access`,
  'answers, rules and duties of an assessment, which are checked against a list': `
    assessments.rule_set assessments.answers assessments.result riddor_notices.duties record_statistics.rules
    rule_sets.rules`,
  'repeats other columns, and is computed again when they change': `
    *.search_text reports.type_key users.username_key places.name_key places.label due_checks.gate
    retention_lists.rows`,
  'accounts in rows that are no records of a person, shown nowhere': `
    *.user_id uploads.uploaded_by park_settings.updated_by park_closures.created_by shared_devices.created_by
    identity_links.created_by checklist_versions.created_by deliveries.user_name audits.completed_beside`,
  'a number of a park, without letters': `
    park_settings.telephone park_settings.guest_telephone park_settings.gas_telephone`,
  'written by the server without names': `
    deliveries.line packs.problem blanked.marks sessions.device passes_needed.what`,
  'the reply of a mail server or push service, at most with the address of an account': 'delivery_attempts.answer',
  'the earlier address of an account, deleted once the message is sent': 'deliveries.address',
  'replies of the server with ids and numbers; others are deleted when a name is erased': 'replies.body',
  'the activity log, which has a search of its own and never changes': 'activity.* activity_head.*',
};
const isWithoutNames = (table: string, column: string) =>
  Object.values(columnsWithoutNames)
    .flatMap((names) => names.trim().split(/\s+/))
    .some((name) => [`${table}.${column}`, `*.${column}`, `${table}.*`].includes(name));

type PlacedName = { place: string; id: string; label: string; name: string; isErased: boolean };

/** Returns a different name for each place: two words made from its hash. */
const createName = (place: string) => {
  const letters = [...sha256(place)].map((digit) => 'bcdfghjklmnprstv'[Number.parseInt(digit, 16)]);
  return `A${letters.slice(0, 11).join('')} E${letters.slice(11, 22).join('')}`;
};

describe.each(engines)('columns that can name a person, on %s', (engine) => {
  const folder = createTestFolder();
  const places: PlacedName[] = [];
  let db: Database;
  let drop: (() => Promise<unknown>) | undefined;
  let schema: { table: string; column: string; isText: boolean; isNullable: boolean }[];

  beforeAll(async () => {
    const database = engine === 'postgres' ? await createDatabase({ isMigrated: true }) : undefined;
    drop = database?.drop;
    if (!database) await copyMigratedFile(folder);
    db = await connect({ databaseUrl: database?.url ?? '', dataDir: folder });
    await migrate(db);
    const tables = await db.introspection.getTables();
    schema = tables
      .filter(({ name, isView }) => !isView && !/_search|^kysely|^sqlite/.test(name))
      .flatMap(({ name, columns }) =>
        columns.map((column) => ({
          ...{ table: name, column: column.name },
          ...{ isText: column.dataType.toLowerCase() === 'text', isNullable: column.isNullable },
        })),
      );
    await insertRecords();
  });
  afterAll(async () => {
    await db.destroy();
    await drop?.();
  });

  async function insert(table: string, values: Row): Promise<void> {
    const columns = schema.filter((one) => one.table === table);
    const getDefault = ({ column, isText, isNullable }: (typeof schema)[number]) =>
      isNullable ? null : column === 'parks' ? '[]' : isText ? '' : column === 'version' ? 1 : 0;
    const row = columns.map((one) => values[one.column] ?? getDefault(one));
    await sql`insert into ${sql.table(table)} (${sql.join(columns.map(({ column }) => sql.ref(column)))})
      values (${sql.join(row)})`.execute(db);
  }

  /** The other columns of the rows with names: ids, and what the database or the product requires. */
  const rows: Record<string, Row> = {
    users: { username_key: 'u' },
    folders: {},
    audits: { folder_id: 'folders', source_thing: 'audit' },
    audit_notes: { audit_id: 'audits' },
    uploads: { path: '/uploads/a', attached_to: 'audit', attached_id: 'audits' },
    'uploads of notes': { path: '/uploads/b', attached_to: 'note', attached_id: 'audit_notes' },
    investigations: { number: 'INV-1' },
    investigation_sections: { investigation_id: 'investigations', section: 'facts' },
    investigation_notes: { investigation_id: 'investigations' },
    'uploads of sections': {
      ...{ path: '/uploads/c', attached_to: 'investigation', attached_id: 'investigation_sections' },
    },
    deletions: { thing: 'audit', thing_id: 'audits' },
    reports: { number: 'ACC-1', position: 1 },
    assessments: { report_id: 'reports', answers: '{}', result: '{}' },
    assessment_versions: { assessment_id: 'assessments' },
    riddor_notices: { assessment_id: 'assessments' },
    releases: { deletion_id: 'deletion of a report' },
    checklists: {},
    checklist_versions: { checklist_id: 'checklists', created_by: 'author' },
    schedules: { checklist_id: 'checklists' },
    submissions: { number: 'SUB-1', position: 1, checklist_id: 'checklists', checklist_version: 1 },
    submission_people: { submission_id: 'submissions', section: 1 },
    due_checks: { schedule_id: 'schedules', checklist_id: 'checklists', day: '2026-03-01' },
    notifications: { thing: 'audit', thing_id: 'audits', user_id: 'author', position: 1 },
    deliveries: { thing: 'audit', thing_id: 'audits', position: 1 },
    email_changes: { user_id: 'users', token_hash: 'hash' },
    factor_resets: { user_id: 'users' },
    passkeys: { user_id: 'users', credential_id: 'credential' },
    holds: { thing: 'person', created_at: '2026-03-01T09:00:00.000Z' },
    access_requests: { received_on: '2026-03-01' },
    park_settings: { park: 'Mounds' },
    guest_messages: { form_id: 'form', receipt_hash: 'hash', created_at: '2026-03-01T09:00:00.000Z' },
    places: {},
    place_links: { thing: 'audit', thing_id: 'audits', place_id: 'places' },
  };
  // Other tables require nothing.
  for (const { table } of personalTables) rows[table] ??= {};

  /** For each table whose rows belong to a record of another table: the other table. */
  const recordOf: Record<string, string> = {
    ...{ audit_notes: 'audits', uploads: 'audits', deletions: 'audits', notifications: 'audits' },
    ...{ assessments: 'reports', assessment_versions: 'reports', riddor_notices: 'reports', releases: 'reports' },
    ...{ investigation_sections: 'investigations', investigation_notes: 'investigations' },
    'uploads of sections': 'investigations',
    ...{
      email_changes: 'users',
      factor_resets: 'users',
      passkeys: 'users',
      checklist_versions: 'checklists',
      schedules: 'checklists',
    },
  };

  async function insertRecords() {
    await insert('users', { id: 'author', username: 'author', username_key: 'author' });
    for (const { table, column } of accountColumns)
      await insert('users', { id: `${table}.${column}`, username: '-', username_key: `${table}.${column}` });
    await insert('deletions', {
      ...{ id: 'deletion of a report', thing: 'report', thing_id: 'reports', deleted_by: 'author' },
    });
    for (const [name, fixed] of Object.entries(rows)) {
      const table = name.split(' ')[0] ?? '';
      const accounts = accountColumns.filter((one) => one.table === table && one.holds === 'id');
      const personalTable = personalTables.find((one) => one.table === table && (name === table || one.through));
      const values: Row = Object.fromEntries(accounts.map(({ column }) => [column, `${table}.${column}`]));
      for (const [column, spec] of Object.entries(personalTable?.columns ?? {}))
        if (spec.kind !== 'account') values[column] = place(table, name, column, spec);
      await insert(table, { id: table, uploaded_by: 'author', ...values, ...fixed });
    }
  }

  /** Returns a value for the column with a name of its own in each of its parts. */
  function place(table: string, row: string, column: string, { kind, label, members = {}, mark }: PersonalColumn) {
    const add = (part: string, label: string) => {
      const name = createName(`${row}.${column} ${part}`);
      // The assignee stays, because it is the username of an account.
      const isErased = mark !== undefined && part !== 'assignee';
      places.push({
        place: `${row}.${column} ${part}`.trim(),
        id: recordOf[row] ?? recordOf[table] ?? table,
        label,
        name,
        isErased,
      });
      return name;
    };
    if (kind === 'text') return add('', label);
    if (kind === 'files') return JSON.stringify([{ path: '/uploads/c', name: add('', label) }]);
    if (kind === 'assessment') {
      const particulars = JSON.stringify({ cause: add('particulars', label) });
      return JSON.stringify({ version: 1, particulars, reason: add('reason', label) });
    }
    const named = Object.entries(members).map(([member, { label }]) => [member, add(member, label)]);
    return JSON.stringify({ ...Object.fromEntries(named), 0: { note: add('', label) } });
  }

  const find = (...spellings: string[]) => gatherHits(db, { name: 'Nobody', spellings, number: '', username: '' });

  test('every text column of the database is listed as one that can name a person, or has a reason why not', () => {
    const named = new Set([
      ...personalTables.flatMap(({ table, columns }) => Object.keys(columns).map((column) => `${table}.${column}`)),
      ...accountColumns.map(({ table, column }) => `${table}.${column}`),
    ]);
    const texts = schema.filter(({ isText }) => isText).map(({ table, column }) => `${table}.${column}`);
    const unlisted = texts.filter(
      (name) => !named.has(name) && !isWithoutNames(...(name.split('.') as [string, string])),
    );
    expect(unlisted).toEqual([]);
    expect([...named].filter((name) => !texts.includes(name))).toEqual([]);
  });

  test('a name is found in every column that can contain one, in the right record and field', async () => {
    const hits = await find(...places.map(({ name }) => name));
    const isFound = ({ id, label, name }: PlacedName) => {
      const hit = hits.find((one) => one.id.split(':')[1] === id);
      return hit?.where.includes(label) && hit.texts.some(({ field, text }) => field === label && text.includes(name));
    };
    expect(places.filter((one) => !isFound(one))).toEqual([]);
    // A record is also found if only one of its rows names the person.
    for (const row of Object.keys(rows)) {
      const one = places.find(({ place }) => place.startsWith(`${row}.`));
      if (!one) continue;
      const found = (await find(one.name)).map(({ id, where, isPossible }) => [id.split(':')[1], where, isPossible]);
      expect(found).toEqual([[one.id, [one.label], false]]);
    }
  });

  test('an account counts as named by every column with its id or username', async () => {
    const unnamed = accountColumns.filter(({ column }) => column === '');
    for (const { table, column, holds } of accountColumns) {
      const placed = places.find(({ place }) => place === `${table}.${column}`);
      const user =
        holds === 'id' ? { id: `${table}.${column}`, username: '' } : { id: '', username: placed?.name ?? '' };
      if (!(await isAccountNamed(db, user))) unnamed.push({ table, column, holds });
    }
    expect(unnamed).toEqual([]);
    expect(await isAccountNamed(db, { id: 'nobody', username: 'nobody' })).toBe(false);
  });

  test('a name is erased in every column of a kept record, and other names stay', async () => {
    const now = new Date('2040-06-01T09:00:00Z');
    const erased: PlacedName[] = [];
    const hits = await find(...places.map(({ name }) => name));
    const things = new Map(hits.map(({ id, thing }) => [id.split(':')[1], thing]));
    for (const one of places) {
      const thing = things.get(one.id) ?? '';
      if (!isErasable(thing)) continue;
      const record = { thing, id: one.id };
      const erase = (db: Database) => eraseName(db, record, { names: [one.name], telephone: '' }, 'asked', now);
      const entry = await db.transaction().execute(erase);
      // The number of a person is erased with their name.
      const isErased = one.isErased && !['reports.contactNumber', 'guest_messages.contact'].includes(one.place);
      expect([one.place, entry !== undefined]).toEqual([one.place, isErased]);
      if (one.isErased) erased.push(one);
    }
    expect(erased.length).toBeGreaterThan(30);
    const contents = await Promise.all(
      (await listBackedUpTables(db)).map((table) => sql`select * from ${sql.table(table)}`.execute(db)),
    );
    const stored = JSON.stringify(contents.map(({ rows }) => rows)).toLowerCase();
    const isStored = ({ name }: PlacedName) => stored.includes(name.toLowerCase());
    expect(erased.filter(isStored).map(({ place }) => place)).toEqual([]);
    // Backups leave out new email addresses that wait for confirmation.
    const others = places.filter((one) => !erased.includes(one) && one.place !== 'email_changes.email');
    expect(others.filter((one) => !isStored(one))).toEqual([]);

    // A form that was already open cannot store a name again. Each version of an assessment is a row of its own.
    const changed = personalTables.filter(({ columns }) => Object.values(columns).some(({ mark }) => mark));
    for (const { table } of changed.filter(({ table }) => hasVersion(table) && table !== 'assessment_versions'))
      expect([table, await readRow(table)]).toEqual([
        table,
        expect.objectContaining({ version: expect.toSatisfy(isHigher) }),
      ]);
  });

  const hasVersion = (table: string) => schema.some((one) => one.table === table && one.column === 'version');
  const isHigher = (version: number) => version > 1;
  const readRow = async (table: string) =>
    (await sql<Row>`select * from ${sql.table(table)} where id = ${table}`.execute(db)).rows[0];

  test('in a restored record of the same version, only the name is erased again', async () => {
    const erasedAt = new Date('2040-06-01T09:00:00Z');
    const tested: string[] = [];
    for (const [thing, { table }] of kindEntries.filter(([name, { table }]) => isErasable(name) && hasVersion(table))) {
      const { columns } = personalTables.find((one) => one.table === table) ?? {};
      for (const [column, { kind, mark, when }] of Object.entries(columns ?? {})) {
        if (kind !== 'text' || !mark || when) continue;
        await sql`update ${sql.table(table)} set ${sql.ref(column)} = 'Ask Siân', version = 7 where id = ${table}`.execute(
          db,
        );
        const marks = JSON.stringify({ [mark({})]: { length: 8, spans: [{ start: 4, end: 8 }] } });
        const entry = { id: `${table}.${column}`, thing, thing_id: table, why: 'asked', version: 7, marks };
        const erase = (db: Database) => eraseNameAgain(db, { ...entry, blanked_at: erasedAt.toISOString() });
        await db.transaction().execute(erase);
        expect([table, await readRow(table)]).toEqual([
          table,
          expect.objectContaining({ [column]: `Ask ${getErasureText(erasedAt)}`, version: 8 }),
        ]);
        tested.push(thing);
      }
    }
    expect(tested).toEqual(expect.arrayContaining(['audit', 'folder']));
  });
});

// Every column that can name a person: the record that its row belongs to, how it is searched, and
// how a name in it is erased. Search, copies, erasure, and the check whether a record still names an
// account read it. A test compares it with the schema.
import { type RawBuilder, sql } from 'kysely';
import { mapAuditTexts } from '#shared/audit-fields.ts';
import { mapLessonTexts } from '#shared/lessons.ts';
import { isPersonal, reportFieldNames, reportFields } from '#shared/reports/report-fields.ts';
import type { Database, Tables } from '../db/schema.ts';
import { guestAccountId } from './guest-account.ts';
import { listJsonTexts } from './json-texts.ts';

export type Table = keyof Tables;
export type Row = Record<string, unknown>;

type Member = { label: string; isPerson?: boolean; isUsername?: boolean };

export type PersonalColumn = Member & {
  /**
   * How the column contains texts. `files` is a list of files, `assessment` a whole row of
   * assessments; `account` is the id of an account, which is not searched.
   */
  kind: 'text' | 'json' | 'files' | 'assessment' | 'account';
  /** For JSON: members at the top or innermost that have a label of their own. */
  members?: Record<string, Member>;
  /** For JSON: members whose values are never typed. A name in them cannot be erased. */
  fixed?: string[];
  /** Returns the name of the field in the ledger of erased names. Missing if names in the column are not erased. */
  mark?: (row: Row) => string;
  /** Whether the value of this row is text that may name a person. */
  when?: (row: Row) => boolean;
  /** Whether the column has a username, and no other column of the row the id of its account. */
  isOnlyName?: boolean;
};

export type PersonalTable = {
  table: Table;
  /** The column with the id of the record. */
  of: string;
  /** The table and column that lead from `of` to the record, if `of` is the id of its row. */
  through?: { table: Table; of: string };
  /** Identifies a row: a column or an SQL expression; `id` if missing. */
  key?: string;
  /** The number of rows to search at once: few if a row may have megabytes of text. */
  pageSize?: number;
  /** A condition in SQL, to read fewer rows. */
  filter?: string;
  columns: Record<string, PersonalColumn>;
};

type Options = Partial<PersonalColumn>;
type Mark = string | ((row: Row) => string);
const toMark = (mark?: Mark) => mark !== undefined && { mark: typeof mark === 'string' ? () => mark : mark };
const text = (label: string, mark?: Mark, options: Options = {}): PersonalColumn => ({
  ...{ kind: 'text', label, ...toMark(mark) },
  ...options,
});
/** The name of one person, who is listed with the record. */
const person = (label: string, mark?: Mark, options: Options = {}) => text(label, mark, { isPerson: true, ...options });
const json = (label: string, mark?: Mark, options: Options = {}) => text(label, mark, { kind: 'json', ...options });
const files = (mark: Mark) => text('names of photos', mark, { kind: 'files' });
/** The username of an account, for which its full name is shown. It stays with the account. */
const username = (label: string, options: Options = {}) =>
  text(label, undefined, { isPerson: true, isUsername: true, ...options });
const account: PersonalColumn = { kind: 'account', label: '' };
/** The two columns that say which account did something. */
const by = (done: string, label: string) => ({ [`${done}_by`]: account, [`${done}_by_name`]: username(label) });

const reportColumns = Object.fromEntries(
  reportFieldNames.filter(isPersonal).flatMap((name): [string, PersonalColumn][] => {
    const { kind } = reportFields[name];
    return kind === 'age' ? [] : [[name, kind === 'person' ? person(name, name) : text(name, name)]];
  }),
);

/** Types of records that are shown by their number instead of a title. */
const numberedThings = new Set(['report', 'submission', 'investigation']);

export const personalTables: PersonalTable[] = [
  {
    table: 'reports',
    of: 'id',
    pageSize: 50,
    columns: {
      ...reportColumns,
      ...by('created', 'submitted by'),
      affectedUserSignedBy: json('why someone else signed', 'signedBy', {
        members: { name: { label: 'signed by', isPerson: true } },
      }),
      mediaFiles: files('mediaFiles'),
    },
  },
  {
    table: 'assessments',
    of: 'report_id',
    columns: {
      particulars: json('assessment', ({ version }) => `version ${version} particulars`),
      reason: text('assessment', ({ version }) => `version ${version} reason`),
      ...by('decided', 'assessed by'),
      ...by('updated', 'assessed by'),
    },
  },
  {
    table: 'assessment_versions',
    of: 'assessment_id',
    through: { table: 'assessments', of: 'report_id' },
    columns: {
      assessment: text('versions of the assessment', ({ version }) => `version ${version}`, { kind: 'assessment' }),
      ...by('saved', 'assessed by'),
    },
  },
  {
    table: 'riddor_notices',
    of: 'assessment_id',
    through: { table: 'assessments', of: 'report_id' },
    columns: {
      hse_reference: text('assessment', ({ id }) => `notice ${id} reference`),
      note: text('assessment', ({ id }) => `notice ${id}`),
      ...by('created', 'assessed by'),
    },
  },
  {
    table: 'submissions',
    of: 'id',
    pageSize: 5,
    columns: {
      checklist_title: text('checklist', 'checklist'),
      ...by('submitted', 'submitted by'),
      data: json('answers', 'answers'),
      failure_notes: json('failing answers', 'failing answers'),
      notes: json('notes', 'notes'),
    },
  },
  {
    table: 'submission_people',
    of: 'submission_id',
    key: "submission_id || ' ' || section",
    columns: { user_id: account },
  },
  {
    table: 'audits',
    of: 'id',
    columns: {
      title: text('title', 'title'),
      // An audit that follows from another has its former title. Labels of other records are numbers.
      source_label: text('source', 'source', { when: ({ source_thing: thing }) => thing === 'audit' }),
      created_by: account,
      completed_by: username('completed by', { isOnlyName: true }),
      assignee_id: account,
      completed_by_id: account,
      verifier_id: account,
      data: json('more', 'data', {
        members: {
          ...mapAuditTexts((name, { kind }) => ({
            ...{ label: name, ...(kind === 'person' && { isPerson: true, isUsername: true }) },
          })),
          media_files: { label: 'names of photos' },
        },
      }),
    },
  },
  {
    table: 'audits',
    of: 'id',
    filter: "source_thing = 'hazard'",
    columns: { source_label: username('reported by') },
  },
  {
    table: 'audit_notes',
    of: 'audit_id',
    columns: {
      words: text('notes', ({ id }) => `note ${id}`),
      media_files: files(({ id }) => `photos of note ${id}`),
      ...by('created', 'noted by'),
    },
  },
  {
    table: 'folders',
    of: 'id',
    columns: { name: text('name', 'name'), description: text('description', 'description'), created_by: account },
  },
  {
    table: 'uploads',
    of: 'attached_id',
    key: 'path',
    filter: 'attached_id is not null',
    columns: { label: text('names of photos', ({ path }) => `file ${path}`) },
  },
  {
    table: 'investigations',
    of: 'id',
    columns: { created_by: account, created_by_name: username('started by') },
  },
  {
    table: 'investigation_sections',
    of: 'investigation_id',
    pageSize: 20,
    columns: {
      content: json('investigation', ({ section }) => `section ${section}`, {
        fixed: ['worst', 'likely', 'level', 'day', 'kind', 'heading', 'outcome'],
        members: {
          person: { label: 'statement by', isPerson: true },
          accompaniedBy: { label: 'was with someone under 18', isPerson: true },
          photos: { label: 'names of photos' },
        },
      }),
      ...by('saved', 'investigated by'),
    },
  },
  {
    table: 'investigation_notes',
    of: 'investigation_id',
    columns: {
      words: text('decisions and corrections', ({ id }) => `note ${id}`),
      ...by('created', 'investigated by'),
    },
  },
  {
    table: 'lessons',
    of: 'id',
    columns: {
      title: text('title', 'title'),
      ...mapLessonTexts((name, label) => text(label.toLowerCase(), name.replace('_', ' '))),
      media_files: files('photos'),
      ...by('created', 'submitted by'),
    },
  },
  {
    table: 'uploads',
    of: 'attached_id',
    through: { table: 'investigation_sections', of: 'investigation_id' },
    key: 'path',
    filter: "attached_to = 'investigation'",
    columns: { label: text('names of photos', ({ path }) => `file ${path}`) },
  },
  {
    table: 'uploads',
    of: 'attached_id',
    through: { table: 'audit_notes', of: 'audit_id' },
    key: 'path',
    filter: "attached_to = 'note'",
    columns: { label: text('names of photos', ({ path }) => `file ${path}`) },
  },
  {
    table: 'deletions',
    of: 'thing_id',
    columns: {
      label: text('title when deleted', ({ id }) => `deletion ${id} title`, {
        when: ({ thing }) => !numberedThings.has(String(thing)),
      }),
      reason: text('why it was deleted', ({ id }) => `deletion ${id} reason`),
      ...by('deleted', 'deleted by'),
    },
  },
  {
    table: 'releases',
    of: 'deletion_id',
    through: { table: 'deletions', of: 'thing_id' },
    key: 'deletion_id',
    columns: {
      reason: text('why it was deleted', ({ deletion_id }) => `deletion ${deletion_id} release`),
      ...by('created', 'deleted by'),
    },
  },
  {
    table: 'notifications',
    of: 'thing_id',
    columns: { words: text('notifications', ({ id }) => `notification ${id}`) },
  },
  {
    table: 'guest_messages',
    of: 'id',
    columns: {
      name: person('name', 'name'),
      contact: text('contactNumber', 'contactNumber'),
      words: text('message', 'message'),
      media_files: files('photos'),
      reason: text('why it was closed', 'reason'),
      answer: text('answer', 'answer'),
      ...by('read', 'read by'),
      ...by('closed', 'closed by'),
    },
  },
  {
    table: 'users',
    of: 'id',
    filter: `id <> '${guestAccountId}'`,
    columns: { username: text('username'), full_name: person('full name'), email: text('email') },
  },
  {
    table: 'factor_resets',
    of: 'user_id',
    columns: {
      reason: text('how they were identified'),
      ...by('created', 'second factor removed by'),
    },
  },
  { table: 'passkeys', of: 'user_id', columns: { name: text('name of a passkey') } },
  { table: 'waiting_identities', of: 'id', columns: { name: person('name'), email: text('email') } },
  { table: 'email_changes', of: 'user_id', key: 'token_hash', columns: { email: text('email') } },
  {
    table: 'packs',
    of: 'id',
    columns: {
      recipient: text('recipient'),
      purpose: text('purpose'),
      ...by('created', 'made by'),
    },
  },
  {
    table: 'due_checks',
    of: 'id',
    filter: 'reason is not null',
    columns: {
      reason: text('reason', ({ reason_at }) => `reason of ${reason_at}`),
      reason_by_name: username('given by', { isOnlyName: true }),
    },
  },
  {
    table: 'holds',
    of: 'id',
    columns: {
      thing_id: person('person', 'person', { when: ({ thing }) => thing === 'person' }),
      reason: text('reason', 'reason'),
      ...by('created', 'held by'),
      lifted_by_name: username('lifted by', { isOnlyName: true }),
    },
  },
  {
    table: 'access_requests',
    of: 'id',
    columns: {
      name: person('name'),
      spellings: json('spellings'),
      number: text('contactNumber'),
      username: text('username'),
      identity_checked: text('identity checked'),
      extended_because: text('why it was extended'),
      choices: json('decisions'),
      ...by('created', 'opened by'),
    },
  },
  { table: 'checklists', of: 'id', columns: { title: text('title') } },
  {
    table: 'checklist_versions',
    of: 'checklist_id',
    key: "checklist_id || ' ' || version",
    columns: { title: text('title'), sections: json('questions') },
  },
  { table: 'schedules', of: 'checklist_id', columns: { gate: text('what it opens'), created_by: account } },
  { table: 'shared_devices', of: 'id', columns: { name: text('name') } },
  { table: 'places', of: 'id', columns: { name: text('name') } },
  { table: 'place_links', of: 'place_id', key: 'thing_id', columns: { linked_by: account } },
  {
    table: 'park_settings',
    of: 'park',
    key: 'park',
    columns: { assignee_id: account, hazard_assignee_id: account },
  },
];

type AccountColumn = { table: Table; column: string; holds: 'id' | 'username' };

/** The columns through which a record names an account, by its id or its username. */
export const accountColumns: AccountColumn[] = [
  ...personalTables.flatMap(({ table, columns }) =>
    Object.entries(columns).flatMap(([column, { kind, isOnlyName }]): AccountColumn[] => {
      if (kind === 'account') return [{ table, column, holds: 'id' }];
      return isOnlyName ? [{ table, column, holds: 'username' }] : [];
    }),
  ),
  // The users who were notified. A search does not list each message: the account itself is a hit.
  { table: 'deliveries', column: 'user_id', holds: 'id' },
];

/** Whether any record names the account. */
export async function isAccountNamed(db: Database, user: { id: string; username: string }): Promise<boolean> {
  for (const { table, column, holds } of accountColumns) {
    const value = holds === 'id' ? user.id : user.username;
    const { rows } = await sql`select 1 from ${sql.table(table)} where ${sql.ref(column)} = ${value} limit 1`.execute(
      db,
    );
    if (rows.length > 0) return true;
  }
  return false;
}

export type NamedValue = Member & { text: string };

/** Lists the texts of a row that may name a person. */
export function listNamedValues({ columns }: PersonalTable, row: Row): NamedValue[] {
  const values: NamedValue[] = [];
  for (const [column, { kind, label, isPerson, isUsername, members, when }] of Object.entries(columns)) {
    const value = row[column];
    if (kind === 'account' || typeof value !== 'string' || (when && !when(row))) continue;
    if (kind === 'text')
      values.push({ label, text: value, ...(isPerson && { isPerson }), ...(isUsername && { isUsername }) });
    else if (kind === 'assessment') {
      const { particulars, reason } = JSON.parse(value) as { particulars: string; reason: string | null };
      for (const text of [reason ?? '', ...listJsonTexts(particulars).map(({ text }) => text)])
        values.push({ label, text });
    } else
      for (const { member, name, text } of listJsonTexts(value))
        values.push({ label, ...(members?.[name] ?? members?.[member]), text });
  }
  return values.filter(({ text }) => text !== '');
}

type RecordRow = Row & { record: string };

/** Reads the rows that belong to some records in pages, each with the id of its record. */
export async function* readRowsOf(
  db: Database,
  personalTable: PersonalTable,
  ids: string[],
): AsyncGenerator<RecordRow> {
  if (ids.length === 0) return;
  const { table, through } = personalTable;
  const of = sql.ref(personalTable.of);
  const condition = through
    ? sql`${of} in (select id from ${sql.table(through.table)} where ${sql.ref(through.of)} in (${sql.join(ids)}))`
    : sql`${of} in (${sql.join(ids)})`;
  // An expression, because an index in the order of the keys would read the rows of all records.
  const key = sql`(${getKey(personalTable)} || '')`;
  yield* readPages(db, personalTable, key, sql`${sql.table(table)} where ${condition}`) as AsyncGenerator<RecordRow>;
}

/** Reads all rows in pages, each with the id of its record, which is null if there is none. */
export const readAllRows = (
  db: Database,
  personalTable: PersonalTable,
): AsyncGenerator<Row & { record: string | null }> =>
  readPages(db, personalTable, getKey(personalTable), sql`${sql.table(personalTable.table)} where true`);

async function* readPages(
  db: Database,
  personalTable: PersonalTable,
  key: RawBuilder<unknown>,
  from: RawBuilder<unknown>,
) {
  const { pageSize = 200 } = personalTable;
  for (let after = ''; ; ) {
    const { rows } = await sql<
      Row & { record: string | null; row_key: string }
    >`select *, ${toRecordId(personalTable)} as record, ${key} as row_key from ${from} and ${key} > ${after}${withFilter(personalTable)}
      order by ${key} limit ${sql.lit(pageSize)}`.execute(db);
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < pageSize) return;
    after = last.row_key;
  }
}

const getKey = ({ key = 'id' }: PersonalTable) => sql.raw(key);
const withFilter = ({ filter }: PersonalTable) => (filter ? sql` and ${sql.raw(filter)}` : sql``);
const toRecordId = ({ table, of, through }: PersonalTable) =>
  through
    ? sql`(select ${sql.ref(through.of)} from ${sql.table(through.table)} where ${sql.ref(`${through.table}.id`)} = ${sql.ref(`${table}.${of}`)})`
    : sql.ref(of);

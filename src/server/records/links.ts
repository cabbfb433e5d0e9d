// Finds links to nothing: ids of records that do not exist. Most columns with ids are no foreign keys, because what
// they name may be destroyed first, or depends on another column.
import { sql } from 'kysely';
import type { Database, Tables } from '../db/schema.ts';
import { kindEntries } from './kinds.ts';

type Table = keyof Tables & string;

type Link = {
  table: Table;
  column: string;
  /** The table whose `id` it is; or, by the value of the column `by`, one of several. Other values are no links. */
  to: Table | { by: string; tables: Record<string, Table> };
  /** Rows for which this is not true may lead to nothing. */
  where?: string;
};

const toUsers = (table: Table, column = 'user_id'): Link => ({ table, column, to: 'users' });

const recordTables: Record<string, Table> = Object.fromEntries(kindEntries.map(([name, { table }]) => [name, table]));

/** The tables of what uploads are attached to: records, or rows that belong to one. */
const uploadTables: Record<string, Table> = Object.fromEntries(
  kindEntries
    .flatMap(([, { table, uploads, children = [] }]) => [{ table, uploads }, ...children])
    .flatMap(({ table, uploads }) => (uploads ? [[uploads, table]] : [])),
);

/**
 * Columns that must name an existing row, and are no foreign keys. links.test.ts compares these lists with the
 * columns of the database.
 */
export const links: Link[] = [
  ...(
    [
      ...['authenticators', 'browsers', 'deliveries', 'device_sign_ins', 'email_changes', 'factor_resets'],
      ...['identity_links', 'notifications', 'notifications_off', 'one_use_tokens', 'passkeys', 'pins'],
      ...['push_subscriptions', 'recovery_codes', 'used_app_codes'],
    ] as Table[]
  ).map((table) => toUsers(table)),
  ...['assignee_id', 'completed_by_id', 'verifier_id'].map((column) => toUsers('audits', column)),
  ...['assignee_id', 'hazard_assignee_id'].map((column) => toUsers('park_settings', column)),
  { table: 'assessments', column: 'report_id', to: 'reports' },
  { table: 'assessment_versions', column: 'assessment_id', to: 'assessments' },
  { table: 'riddor_notices', column: 'assessment_id', to: 'assessments' },
  { table: 'audit_notes', column: 'audit_id', to: 'audits' },
  { table: 'deletions', column: 'thing_id', to: { by: 'thing', tables: recordTables } },
  { table: 'investigations', column: 'deletion_id', to: 'deletions' },
  { table: 'releases', column: 'deletion_id', to: 'deletions' },
  { table: 'delivery_attempts', column: 'delivery_id', to: 'deliveries' },
  { table: 'device_sign_ins', column: 'device_id', to: 'shared_devices' },
  { table: 'sessions', column: 'shared_device_id', to: 'shared_devices' },
  { table: 'guest_messages', column: 'place_id', to: 'places' },
  {
    table: 'holds',
    column: 'thing_id',
    to: { by: 'thing', tables: { report: 'reports' } },
    where: 'lifted_at is null',
  },
  { table: 'investigation_records', column: 'investigation_id', to: 'investigations' },
  { table: 'investigation_sections', column: 'investigation_id', to: 'investigations' },
  { table: 'investigation_notes', column: 'investigation_id', to: 'investigations' },
  { table: 'due_checks', column: 'place_id', to: 'places' },
  { table: 'passes_needed', column: 'checklist_id', to: 'checklists' },
  { table: 'place_links', column: 'place_id', to: 'places' },
  { table: 'places', column: 'joined_into', to: 'places' },
  { table: 'place_links', column: 'thing_id', to: { by: 'thing', tables: recordTables } },
  {
    table: 'uploads',
    column: 'attached_id',
    to: { by: 'attached_to', tables: uploadTables },
  },
];

/** Columns that may name what does not exist, by reason. */
export const columnsWithoutLink: Record<string, string[]> = {
  'no link, because it is an id of its own, or of something outside': [
    ...[
      'activity.request_id',
      'delivery_attempts.message_id',
      'guest_messages.form_id',
      'guest_messages.group_id',
      'passkeys.credential_id',
    ],
  ],
  'no link, because the log, notifications and erasures outlive what they are about': [
    ...['activity.actor_id', 'activity.thing_id', 'notifications.thing_id', 'deliveries.thing_id', 'blanked.thing_id'],
  ],
  'no link, because the device may have been switched off since': ['deliveries.subscription_id'],
  'no link, because what followed from a record is kept longer than the record': [
    ...['audits.source_id', 'audits.investigation_id', 'lessons.investigation_id', 'investigation_records.thing_id'],
    ...['due_checks.submission_id', 'guest_messages.report_id'],
  ],
  'no link, because a message whose audit is gone is open again': ['guest_messages.audit_id'],
  'no link, because a pack shows what was in it': ['pack_items.thing_id'],
};

/** Rows that lead to nothing: how many, and one of the ids that do not exist. */
export type BrokenLink = { column: string; to: string; rows: number; example: string };

/** Returns the links to nothing. Skips tables and columns that a database of an earlier version lacks. */
export async function findBrokenLinks(db: Database): Promise<BrokenLink[]> {
  const tables = await db.introspection.getTables();
  const columns = new Set(tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`)));
  const broken: BrokenLink[] = [];
  for (const { table, column, to, where = 'true' } of links) {
    if (!columns.has(`${table}.${column}`)) continue;
    const targets = typeof to === 'string' ? [{ target: to, thing: undefined }] : listTargets(to.tables);
    for (const { target, thing } of targets) {
      if (!columns.has(`${target}.id`)) continue;
      const isOfThing = typeof to === 'string' ? sql`true` : sql`${sql.ref(to.by)} = ${thing}`;
      const { rows } = await sql<{ count: number; example: string | null }>`
        select count(*) as count, min(${sql.ref(column)}) as example from ${sql.table(table)}
        where ${sql.ref(column)} <> '' and ${isOfThing} and ${sql.raw(where)}
          and not exists (select 1 from ${sql.table(target)} as target where target.id = ${sql.ref(`${table}.${column}`)})`.execute(
        db,
      );
      const [row] = rows;
      if (row?.example)
        broken.push({ column: `${table}.${column}`, to: target, rows: Number(row.count), example: row.example });
    }
  }
  return broken;
}

const listTargets = (tables: Record<string, Table>) =>
  Object.entries(tables).map(([thing, target]) => ({ target, thing }));

/** Describes a link to nothing: `2 rows of guest_messages.place_id name places that do not exist, such as 01k…`. */
export const describeBrokenLink = ({ column, to, rows, example }: BrokenLink) =>
  `${rows} ${rows === 1 ? 'row' : 'rows'} of ${column}: no such row in ${to}, for example ${example}`;

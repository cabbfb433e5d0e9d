import { beforeAll, expect, test } from 'vitest';
import { type RecordKindName, recordKinds } from '#shared/record-kinds.ts';
import { listBackedUpTables, tablesEmptyInBackups } from '../db/tables.ts';
import type { NewDeletion } from '../deletions/bin/deletions.ts';
import { personalTables } from '../names/named-fields.ts';
import { isEditableField } from '../retention/name-marks.ts';
import { createTestServer } from '../testing/test-server.ts';
import { kindEntries, type kinds, tablesWithoutKind } from './kinds.ts';

let columns: Map<string, string[]>;
const { server } = createTestServer('sqlite');
beforeAll(async () => {
  const tables = (await server.db.introspection.getTables()).filter(
    ({ name, isView }) => !isView && !/_search|^kysely|^sqlite/.test(name),
  );
  columns = new Map(tables.map((table) => [table.name, table.columns.map(({ name }) => name)]));
});

const declared = kindEntries.flatMap(([name, { table, children = [] }]) => [
  { name, table },
  ...children.map((child) => ({ name, table: child.table })),
]);

test('every table of the database is a kind of record, belongs to one, or is listed with a reason', () => {
  const tables = [...declared.map(({ table }) => table), ...Object.values(tablesWithoutKind).flat()];
  expect(tables.toSorted()).toEqual([...columns.keys()].toSorted());
});

/** Tables with tokens or with rows that end, and why backups have them. */
const inBackups: Record<string, string> = {
  browsers: 'its tokens sign no one in',
  email_changes: 'only its link, which is in an email for a day, changes anything',
  packs: 'the row stays after its file has expired',
  shared_devices: 'a device stays shared after a restore',
};

test('backups are without the rows that sign someone in, or that end soon, or there is a reason', () => {
  const isShortLived = (column: string) => /^(token_hash|expires_at|ends_at)$/.test(column);
  const found = [...columns].flatMap(([table, names]) => (names.some(isShortLived) ? [table] : []));
  expect(found.toSorted()).toEqual([...tablesEmptyInBackups, ...Object.keys(inBackups)].toSorted());
});

/** Tables of which a copy of the database has no rows, beside those that are empty in backups. */
const notCopied: Record<string, string> = {
  email_changes: 'their links are of the server that sent them',
  push_subscriptions: 'they belong to sessions',
  report_months: 'it is counted again from the reports',
};

test('copies of the database have the rows of every table, or there is a reason', async () => {
  const copied = await listBackedUpTables(server.db);
  const leftOut = [...columns.keys()].filter((table) => !copied.includes(table));
  expect(leftOut.toSorted()).toEqual([...tablesEmptyInBackups, ...Object.keys(notCopied)].toSorted());
});

test('the columns that kinds name exist, and rows without an id are declared as such', () => {
  for (const [, { table, bin, retention, children = [] }] of kindEntries) {
    expect(columns.get(table)).toContain('id');
    expect([table, columns.get(table)?.includes('deletion_id')]).toEqual([table, bin !== undefined]);
    if (retention) expect(columns.get(table)).toContain(retention.from);
    for (const child of children) {
      expect(columns.get(child.table)).toContain(child.of);
      expect([child.table, columns.get(child.table)?.includes('id')]).toEqual([child.table, !child.isWithoutId]);
    }
  }
});

test('what the server does with a kind agrees with the facts that the screens have of it', () => {
  for (const [name, { uploads, retention, children = [] }] of kindEntries) {
    const facts: object = recordKinds[name];
    expect([name, 'isDestroyed' in facts]).toEqual([name, retention !== undefined]);
    const own = [uploads, ...children.map((child) => child.uploads)].includes(name as never);
    expect([name, 'hasUploads' in facts]).toEqual([name, own]);
  }
});

/** Kinds with a park that are no secret among reviewers, by reason. */
const shownToAllReviewers: Record<string, RecordKindName[]> = {
  'reviewers read reports of every park, with what was found out about them': ['report', 'investigation'],
  'reviewers read safety checks of every park': ['submission'],
};

test('the log and the bin show a record with a park only to those who see it, or have a reason', () => {
  const withPark = kindEntries.flatMap(([name, { park, parks }]) => (park || parks ? [name] : []));
  const ofTheirPark = withPark.filter((name) => 'ofItsPark' in recordKinds[name]);
  expect([...ofTheirPark, ...Object.values(shownToAllReviewers).flat()].toSorted()).toEqual(withPark.toSorted());
});

test('a kind that is shown to those who see its park cannot be declared or deleted without it', () => {
  const kind = { table: 'folders', purpose: '', log: { readers: 'reviewers' } } as const;
  // @ts-expect-error: a folder has a park.
  const folder: (typeof kinds)['folder'] = kind;
  const report: (typeof kinds)['report'] = kind;
  const deletion = { thing_id: 'x', label: '', by: { id: 'x', username: 'x' }, now: new Date() };
  // @ts-expect-error: the deletion of a folder has its park.
  const ofFolder: NewDeletion = { ...deletion, thing: 'folder' };
  // @ts-expect-error: the deletion of a report has none.
  const ofReport: NewDeletion = { ...deletion, thing: 'report', park: 'Mounds' };
  expect([folder, report, ofFolder, ofReport]).toHaveLength(4);
});

test('a name that was typed into an earlier version of a record is erased again in each of its fields', () => {
  const tables = declared.filter(
    ({ name, table }) => 'isErasable' in recordKinds[name] && columns.get(table)?.includes('version'),
  );
  // Each version of an assessment is marked on its own.
  const versioned = tables.filter(({ table }) => !table.startsWith('assessment')).map(({ table }) => String(table));
  const fields = personalTables
    .filter(({ table }) => versioned.includes(table))
    .flatMap(({ columns }) => Object.values(columns))
    .flatMap(({ kind, mark }) => (mark ? [mark({ section: 'facts' }) + (kind === 'json' ? ' member' : '')] : []));
  expect(fields).toContain('description');
  expect(fields.filter((field) => !isEditableField(field))).toEqual([]);
});

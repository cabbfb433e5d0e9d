import { beforeAll, expect, test } from 'vitest';
import { recordKinds } from '#shared/record-kinds.ts';
import { createTestServer } from '../testing/test-server.ts';
import { kindEntries, tablesWithoutKind } from './kinds.ts';

let columns: Map<string, string[]>;
const server = createTestServer('sqlite');
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

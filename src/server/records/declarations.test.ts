// Compares what a kind of record declares with what other parts of the server know of it. Whoever adds a kind finds
// here what else it needs; what it is not to have is listed with a reason.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contract, type EndpointName } from '#shared/api.ts';
import { accountFields } from '#shared/people/access-requests.ts';
import { type RecordKindName, recordKinds } from '#shared/record-kinds.ts';
import { foundKinds } from '#shared/search/search.ts';
import { personalTables } from '../names/named-fields.ts';
import { kindEntries } from './kinds.ts';

type Reasons = Record<string, RecordKindName[]>;
const allKinds = kindEntries.map(([name]) => name);

/** Expects that each of the kinds is in one of the lists, and in one only. */
const expectListed = (names: RecordKindName[], having: RecordKindName[], reasons: Reasons) =>
  expect([...having, ...Object.values(reasons).flat()].toSorted()).toEqual(names.toSorted());

/** The columns of the tables of a kind that may name a person, other than by the username of an account. */
const columnsByKind = kindEntries.map(([name, { table, children = [] }]) => {
  const tables = [table, ...children.map((child) => child.table)];
  const columns = personalTables
    .filter((one) => tables.includes(one.table))
    .flatMap((one) => Object.entries(one.columns).map(([column, spec]) => ({ ...spec, table: one.table, column })))
    .filter(({ kind, isUsername }) => kind !== 'account' && !isUsername);
  return { name, table, columns, isErasable: 'isErasable' in recordKinds[name] };
});

test('a name can be erased in every kind of record with a column for the name of a person', () => {
  const withPerson = columnsByKind.filter(({ columns }) =>
    columns.some(({ isPerson, members = {} }) =>
      [{ isPerson, isUsername: false }, ...Object.values(members)].some((one) => one.isPerson && !one.isUsername),
    ),
  );
  expectListed(
    withPerson.map(({ name }) => name),
    withPerson.filter(({ isErasable }) => isErasable).map(({ name }) => name),
    {
      'the name goes with the account, once no record needs it': ['user'],
      'it proves how someone was answered, and is destroyed some years after': ['accessRequest'],
    },
  );
});

test('a name can be erased in every column of such a record that people type into', () => {
  const unmarked = columnsByKind
    .filter(({ isErasable }) => isErasable)
    .flatMap(({ columns }) => columns.filter(({ mark }) => !mark).map(({ table, column }) => `${table}.${column}`));
  expect(unmarked).toEqual([]);
});

test('a record that names someone by their username alone is not offered when a name is erased', () => {
  const columns = personalTables.flatMap((one) => Object.values(one.columns));
  const labels = columns.flatMap(({ isUsername, label }) => (isUsername ? [label] : []));
  expect([...new Set(labels)].toSorted()).toEqual(accountFields.toSorted());
});

test('every kind of record is destroyed after a period or with another, or has a reason why it stays', () => {
  const withPeriod = kindEntries.flatMap(([name, { retention }]) => (retention ? [name] : []));
  const withOther = kindEntries.flatMap(([, { orphans }]) => (orphans ? [orphans.kind] : []));
  expectListed(allKinds, [...withPeriod, ...withOther], {
    'submissions refer to its versions': ['checklist'],
    'missed checks stay on record': ['schedule', 'check'],
    'records refer to it': ['place'],
    'its files expire after 7 days, and its row goes after 30': ['pack'],
    'it is removed when it is not shared any more': ['device'],
  });
});

test('the log knows that the title of a record may name a person', () => {
  const isFromMarkedText = ([name, { found }]: (typeof kindEntries)[number]) => {
    const read = new Set<string>();
    const get = (_: object, column: string) => {
      read.add(column);
      return '2026-06-01T09:00:00.000Z';
    };
    const row = new Proxy({}, { get: get as ProxyHandler<object>['get'] });
    found?.label(row as never);
    const kind = columnsByKind.find((one) => one.name === name);
    return kind?.columns.some(({ table, column, mark }) => mark && table === kind.table && read.has(column)) ?? false;
  };
  expectListed(
    kindEntries.filter(isFromMarkedText).map(([name]) => name),
    allKinds.filter((name) => 'isTitleLogged' in recordKinds[name]),
    { 'the log has its number': ['submission'] },
  );
});

test('the search finds every kind of record in which people are found, or there is a reason', () => {
  const searched: string[] = foundKinds.map((kind) => (kind === 'person' ? 'user' : kind));
  const withFound = kindEntries.flatMap(([name, { found }]) => (found ? [name] : []));
  expectListed(
    withFound,
    withFound.filter((name) => searched.includes(name)),
    {
      'its audits are found': ['folder', 'lesson'],
      'its schedule or day leads to it': ['check'],
      'it is opened from the record that it is about': ['hold'],
      'there are few, in one list': ['accessRequest', 'pack', 'device'],
    },
  );
  expect(searched.filter((name) => !withFound.includes(name as RecordKindName))).toEqual([]);
});

/** The exports of the kinds. */
const exportOf: Partial<Record<RecordKindName, EndpointName>> = {
  report: 'exportReports',
  submission: 'exportSubmissions',
  audit: 'exportAudits',
  check: 'exportChecks',
  investigation: 'exportInvestigations',
  message: 'exportMessages',
  place: 'exportPlaces',
  user: 'exportUsers',
};

test('every kind of record has an export, or a reason why not', () => {
  expectListed(allKinds, Object.keys(exportOf) as RecordKindName[], {
    'the export of audits has the name of the folder, and the answers to lessons': ['folder', 'lesson'],
    'it is a form or a plan; what was done with it is exported': ['checklist', 'schedule'],
    'there are few, in one list': ['accessRequest', 'hold', 'pack', 'device'],
  });
  // Of parts of records, and of the log.
  const others = ['exportReadings', 'exportActivity'];
  expect([...Object.values(exportOf), ...others].toSorted()).toEqual(
    Object.keys(contract)
      .filter((name) => name.startsWith('export'))
      .toSorted(),
  );
});

/** How the rows of docs/privacy.md begin that say what is stored about people in a record of each kind. */
const privacyRows: Partial<Record<RecordKindName, string>> = {
  report: 'Accident and incident reports:',
  submission: 'Submitted checklists:',
  audit: 'Audit folders and audits:',
  folder: 'Audit folders and audits:',
  check: 'Scheduled checks:',
  investigation: 'Investigations:',
  lesson: 'Lessons:',
  message: 'Messages of guests ',
  place: 'Places of parks:',
  pack: 'Packs:',
  device: 'Shared devices:',
  user: 'Accounts:',
  accessRequest: 'Access requests:',
  hold: 'RIDDOR assessments of reports:',
};

test('docs/privacy.md has every kind of record in which a text may name a person', () => {
  const page = readFileSync('docs/privacy.md', 'utf8');
  expectListed(
    columnsByKind.filter(({ columns }) => columns.length > 0).map(({ name }) => name),
    Object.keys(privacyRows) as RecordKindName[],
    { 'it says what is to be done, not who does it': ['checklist', 'schedule'] },
  );
  expect(Object.values(privacyRows).filter((start) => !page.includes(`\n| ${start}`))).toEqual([]);
});

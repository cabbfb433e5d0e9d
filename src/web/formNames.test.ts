import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formNames, isBroughtBackAtStart, outboxForms } from './formNames.ts';

const lists = { formNames, outboxForms };
/** Returns the name of a form for records with these ids. */
const getName = (toName: (...ids: never[]) => unknown, ...ids: string[]) => {
  const named = toName(...(ids as never[]));
  return typeof named === 'string' ? named : (named as { name: string }).name;
};
const forms = Object.entries(lists).flatMap(([list, names]) =>
  Object.entries(names).map(([key, toName]) => {
    const name = getName(toName, '1', '2', '3');
    const hasId = name !== getName(toName, '', '', '');
    return { key: `${list}.${key}`, name, hasId, start: hasId ? name.slice(0, name.search(/[123]/)) : name };
  }),
);

/** Forms whose names begin as others do, and why they cannot be equal. */
const alike: Record<string, string> = {
  'formNames.auditEdits': 'a completion has no draft but the edits of its audit',
  'formNames.investigationNote': 'its second word is the id of an investigation',
  'formNames.parkSettings': 'no park is called "all parks"',
  'formNames.schedule': 'an id is one word',
  'outboxForms.completion': 'a completion has no draft but the edits of its audit',
};

test('no two forms can have the same name, whatever the ids of their records are', () => {
  const isLike = (one: (typeof forms)[number], other: (typeof forms)[number]) =>
    one.hasId ? other.name.startsWith(one.start) : other.name === one.name;
  const found = forms.filter((one) => forms.some((other) => other !== one && isLike(one, other)));
  expect(found.map(({ key }) => key).sort()).toEqual(Object.keys(alike));
});

test('each name is used in one file, because forms with one name share their input', () => {
  const sources = globSync('**/*.{ts,tsx}', { cwd: import.meta.dirname })
    .filter((file) => !/\.test\.|^formNames/.test(file))
    .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'));
  const countFiles = (key: string) => sources.filter((source) => new RegExp(`\\b${key}\\b`).test(source)).length;
  expect(Object.fromEntries(forms.map(({ key }) => [key, countFiles(key)]))).toEqual(
    Object.fromEntries(forms.map(({ key }) => [key, 1])),
  );
});

test('what waits on devices keeps the names that the forms had before', () => {
  expect(Object.values(outboxForms).map((toName) => getName(toName, '7', '8'))).toEqual([
    ...['accident', 'incident', 'standalone-accident', 'standalone-incident'],
    ...['checklist/7/8', 'audit/7', 'report-hazard', 'create-audit/7'],
  ]);
});

test('drafts of forms that may be open when the page is are found under the names of earlier versions, and no others', () => {
  expect(
    ['checklists', 'folder/7', 'new folder', 'verification/7'].filter((name) => !isBroughtBackAtStart(name)),
  ).toEqual([]);
  const others = Object.values(outboxForms).map((toName) => getName(toName, '7'));
  others.push('accident pictures', 'folder', 'checklists 2');
  expect(others.filter((name) => isBroughtBackAtStart(name))).toEqual([]);
});

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formNames, isKeptOnDevice } from './formNames.ts';

const keys = Object.keys(formNames) as (keyof typeof formNames)[];

/** Returns the name of a form for records with these ids. */
const getName = (key: keyof typeof formNames, ...ids: string[]) =>
  (formNames[key] as (...ids: string[]) => { name: string })(...ids).name;

test('no two forms have the same name', () => {
  const names = keys.map((key) => getName(key, '1', '2', '3'));
  expect(new Set(names).size).toBe(keys.length);
});

test('each name is used in one file, because forms with one name share their input', () => {
  const sources = globSync('**/*.{ts,tsx}', { cwd: import.meta.dirname })
    .filter((file) => !/\.test\.|^formNames/.test(file))
    .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'));
  const countFiles = (key: string) =>
    sources.filter((source) => new RegExp(`\\bformNames\\.${key}\\b`).test(source)).length;
  expect(Object.fromEntries(keys.map((key) => [key, countFiles(key)]))).toEqual(
    Object.fromEntries(keys.map((key) => [key, 1])),
  );
});

test('drafts of forms that are kept on the device are found under the names of earlier versions, and no others', () => {
  expect(['checklists', 'folder/7', 'new folder', 'verification/7'].filter((name) => !isKeptOnDevice(name))).toEqual(
    [],
  );
  const others = [
    'accident',
    'accident pictures',
    'audit/7',
    'create-audit/7',
    'report-hazard',
    'folder',
    'checklists 2',
  ];
  expect(others.filter(isKeptOnDevice)).toEqual([]);
});

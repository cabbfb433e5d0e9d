// Every setting is described to operators, and reaches a server in a container.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { settingNames } from './config.ts';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

test('the guide for operators names every setting', () => {
  const guide = read('docs/operating.md');
  expect(settingNames.filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
});

test('compose.yaml passes every setting', () => {
  const [, service = ''] = /^ {2}reports:\n(.*?)^ {2}\w/ms.exec(read('compose.yaml')) ?? [];
  const named = [...service.matchAll(/^ {6}([A-Z][A-Z\d_]*):/gm)].map(([, name = '']) => name);
  expect(named.filter((name) => !settingNames.includes(name))).toEqual([]);
  // Those that are not named there come from this file. A misspelled or missing name would lose them without a word.
  expect(service).toContain('env_file: [{ path: reports.env, required: false }]');
  for (const [name, port] of [
    ['PORT', 3000],
    ['GUEST_PORT', 3001],
  ] as const) {
    expect(service).toContain(`      ${name}: ${port}\n`);
    expect(service).toMatch(new RegExp(`^ {4}ports: .*:${port}"`, 'm'));
  }
});

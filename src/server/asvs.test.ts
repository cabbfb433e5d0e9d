// Compares docs/asvs.md with the list of the standard's requirements, and with the tests that it names.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const page = read('docs/asvs.md');
/** Number, level and text of each requirement of levels 1 and 2. */
const { requirements }: { requirements: [string, number, string][] } = JSON.parse(read('fixtures/asvs-5.0.0.json'));

const rowPattern = /^\| (?<number>[\d.]+) \| (?<level>\d) \| (?<text>[^|]+) \| (?<state>[^|]*) \| (?<reason>.*) \|$/;
const testPattern = /`([\w./-]+\.(?:test|spec)\.ts)` “([^”]+)”/g;

/** Returns what is wrong with the test that a row names, or ''. */
function findTestProblem(path: string, title: string): string {
  const file = /^(?:src|e2e)\//.test(path) ? path : `src/server/${path}`;
  if (!existsSync(join(root, file))) return `there is no ${file}`;
  const escaped = title.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const isThere = new RegExp(`(?<!describe|skip|todo)\\(\\s*(['"\`])${escaped}\\1,`).test(read(file));
  return isThere ? '' : `${file} has no test "${title}"`;
}

/** Returns what is wrong with a row's state and reason. */
function findRowProblems(state: string, reason: string): string[] {
  const tests = [...reason.matchAll(testPattern)];
  const problems = tests.map(([, path = '', title = '']) => findTestProblem(path, title)).filter(Boolean);
  if (!['held', 'not applicable', 'deviation'].includes(state)) problems.push(`"${state}" is no state`);
  if (state === 'held' && tests.length === 0) problems.push('it is held, but no test is named');
  if (reason.replace(testPattern, '').includes('“')) problems.push('a title has no file before it');
  // The shortest reason is 'No Java'.
  if (state !== 'held' && reason.length < 7) problems.push('it has no reason');
  return problems;
}

/** Returns what is wrong with a row: its number, level, text, state or reason. */
function compareRow({ number, level, text, state = '', reason = '' }: Record<string, string>): string[] {
  const [, wantedLevel, wantedText] = requirements.find((requirement) => requirement[0] === number) ?? [];
  if (wantedText === undefined) return [`${number} is no requirement`];
  const isRight = level === String(wantedLevel) && text === wantedText;
  const problems = isRight ? [] : [`it has level ${wantedLevel} and the text "${wantedText}"`];
  return [...problems, ...findRowProblems(state, reason)].map((problem) => `${number}: ${problem}`);
}

function findProblems(markdown: string): string[] {
  const lines = markdown.split('\n').filter((line) => line.startsWith('|') && !/^\| \| Level |^\|---/.test(line));
  const rows = lines.map((line) => rowPattern.exec(line)?.groups ?? { number: line });
  const countRows = (number: string) => rows.filter((row) => row.number === number).length;
  const missing = requirements.filter(([number]) => countRows(number) === 0);
  const repeated = requirements.filter(([number]) => countRows(number) > 1);
  return [
    ...missing.map(([number, , text]) => `${number} is missing: ${text}`),
    ...repeated.map(([number]) => `${number} has more than one row`),
    ...rows.flatMap(compareRow),
  ];
}

test('the list of requirements is that of ASVS 5.0.0, levels 1 and 2', () => {
  const countOf = (level: number) => requirements.filter((requirement) => requirement[1] === level).length;
  expect([countOf(1), countOf(2), requirements.length]).toEqual([70, 183, 253]);
  for (const column of [0, 2]) expect(new Set(requirements.map((requirement) => requirement[column])).size).toBe(253);
});

test('docs/asvs.md has each requirement once, with its level, and tests that exist', () => {
  expect(findProblems(page)).toEqual([]);
});

describe('a fault in docs/asvs.md is found:', () => {
  const row = /^\| 3\.4\.2 .*\n/m.exec(page)?.[0] ?? '';
  const title = /“(.+)”/.exec(row)?.[1] ?? '';

  test.each([
    ['a missing requirement', row, '', '3.4.2 is missing'],
    ['a requirement named twice', row, row + row, '3.4.2 has more than one row'],
    ['an invented requirement', row, `${row}| 3.4.99 | 1 | Nothing | held | – |\n`, '3.4.99 is no requirement'],
    ['a row that cannot be read', row, `${row}| 3.4.99 | held |\n`, '| 3.4.99 | held | is no requirement'],
    ['a wrong level', row, row.replace('| 1 |', '| 2 |'), '3.4.2: it has level 1 and the text "CORS'],
    ['another text', row, row.replace('CORS', 'Nothing'), '3.4.2: it has level 1 and the text "CORS'],
    ['another state', row, row.replace('held', 'done'), '3.4.2: "done" is no state'],
    ['a title that no test has', title, `${title} today`, 'src/server/http/headers.test.ts has no test'],
    ['the beginning of a title', title, title.slice(0, -1), 'src/server/http/headers.test.ts has no test'],
    ['a file that does not exist', 'http/headers.test.ts` “no r', 'http/header.test.ts` “no r', 'there is no src/'],
    ['a title without a file', '`http/headers.test.ts` “no r', '“no r', '3.4.2: a title has no file before it'],
    ['no test', /`.*”/.exec(row)?.[0] ?? '', 'It is so', '3.4.2: it is held, but no test is named'],
    ['no reason', '| not applicable | No LDAP |', '| not applicable |  |', '1.2.6: it has no reason'],
  ])('%s', (_, part, replacement, problem) => {
    const changed = page.replace(part, () => replacement);
    expect(changed).not.toBe(page);
    expect(findProblems(changed)).toContainEqual(expect.stringContaining(problem));
  });
});

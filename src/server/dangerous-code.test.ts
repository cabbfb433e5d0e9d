// Language features that would undo other protections, and the few places that may use them.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const isTest = (path: string) => /\.(?:test|test-helper|test-writer)\.|^server\/(?:testing|cli)\//.test(path);
const sources = globSync('**/*.{ts,tsx,js}', { cwd: root })
  .filter((path) => !isTest(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

const find = (pattern: RegExp) =>
  sources
    .filter(({ text }) => pattern.test(text))
    .map(({ path }) => path)
    .sort();

test('the sources of server and screens are searched', () => {
  expect(find(/\bexport\b/).length).toBeGreaterThan(500);
});

test.each<[string, RegExp, string[]]>([
  // Migrations are files of the product, loaded by name.
  [
    'runs text as code',
    /\beval\(|new Function\(|\bimport\(\s*[`a-z]|\bset(?:Timeout|Interval)\(\s*['"`]|node:vm/,
    ['server/db/migrate.ts'],
  ],
  ['shows text as HTML', /dangerouslySetInnerHTML|\b(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write/, []],
  ['starts a shell', /\bexec(?:Sync)?\b[^\n]*from 'node:child_process'|\bshell: /, []],
  [
    'listens to messages of other windows',
    /\b(?:window|globalThis|self)\.(?:addEventListener\('message'|onmessage)/,
    // A service worker, to which only pages of this server can write.
    ['server/pages/kill-switch-worker.ts'],
  ],
  // They decide when the outbox tries again.
  ['uses predictable random numbers', /Math\.random/, ['web/outbox/outbox.ts', 'web/outbox/sendFromWorker.ts']],
  // Codes from an app, and the checksum that buckets compare.
  ['uses MD5 or SHA-1', /\b(?:md5|sha-?1)\b/i, ['server/files/bucket.ts', 'server/sign-in/factors/app-codes.ts']],
])('no code %s, except where it is safe', (_, pattern, expected) => {
  expect(find(pattern)).toEqual(expected);
});

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseArguments, parseCount } from './arguments.ts';

const usage = { usage: 'command [--outbox] [ROUNDS]', flags: ['outbox'], most: 1 };

test('a command gets its flag and its words', () => {
  expect(parseArguments(['--outbox', '5'], usage)).toEqual({ flag: 'outbox', words: ['5'] });
  expect(parseArguments([], usage)).toEqual({ flag: undefined, words: [] });
  expect([parseCount('5', 1), parseCount(undefined, 20)]).toEqual([5, 20]);
});

test.each([[['--short']], [['--outbox', '5', '6']], [['-x']]])('%j ends a command with its usage', (args) => {
  expect(() => parseArguments(args, usage)).toThrow('Usage: command');
});

test.each(['short', '0', '-1', '1.5', ''])('"%s" is not taken as a number of rounds', (word) => {
  expect(() => parseCount(word, 1)).toThrow('is not a whole number');
});

test.each([
  ['crash.ts', '--short'],
  ['power-cut.ts', '--short'],
])('%s %s ends with an error instead of testing nothing', (file, ...args) => {
  const command = join(import.meta.dirname, '../../../e2e/crash', file);
  expect(() => execFileSync(process.execPath, [command, ...args], { stdio: 'pipe' })).toThrow(/Usage|whole number/);
});

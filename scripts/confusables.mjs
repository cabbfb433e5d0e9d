// `node scripts/confusables.mjs FILE`: rewrites src/server/users/confusables.txt from Unicode's own
// list of characters that look alike
// (https://www.unicode.org/Public/security/VERSION/confusables.txt), reduced to those that a
// username can have.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitWithError, root } from './run.mjs';

const [file] = process.argv.slice(2);
if (!file) exitWithError('Usage: node scripts/confusables.mjs FILE');

const source = readFileSync(file, 'utf8');
const [, version] = /^# Version: (\S+)/m.exec(source) ?? [];
const decodeCodePoints = (codes) => String.fromCodePoint(...codes.split(' ').map((code) => Number.parseInt(code, 16)));
/** Characters are compared as usernames are: decomposed into letters and marks. */
const canBeInUsername = (character) =>
  /^[\p{L}\p{M}\p{N}._@-]$/u.test(character) &&
  character.normalize('NFKC').toLowerCase().normalize('NFD') === character;

const lines = [...source.matchAll(/^([0-9A-F]+)\s*;\s*([0-9A-F ]+?)\s*;/gm)]
  .map(([, from, to]) => [decodeCodePoints(from), decodeCodePoints(to)])
  .filter(([from]) => canBeInUsername(from))
  .map(([from, to]) => `${from} ${to}`);
const head = [
  `# Unicode confusables ${version}, reduced by scripts/confusables.mjs. Each line: a character, and what it looks like.`,
  '# © Unicode, Inc. See https://www.unicode.org/terms_of_use.html',
];
writeFileSync(join(root, 'src/server/users/confusables.txt'), `${[...head, ...lines].join('\n')}\n`);
console.log(`Unicode ${version}: ${lines.length} characters`);

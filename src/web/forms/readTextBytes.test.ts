import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseUserCsv } from '#shared/user-import.ts';
import { readTextBytes } from './readTextBytes.ts';

const readFixture = (name: string) => readFileSync(join(import.meta.dirname, '../../../fixtures/imports', name));

const users = [
  { username: 'field.one', role: 'None', park: 'Lido Beach', full_name: 'Gwenllïan Ŵyn-Jones' },
  { username: 'field.two', role: 'None', park: 'Kingsley', full_name: 'Tomos O’Neill' },
];
const utf16 = readFixture('users-utf16le-unicode-text.txt');
test.each([
  ['in UTF-16', utf16],
  ['in UTF-16 without a mark', utf16.subarray(2)],
  ['in UTF-16, the other byte first', Buffer.from(utf16).swap16()],
  ['in UTF-16 without a mark, the other byte first', Buffer.from(utf16.subarray(2)).swap16()],
  ['that says how the columns are separated', readFixture('users-sep-line.csv')],
])('a file of users %s is read', (_, bytes) => {
  const readings = readTextBytes(bytes);
  expect(readings).toMatchObject([{ doubtfulWords: [] }]);
  const { users: parsed, errors } = parseUserCsv(readings[0].text);
  expect(errors).toEqual([]);
  expect(parsed).toMatchObject(users);
});

test('an error names its line after a line that says how the columns are separated', () => {
  const text = readFixture('users-sep-line.csv').toString().replace('Kingsley', 'Atlantis');
  expect(parseUserCsv(text).errors).toEqual([{ line: 4, message: '"Atlantis" is not a park' }]);
});

test('a file of users with its columns in another order is read by the names of the columns', () => {
  const [{ text }] = readTextBytes(readFixture('users-columns-in-other-order.csv'));
  expect(parseUserCsv(text)).toMatchObject({ users: [{ line: 2, username: 'field.three', park: 'Lido Beach' }] });
});

test('a file with the letters of a Macintosh can be read in two ways, with the words that differ', () => {
  const readings = readTextBytes(readFixture('users-macintosh.csv'));
  expect(readings.map(({ doubtfulWords }) => doubtfulWords)).toEqual([
    ['Si‰n', 'Zo‘', 'OÕNeill'],
    ['Siân', 'Zoë', 'O’Neill'],
  ]);
  expect(parseUserCsv(readings[1]?.text ?? '').users).toMatchObject([
    { full_name: 'Siân Rees' },
    { full_name: 'Zoë O’Neill' },
  ]);
});

/** Windows-1252 has these letters at the places of Latin-1. */
const toWindows = (text: string) => Buffer.from(text.replaceAll('’', '\x92'), 'latin1');
test.each([
  ['Windows-1252', toWindows('Siân Rees, Zoë O’Neill, José, ÉMILE, Rhys’s')],
  ['UTF-8', Buffer.from('Siân, Ŵyn, Žiga Tomaš, Łukasz, O‘Neill, Smith–Jones, गीता, 👩‍🚒, Æsa, Þór')],
])('a file in %s whose letters are right is not doubtful', (_, bytes) =>
  expect(readTextBytes(bytes)).toMatchObject([{ doubtfulWords: [] }]),
);

test.each([
  ['Si‰n', Buffer.from('Anna,Si‰n Rees')],
  ['SiÃ¢n', Buffer.from('Anna,SiÃ¢n Rees')],
  ['Si\ufffdn', Buffer.from('Anna,Si\ufffdn Rees')],
])('the word %s is doubtful in a file in UTF-8 too, where there is no other way to read it', (word, bytes) =>
  expect(readTextBytes(bytes)).toMatchObject([{ doubtfulWords: [word] }]),
);

test.each(['Mar\x92a', 'Mu\x96oz', 'Ren\x8ee', 'Bj\x9arn', 'Ir\x8fne'])(
  '%j is doubtful in a file of one byte a letter',
  (word) => expect(readTextBytes(Buffer.from(word, 'latin1'))).toHaveLength(2),
);

// The list of parks in the file of PARKS_FILE.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { defaultParks as parks } from '#shared/choices.ts';
import { createTestFolder } from '../testing/folder.ts';
import { parseParkList, readParkList } from './park-list.ts';

const open = (name: string) => ({ name, isClosed: false });
const closed = (name: string) => ({ name, isClosed: true });

test('each line is a park, in the order of the file, without comments and empty lines', () => {
  const text =
    '\uFEFF# Our parks\r\n\r\n  Zion Bay \r\nclosed: Old Mill\r\n#Later\r\nCLOSED:Sea & "Sand"\nAbbey / Ynys Môn 🏖️';
  const expected = [open('Zion Bay'), closed('Old Mill'), closed('Sea & "Sand"'), open('Abbey / Ynys Môn 🏖️')];
  expect(parseParkList(text)).toEqual(expected);
  expect(parseParkList(`${'x'.repeat(60)}`)).toEqual([open('x'.repeat(60))]);
  expect(parseParkList(Array.from({ length: 200 }, (_, at) => `Park ${at}`).join('\n'))).toHaveLength(200);
});

test.each([
  ...[...',;=@|%_\\'].map((sign) => [`Bay ${sign} Sea`, `has a ${sign}, which no name may have`] as const),
  ['closed:', 'has no name'],
  ['\u200B', 'has no name'],
  ['🏖'.repeat(61), 'has more than 60 characters'],
  ['Bay\u0007', 'has a control or format character'],
  ['Bay\tSea', 'has a control or format character'],
  ['Bay\u202Eaes', 'has a control or format character'],
  ['Bay\u2028Sea', 'has a control or format character'],
  ['all  PARKS', 'is all  PARKS, which is not a park'],
  ['none', 'is none, which is not a park'],
  ['MÔUNDS', 'has the name of line 1'],
  ['closed: Mounds', 'has the name of line 1'],
] as const)('%j is refused with its line: it %s', (line, reason) => {
  expect(() => parseParkList(`Mounds\n${line}\nWinkups`)).toThrow(new Error(`PARKS_FILE line 2: this line ${reason}`));
});

test('a list of more than 200 parks, and one without an open park, are refused', () => {
  const many = Array.from({ length: 201 }, (_, at) => `Park ${at}`).join('\n');
  expect(() => parseParkList(many)).toThrow(
    'PARKS_FILE line 201: this line is one park too many: a list has at most 200',
  );
  for (const text of ['', '# None yet', 'closed: Mounds'])
    expect(() => parseParkList(text)).toThrow('PARKS_FILE line 1: this line ends the list without an open park');
});

test('without a file the parks are those specified; a file that cannot be read is named', async () => {
  const folder = createTestFolder(onTestFinished);
  const file = join(folder, 'parks.txt');
  expect(await readParkList('')).toEqual(parks.map(open));
  await expect(readParkList(file)).rejects.toThrow(`PARKS_FILE cannot be read (ENOENT): ${file}`);
  writeFileSync(file, '\uFEFFMounds\nclosed: Winkups\n');
  expect(await readParkList(file)).toEqual([open('Mounds'), closed('Winkups')]);
  writeFileSync(file, Buffer.from([0x4d, 0xe9, 0x0a]));
  await expect(readParkList(file)).rejects.toThrow('PARKS_FILE must be text in UTF-8');
});

// What a block of a spreadsheet changes in the table of all parks.
import { describe, expect, test } from 'vitest';
import type { PersonName } from '#shared/users.ts';
import { parseCell, readBlock } from './parksTable.ts';

const parks = ['Kingsley', 'Mounds', 'Robin Hood'];
const read = (text: string, start = { row: 0, column: 0 }) => readBlock(text, { parks, columns: 4, start });

describe('a pasted block', () => {
  test('with the names of parks in its first column belongs to these parks, in any order and below a heading', () => {
    expect(read('Park\tTelephone\r\nrobin hood\t1\tAnn\r\nKINGSLEY\t2\t\r\n', { row: 2, column: 3 })).toEqual({
      cells: [
        { row: 2, column: 0, text: '1' },
        { row: 2, column: 1, text: 'Ann' },
        { row: 0, column: 0, text: '2' },
      ],
      leftOut: [],
    });
  });

  test('without names begins at the focused cell, and its empty cells change nothing', () => {
    expect(read('1\t\t3\n4', { row: 1, column: 1 })).toEqual({
      cells: [
        { row: 1, column: 1, text: '1' },
        { row: 1, column: 3, text: '3' },
        { row: 2, column: 1, text: '4' },
      ],
      leftOut: [],
    });
  });

  test('says which lines and how many cells were left out', () => {
    expect(read('Mounds\t1\nMound\t2\n\t3\n\t').leftOut).toEqual([
      'Mound is no open park.',
      'A line without a name is no open park.',
    ]);
    expect(read('1\t2\n3\t4', { row: 2, column: 3 })).toEqual({
      cells: [{ row: 2, column: 3, text: '1' }],
      leftOut: ['Cells beyond the table were left out: 3.'],
    });
  });

  test('of a single cell is pasted as usual', () => {
    for (const text of ['01745 123456', 'Mounds\r\n', '']) expect(read(text)).toEqual({ cells: [], leftOut: [] });
  });
});

test('a cell means an authority, a user who sees the park or a telephone number, and says why it means nothing', () => {
  const people = [
    { id: '1', username: 'ann', name: 'Ann Lee', park: 'Mounds', parks: ['Mounds'] },
    { id: '2', username: 'siân', name: 'Siân', park: '', parks: null },
  ] as PersonName[];
  const parse = (field: Parameters<typeof parseCell>[0], text: string, park = 'Mounds') =>
    parseCell(field, text, park, people);
  for (const text of ['The council', 'council', 'COUNCIL '])
    expect(parse('authority', text)).toEqual({ value: 'council' });
  expect(parse('authority', 'not known yet')).toEqual({ value: 'ask' });
  expect(parse('authority', 'Police')).toEqual({ error: 'Enter The council, HSE, Not known yet' });
  expect(parse('assignee', 'ann lee')).toEqual({ value: 'ann' });
  expect(parse('assignee', 'ANN', 'Kingsley')).toEqual({
    error: 'Ann Lee does not see Kingsley: nobody will be notified',
  });
  expect(parse('hazardAssignee', 'Sian', 'Kingsley')).toEqual({ value: 'siân' });
  expect(parse('hazardAssignee', 'Bob')).toEqual({ error: 'Choose a user who sees Mounds' });
  expect(parse('assignee', ' ')).toEqual({ value: '' });
  expect(parse('telephone', 'Ask')).toEqual({ error: 'Enter a telephone number, such as 01745 123456' });
  expect(parse('telephone', ' 01745 123456 ')).toEqual({ value: '01745 123456' });
});
